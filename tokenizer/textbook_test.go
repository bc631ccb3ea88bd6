package tokenizer

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The models by the book: every way tried, every string looked up.

// longestSlowly looks up each beginning of text.
func longestSlowly(ids map[string]int, text string) (id, n int) {
	for n := len(text); n > 0; n-- {
		if id, ok := ids[text[:n]]; ok {
			return id, n
		}
	}
	return -1, 0
}

// bestSlowly gives the ids with the highest sum of scores: of the tokens that
// may be used, and of step for a character that is none. Of equal sums the one
// whose last token is the longest wins.
func bestSlowly(ids map[string]int, score func(id int) float64, chars []string, step float64, stepID int) []int {
	best := make([]float64, len(chars)+1)
	from, last := make([]int, len(chars)+1), make([]int, len(chars)+1)
	for end := 1; end <= len(chars); end++ {
		best[end] = math.Inf(-1)
		for begin := range end {
			id, ok := ids[strings.Join(chars[begin:end], "")]
			s := step
			switch {
			case ok:
				s = score(id)
			case begin < end-1:
				continue
			default:
				id = stepID
			}
			if best[begin]+s > best[end] {
				best[end], from[end], last[end] = best[begin]+s, begin, id
			}
		}
	}
	var found []int
	for end := len(chars); end > 0; end = from[end] {
		found = append(found, last[end])
	}
	slices.Reverse(found)
	return found
}

// fewLetters has up to n letters of a few, some of two bytes.
func fewLetters(rng *rand.Rand, n int) string {
	var b strings.Builder
	for range 1 + rng.IntN(n) {
		b.WriteString([]string{"a", "b", "c", "é"}[rng.IntN(4)])
	}
	return b.String()
}

// randomTokens are a few different words, each with begin before it.
func randomTokens(rng *rand.Rand, begin string) []string {
	var tokens []string
	for range 1 + rng.IntN(30) {
		if word := begin + fewLetters(rng, 5); !slices.Contains(tokens, word) {
			tokens = append(tokens, word)
		}
	}
	return tokens
}

func build(t *testing.T, m map[string]any) *Tokenizer {
	t.Helper()
	tok, err := New(metadata(m))
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

type metadata map[string]any

func (m metadata) Get(key string) (any, error) { return m[strings.TrimPrefix(key, prefix)], nil }

func indexOf(tokens []string) map[string]int {
	ids := map[string]int{}
	for id, token := range tokens {
		ids[token] = id
	}
	return ids
}

func TestTextbookRWKV(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		tokens := append([]string{"<unk>"}, randomTokens(rng, "")...)
		ids, text := indexOf(tokens), fewLetters(rng, 40)
		var want []int
		for rest := text; rest != ""; {
			id, n := longestSlowly(ids, rest)
			if id < 0 {
				id, n = 0, 1
			}
			want, rest = append(want, id), rest[n:]
		}
		tok := build(t, map[string]any{"model": "rwkv", "tokens": tokens, "unknown_token_id": int64(0)})
		if got := tok.Encode(text, Options{}); !slices.Equal(got, want) {
			t.Fatalf("%q: %q\n got %v\nwant %v", tokens, text, got, want)
		}
	}
}

func TestTextbookWPM(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		tokens := append([]string{"[UNK]"}, append(randomTokens(rng, blank), randomTokens(rng, "")...)...)
		ids := indexOf(tokens)
		var words []string
		var want []int
		for range rng.IntN(8) {
			word := fewLetters(rng, 8)
			words = append(words, word)
			begin := len(want)
			for rest := blank + word; rest != ""; {
				id, n := longestSlowly(ids, rest)
				if id < 0 {
					want = append(want[:begin], 0)
					break
				}
				want, rest = append(want, id), rest[n:]
			}
		}
		tok := build(t, map[string]any{"model": "bert", "tokens": tokens, "unknown_token_id": int64(0), "normalizer.lowercase": false})
		if got := tok.Encode(strings.Join(words, " "), Options{}); !slices.Equal(got, want) {
			t.Fatalf("%q: %q\n got %v\nwant %v", tokens, words, got, want)
		}
	}
}

func randomScores(rng *rand.Rand, n int) []float64 {
	scores := make([]float64, n)
	for i := range scores {
		scores[i] = float64(float32(-1 - 10*rng.Float64()))
	}
	return scores
}

