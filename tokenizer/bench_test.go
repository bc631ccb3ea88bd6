package tokenizer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"straw/tokenizer"
)

// vocabularies for timing, in golden. The last two are toys.
var benchVocabs = []string{"vocab/ggml-vocab-llama-spm", "vocab/ggml-vocab-gpt-2", "vocab/ggml-vocab-llama-bpe", "vocab/ggml-vocab-qwen2",
	"vocab/ggml-vocab-gemma-4", "vocab/ggml-vocab-deepseek-llm", "vocab/ggml-vocab-bert-bge", "tiny/t5", "tiny/rwkv6"}

// story is the demo model's held-out text, about n bytes of it.
func story(b testing.TB, shared string, n int) string {
	text, err := os.ReadFile(filepath.Join(shared, "demo", "heldout.txt"))
	if err != nil {
		b.Fatal(err)
	}
	return strings.Repeat(string(text), n/len(text)+1)[:n]
}

func BenchmarkEncode(b *testing.B) {
	shared := sharedDir(b)
	if shared == "" {
		return
	}
	for _, name := range benchVocabs {
		tok := newTokenizer(b, openVocab(b, filepath.Join(shared, "golden", name+".gguf")))
		for _, text := range []struct{ name, text string }{
			{"prompt", story(b, shared, 1000)},
			{"story", story(b, shared, 1<<20)},
			{"spaces", strings.Repeat(" ", 1<<20)},
			{"letters", strings.Repeat("a", 1<<20)},
			{"han", strings.Repeat("天地玄黄宇宙洪荒日月盈昃辰宿列张", 1<<20/48)},
		} {
			b.Run(filepath.Base(name)+"/"+text.name, func(b *testing.B) {
				b.SetBytes(int64(len(text.text)))
				b.ReportAllocs()
				for b.Loop() {
					tok.Encode(text.text, tokenizer.Options{ParseSpecial: true})
				}
			})
		}
	}
}

func BenchmarkNew(b *testing.B) {
	shared := sharedDir(b)
	if shared == "" {
		return
	}
	for _, name := range benchVocabs {
		file := openVocab(b, filepath.Join(shared, "golden", name+".gguf"))
		b.Run(filepath.Base(name), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				newTokenizer(b, file)
			}
		})
	}
}
