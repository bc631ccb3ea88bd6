package tokenizer_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"straw/tokenizer"
)

// FuzzEncode checks that the pieces of a text are the text where the vocabulary
// has a token for every byte, and that ids are in the vocabulary.
func FuzzEncode(f *testing.F) {
	const p = "tokenizer.ggml."
	spm := newTokenizer(f, readVocab(f, "tiny-spm.vocab.json"))
	bpe := readVocab(f, "tiny-bpe.vocab.json")
	rwkv, plamo := newTokenizer(f, readVocab(f, "tiny-rwkv.vocab.json")), newTokenizer(f, readVocab(f, "plamo2.vocab.json"))
	var others []*tokenizer.Tokenizer
	for _, name := range []string{"tiny-wpm", "wpm-cased", "wpm-accents", "tiny-ugm", "ugm-charsmap", "ugm-spaces", "rwkv-escapes", "whitespace", "hybriddna"} {
		others = append(others, newTokenizer(f, readVocab(f, name+".vocab.json")))
	}
	var byPre []*tokenizer.Tokenizer
	for _, pre := range []string{"default", "gpt-2", "starcoder", "falcon", "chameleon", "llama-bpe", "jais-2", "qwen2", "qwen35", "exaone-moe", "tekken",
		"gpt-4o", "granite-embed-multi-97m", "tiny_aya", "youtu", "kimi-k2", "deepseek-v3", "spark2_5", "afmoe", "deepseek-llm", "deepseek-coder", "bloom", "viking", "superbpe"} {
		byPre = append(byPre, newTokenizer(f, bpe.with(p+"pre", pre)))
	}
	for i, text := range []string{"", " a", "Hello, World's  \n\n x\t", "1234567 ١٢٣", "天地 é\u0301 \xff\xC0\x80\xED\xA0\x80", "<s></s> <|im_end|>", "IMGIMGAZ<sentinel:3>", "\u3000 '’s 'LL", "ab\t①ﬁ <extra_id_0", "x[PAD1]日本", "<dna>acgtaca</dna>"} {
		f.Add(uint8(i), text)
	}
	f.Fuzz(func(t *testing.T, pre uint8, text string) {
		pieces := func(tok *tokenizer.Tokenizer, ids []int) string {
			var b strings.Builder
			for _, id := range ids {
				if id < 0 || id >= tok.Size() {
					t.Fatalf("%q: id %d", text, id)
				}
				b.Write(tok.Piece(id, true))
			}
			tok.Decode(ids, false)
			return b.String()
		}
		// A blank stays one where a byte before it, which is no character, swallows its first.
		spaced := strings.NewReplacer("▁", " ")
		if got, want := spaced.Replace(pieces(spm, spm.Encode(text, tokenizer.Options{}))), spaced.Replace(" "+text); got != want && text != "" {
			t.Errorf("SPM: %q, want %q", got, want)
		}
		tok := byPre[int(pre)%len(byPre)]
		if got := pieces(tok, tok.Encode(text, tokenizer.Options{})); utf8.ValidString(text) && got != text {
			t.Errorf("BPE: %q, want %q", got, text)
		}
		if got := pieces(rwkv, rwkv.Encode(text, tokenizer.Options{})); got != text {
			t.Errorf("RWKV: %q, want %q", got, text)
		}
		if got, want := pieces(plamo, plamo.Encode(text, tokenizer.Options{})), strings.TrimPrefix(text, "\uFEFF"); utf8.ValidString(text) && got != want {
			t.Errorf("PLaMo 2: %q, want %q", got, want)
		}
		for _, tok := range append(others, spm, rwkv, plamo) {
			pieces(tok, tok.Encode(text, tokenizer.Options{AddSpecial: true, ParseSpecial: true}))
		}
	})
}

// FuzzCharsmap checks that no charsmap that is accepted makes a text panic.
func FuzzCharsmap(f *testing.F) {
	const key = "tokenizer.ggml.precompiled_charsmap"
	ugm := readVocab(f, "ugm-charsmap.vocab.json")
	var seed []byte
	for _, x := range ugm[key].([]int64) {
		seed = append(seed, byte(x))
	}
	f.Add(seed, "abc \t①")
	f.Add(seed[:len(seed)-1], "ab")
	f.Add([]byte{8, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0x80, 'a', 0}, "\x01")
	f.Fuzz(func(t *testing.T, charsmap []byte, text string) {
		ints := make([]int64, len(charsmap))
		for i, b := range charsmap {
			ints[i] = int64(b)
		}
		tok, err := tokenizer.New(ugm.with(key, ints))
		if err != nil {
			return
		}
		for _, id := range tok.Encode(text, tokenizer.Options{}) {
			if id < 0 || id >= tok.Size() {
				t.Fatalf("%q: id %d", text, id)
			}
		}
	})
}