func TestTextbookUGM(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		tokens := append([]string{"<unk>"}, randomTokens(rng, "")...)
		scores, text := randomScores(rng, len(tokens)), fewLetters(rng, 40)
		types := slices.Repeat([]int64{int64(Normal)}, len(tokens))
		types[0] = int64(Unknown)
		step := float64(float32(slices.Min(scores[1:])) - 10)
		want := bestSlowly(indexOf(tokens), func(id int) float64 { return scores[id] }, strings.Split(text, ""), step, 0)
		want = slices.CompactFunc(want, func(a, b int) bool { return a == 0 && b == 0 })
		tok := build(t, map[string]any{"model": "t5", "tokens": tokens, "scores": scores, "token_type": types, "unknown_token_id": int64(0)})
		if got := tok.Encode(text, Options{}); !slices.Equal(got, want) {
			t.Fatalf("%q: %q\n got %v\nwant %v", tokens, text, got, want)
		}
	}
}

func backwards(s string) string {
	runes := []rune(s)
	slices.Reverse(runes)
	return string(runes)
}

func TestTextbookPLaMo2(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		tokens := append([]string{"<unk>"}, randomTokens(rng, "")...)
		scores, text := randomScores(rng, len(tokens)+256), fewLetters(rng, 40)
		ids := map[string]int{} // backwards, as the text is read
		for id, token := range tokens {
			ids[backwards(token)] = id
		}
		types := slices.Repeat([]int64{int64(Normal)}, len(tokens))
		for b := range 256 {
			tokens, types = append(tokens, byteText(byte(b))), append(types, int64(Byte))
		}
		round := func(id int) float64 { return math.Round(scores[id] * 1e4) }
		var want []int
		at, chars := 0, strings.Split(text, "")
		for _, id := range slices.Backward(bestSlowly(ids, round, strings.Split(backwards(text), ""), -1e7, -1)) {
			if id >= 0 {
				want = append(want, id)
				at += len([]rune(tokens[id]))
				continue
			}
			for _, b := range []byte(chars[at]) {
				want = append(want, slices.Index(tokens, byteText(b)))
			}
			at++
		}
		tok := build(t, map[string]any{"model": "plamo2", "tokens": tokens, "scores": scores, "token_type": types})
		if got := tok.Encode(text, Options{}); !slices.Equal(got, want) {
			t.Fatalf("%q: %q\n got %v\nwant %v", tokens[:len(tokens)-256], text, got, want)
		}
	}
}

// buildCharsmap writes a double array for rules, each node in a block of its
// own: for some thousand nodes at most.
func buildCharsmap(rules map[string]string) []int64 {
	type node struct {
		below map[byte]*node
		ends  bool
		text  string
	}
	root := &node{below: map[byte]*node{}}
	for from, to := range rules {
		n := root
		for _, b := range []byte(from) {
			if n.below[b] == nil {
				n.below[b] = &node{below: map[byte]*node{}}
			}
			n = n.below[b]
		}
		n.ends, n.text = true, to
	}
	units, texts := []uint32{0}, ""
	var place func(n *node, at uint32)
	place = func(n *node, at uint32) {
		block := uint32(len(units)+255) &^ 255
		units = append(units, make([]uint32, int(block)+256-len(units))...)
		units[at] |= (at ^ block) << 10
		if n.ends {
			units[at] |= unitEnds
			units[block] = 1<<31 | uint32(len(texts))
			texts += n.text + "\x00"
		}
		for b, child := range n.below {
			units[block^uint32(b)] |= uint32(b)
			place(child, block^uint32(b))
		}
	}
	place(root, 0)
	blob := binary.LittleEndian.AppendUint32(nil, uint32(4*len(units)))
	for _, u := range units {
		blob = binary.LittleEndian.AppendUint32(blob, u)
	}
	var ints []int64
	for _, b := range append(blob, texts...) {
		ints = append(ints, int64(b))
	}
	return ints
}

// TestTextbookCharsmap compares with a map of the rules.
func TestTextbookCharsmap(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 100 {
		rules, ids := map[string]string{}, map[string]int{}
		for range 1 + rng.IntN(12) {
			from := fewLetters(rng, 4)
			rules[from], ids[from] = fewLetters(rng, 3), 0
		}
		c, err := loadCharsmap(metadata{"precompiled_charsmap": buildCharsmap(rules)})
		if err != nil {
			t.Fatal(err)
		}
		for range 50 {
			text := fewLetters(rng, 6) + "\x00"
			_, n := longestSlowly(ids, text)
			if got, m := c.replace(text); got != rules[text[:n]] || m != n {
				t.Fatalf("%q: %q: %q, %d, want %q, %d", rules, text, got, m, rules[text[:n]], n)
			}
		}
	}
}
