package tokenizer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// told is a word as one line: what it began with, and each merge as the state
// after it with what it was chosen by.
func told(w Word) string {
	parts := []string{}
	for _, p := range w.Parts {
		parts = append(parts, p.Text)
	}
	lines := []string{fmt.Sprintf("%s %q at %d %v: %s", w.How, w.Text, w.First, w.IDs, strings.Join(parts, "|"))}
	for _, m := range w.Merges {
		parts = slices.Replace(parts, m.At, m.At+2, parts[m.At]+parts[m.At+1])
		by := fmt.Sprint("rank ", m.Rank)
		if m.Rank < 0 {
			by = fmt.Sprint("score ", m.Score)
		}
		lines = append(lines, fmt.Sprintf("%s (%s)", strings.Join(parts, "|"), by))
	}
	return strings.Join(lines, "\n")
}

func TestTrace(t *testing.T) {
	normal, special := int64(Normal), int64(Control)
	spm := map[string]any{"model": "llama", "tokens": []string{"<unk>", "<s>", "</s>", "h", "e", "l", "o", "▁", "ll", "he", "llo", "▁he", "<0xC3>", "<0xA9>"},
		"scores":     []float64{0, 0, 0, -9, -9, -9, -9, -9, -1, -2, -4, -3, 0, 0},
		"token_type": []int64{int64(Unknown), special, special, normal, normal, normal, normal, normal, normal, normal, normal, normal, int64(Byte), int64(Byte)}}
	bpe := map[string]any{"model": "gpt2", "pre": "gpt-2", "tokens": []string{"h", "e", "l", "o", "he", "ll", "llo", "Ġ", "hello", "<|end|>", "Ġo"},
		"merges":     []string{"l l", "h e", "ll o", "Ġ o", "he llo"},
		"token_type": []int64{normal, normal, normal, normal, normal, normal, normal, normal, normal, special, normal}}
	wpm := map[string]any{"model": "bert", "tokens": []string{"[UNK]", "▁un", "able", "▁able"}, "unknown_token_id": int64(0), "cls_token_id": int64(0)}
	ugm := map[string]any{"model": "t5", "tokens": []string{"<pad>", "</s>", "<unk>", "▁", "▁a", "ab", "b", "▁ab"}, "scores": []float64{0, 0, 0, -3, -2, -2.5, -1.25, -4},
		"token_type": []int64{special, special, int64(Unknown), normal, normal, normal, normal, normal}, "add_space_prefix": true, "unknown_token_id": int64(2)}
	rwkv := map[string]any{"model": "rwkv", "tokens": []string{"<unk>", "a", "ab"}, "unknown_token_id": int64(0)}
	for _, c := range []struct {
		name string
		of   map[string]any
		text string
		o    Options
		at   int
		want string
	}{
		// The best score first: ll -1, llo -4. No token has e before l: ▁he is a word of its own.
		{"spm", spm, "hello", Options{AddSpecial: true}, 2, `merged "llo" at 2 [10]: l|l|o
ll|o (score -1)
llo (score -4)`},
		{"spm, the start", spm, "hello", Options{AddSpecial: true}, 1, `merged "▁he" at 1 [11]: ▁|h|e
▁|he (score -2)
▁he (score -3)`},
		{"spm, bytes", spm, "é", Options{}, 2, `merged "é" at 1 [12 13]: é`},
		{"spm, added", spm, "h", Options{AddSpecial: true}, 0, `special "<s>" at 0 [1]: `},
		{"spm, in the text", spm, "h</s>h", Options{ParseSpecial: true}, 2, `special "</s>" at 2 [2]: `},
		// The first line of the merges first: l l, then h e, ll o, he llo.
		{"bpe", bpe, "hello o", Options{}, 0, `merged "hello" at 0 [8]: h|e|l|l|o
h|e|ll|o (rank 0)
he|ll|o (rank 1)
he|llo (rank 2)
hello (rank 4)`},
		{"bpe, the second word", bpe, "hello o", Options{}, 1, `merged " o" at 1 [10]:  |o
 o (rank 3)`},
		{"bpe, a repeated pair from the left", bpe, "lll", Options{}, 0, `merged "lll" at 0 [5 2]: l|l|l
ll|l (rank 0)`},
		{"bpe, special", bpe, "h<|end|>", Options{ParseSpecial: true}, 1, `special "<|end|>" at 1 [9]: `},
		{"wpm", wpm, "able unable", Options{}, 2, `longest "▁unable" at 1 [1 2]: ▁un|able`},
		{"wpm, not covered", wpm, "unx", Options{}, 0, `longest "▁unx" at 0 [0]: `},
		// ▁a b is -3.25; ▁ab -4, ▁ ab -5.5.
		{"ugm", ugm, "ab", Options{}, 1, `best "▁ab" at 0 [4 6]: ▁a|b`},
		{"ugm, unknown", ugm, "zz", Options{}, 1, `best "z" at 1 [2]: z`},
		{"rwkv", rwkv, "abab", Options{}, 1, `longest "ab" at 1 [2]: ab`},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, ok := build(t, c.of).Trace(c.text, c.o, c.at)
			if got := told(w); !ok || got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
	for _, at := range []int{-1, 2} {
		if w, ok := build(t, rwkv).Trace("abab", Options{}, at); ok {
			t.Errorf("token %d: %v", at, w)
		}
	}
	w, _ := build(t, ugm).Trace("ab", Options{}, 0)
	if w.Parts[0].Score+w.Parts[1].Score != -3.25 {
		t.Errorf("scores of %v", w.Parts)
	}
	w, _ = build(t, spm).Trace(strings.Repeat("l", MaxTraced+1), Options{}, 1)
	if w.How != Merged || w.Parts != nil || w.Merges != nil {
		t.Errorf("a long word has %d parts and %d merges", len(w.Parts), len(w.Merges))
	}
}

// TestTraceTiles: the words of a text have its ids, each once and in order, and
// what merging leaves is the word's ids.
func TestTraceTiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 300 {
		tokens := append([]string{"<unk>", "<s>", "</s>"}, append([]string{"a", "b", "c", "é", "▁"}, randomTokens(rng, "")...)...)
		tokens = slices.Compact(tokens)
		scores := randomScores(rng, len(tokens))
		var text strings.Builder
		for range 1 + rng.IntN(4) {
			text.WriteString(fewLetters(rng, 12) + " ")
		}
		for _, model := range []string{"llama", "t5", "rwkv"} {
			tok := build(t, map[string]any{"model": model, "tokens": tokens, "scores": scores, "unknown_token_id": int64(0)})
			o := Options{AddSpecial: true}
			ids := tok.Encode(text.String(), o)
			var joined []int
			for at := 0; at < len(ids); {
				w, ok := tok.Trace(text.String(), o, at)
				if !ok || w.First != at || len(w.IDs) == 0 {
					t.Fatalf("%s %q: %q: token %d: %+v", model, tokens, text.String(), at, w)
				}
				joined, at = append(joined, w.IDs...), at+len(w.IDs)
				left := []int{}
				for _, p := range w.Parts {
					left = append(left, p.ID)
				}
				for _, m := range w.Merges {
					left = slices.Replace(left, m.At, m.At+2, m.ID)
				}
				if w.How == Merged && !slices.Equal(left, w.IDs) {
					t.Fatalf("%s %q: %q: merging leaves %v of %+v", model, tokens, text.String(), left, w)
				}
			}
			if !slices.Equal(joined, ids) {
				t.Fatalf("%s %q: %q: words %v, text %v", model, tokens, text.String(), joined, ids)
			}
		}
	}
}
