package gguf

import (
	"bytes"
	"testing"
)

// The header of a model with Qwen2.5's vocabulary: 152,000 tokens and as many merges.
func BenchmarkOpen(b *testing.B) {
	file := vocabulary(152_000)
	r := bytes.NewReader(file)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Open(r, int64(len(file))); err != nil {
			b.Fatal(err)
		}
	}
}

// All tokens as Go strings.
func BenchmarkGetTokens(b *testing.B) {
	f, err := openBytes(vocabulary(152_000))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Get("tokenizer.ggml.tokens"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOneToken(b *testing.B) {
	f, err := openBytes(vocabulary(152_000))
	if err != nil {
		b.Fatal(err)
	}
	v, _ := f.Value("tokenizer.ggml.tokens")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := v.Slice(100_000, 1); err != nil {
			b.Fatal(err)
		}
	}
}
