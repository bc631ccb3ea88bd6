package tokenizer_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"straw/tokenizer"
)

// FuzzEncode checks that the pieces of a text are the text: both vocabularies
// have a token for every byte.
func FuzzEncode(f *testing.F) {
	const p = "tokenizer.ggml."
	spm := newTokenizer(f, readVocab(f, "tiny-spm.vocab.json"))
	bpe := readVocab(f, "tiny-bpe.vocab.json")
	var byPre []*tokenizer.Tokenizer
	for _, pre := range []string{"default", "gpt-2", "starcoder", "falcon", "chameleon", "llama-bpe", "jais-2", "qwen2", "qwen35", "exaone-moe", "tekken",
		"gpt-4o", "granite-embed-multi-97m", "tiny_aya", "youtu", "kimi-k2", "deepseek-v3", "spark2_5", "afmoe", "deepseek-llm", "deepseek-coder", "bloom", "viking", "superbpe"} {
		byPre = append(byPre, newTokenizer(f, bpe.with(p+"pre", pre)))
	}
	for i, text := range []string{"", " a", "Hello, World's  \n\n x\t", "1234567 ١٢٣", "天地 é\u0301 \xff\xC0\x80\xED\xA0\x80", "<s></s> <|im_end|>", "IMGIMGAZ<sentinel:3>", "\u3000 '’s 'LL"} {
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
		pieces(spm, spm.Encode(text, tokenizer.Options{AddSpecial: true, ParseSpecial: true}))
	})
}
