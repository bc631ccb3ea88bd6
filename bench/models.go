package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"straw/gguf"
	"straw/internal/quantize"
)

// modelFile is a model to compare with.
type modelFile struct {
	path string
	size int64
	name string // "shape type", or the file's
}

func (m *modelFile) label() string { return m.name }

// everyModel is the models of docs/performance.md, in its order.
func everyModel() (names []string) {
	for _, shape := range []string{"llama-1b", "qwen2.5-0.5b"} {
		for _, typ := range []string{"Q8_0", "Q4_0", "Q4_K_M", "Q6_K", "F16"} {
			names = append(names, shape+":"+typ)
		}
	}
	return names
}

// findModel is the model of that name: a file, or a shape and a type, which is made if dir has it not.
func findModel(ctx context.Context, name, dir string, log io.Writer) (*modelFile, error) {
	shape, typ, made := strings.Cut(name, ":")
	path, label := name, filepath.Base(name)
	if made && !strings.HasSuffix(name, ".gguf") {
		s, known := shapes[shape]
		mix, ok := quantize.ParseMix(typ)
		if !known || !ok {
			return nil, fmt.Errorf("model %q: no file, and not SHAPE:TYPE of what can be made; see -help", name)
		}
		path, label = filepath.Join(dir, shape+"-"+mix.Name+".gguf"), shape+" "+mix.Name
		if err := s.make(ctx, path, mix, log); err != nil {
			return nil, fmt.Errorf("making %s: %w", path, err)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	return &modelFile{path, info.Size(), label}, nil
}

// make writes the model to path, if it is not there: the noise in F16 first, beside it, and from that the other types.
func (s *shape) make(ctx context.Context, path string, mix quantize.Mix, log io.Writer) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	fmt.Fprintf(log, "making %s\n", path)
	if mix.Name == "F16" {
		return whole(path, func(w io.Writer) error {
			d, err := s.draft()
			if err == nil {
				_, err = d.WriteTo(w)
			}
			return err
		})
	}
	base := strings.TrimSuffix(path, mix.Name+".gguf") + "F16.gguf"
	f16, _ := quantize.ParseMix("F16")
	if err := s.make(ctx, base, f16, log); err != nil {
		return err
	}
	in, err := os.Open(base)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	f, err := gguf.Open(in, info.Size())
	if err != nil {
		return err
	}
	job, err := quantize.Plan(f, quantize.Options{Mix: mix, Threads: runtime.GOMAXPROCS(0)})
	if err != nil {
		return err
	}
	return whole(path, func(w io.Writer) error { return job.Write(ctx, w) })
}

// whole writes a file that is there only when all of it was written.
func whole(path string, write func(w io.Writer) error) error {
	part := path + ".part"
	f, err := os.Create(part)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	err = write(w)
	if err = errors.Join(err, w.Flush(), f.Close()); err != nil {
		os.Remove(part)
		return err
	}
	return os.Rename(part, path)
}

// shape is the size of a known model.
type shape struct {
	arch                  string
	layers, dim, ffn      int
	heads, kvHeads, width int // width of a head
	vocab                 int
	theta, eps            float32
	bias                  bool // of queries, keys and values
}

var shapes = map[string]*shape{
	"llama-1b":     {"llama", 16, 2048, 8192, 32, 8, 64, 32000, 5e5, 1e-5, false},
	"qwen2.5-0.5b": {"qwen2", 24, 896, 4864, 14, 2, 64, 151936, 1e6, 1e-6, true},
}

// draft is a model of that shape in F16, with random weights. Its output matrix is the embedding's, and its vocabulary
// has nothing but bytes and made-up words.
func (s *shape) draft() (*gguf.Draft, error) {
	d := &gguf.Draft{}
	for _, kv := range s.keys() {
		v, ok := gguf.ValueOf(kv.value)
		if !ok {
			return nil, fmt.Errorf("key %s has no value", kv.key)
		}
		d.Set(kv.key, v)
	}
	n := newNoise()
	var errs []error
	add := func(name string, spread, mean float32, dims ...int) {
		errs = append(errs, n.add(d, name, spread, mean, dims))
	}
	q, kv := s.heads*s.width, s.kvHeads*s.width
	sq := 1 / squareRoot(s.dim)
	add("token_embd.weight", 0.05, 0, s.dim, s.vocab)
	add("output_norm.weight", 0.1, 1, s.dim)
	for i := range s.layers {
		b := fmt.Sprintf("blk.%d.", i)
		add(b+"attn_norm.weight", 0.1, 1, s.dim)
		add(b+"attn_q.weight", sq, 0, s.dim, q)
		add(b+"attn_k.weight", sq, 0, s.dim, kv)
		add(b+"attn_v.weight", sq, 0, s.dim, kv)
		if s.bias {
			add(b+"attn_q.bias", 0.2, 0, q)
			add(b+"attn_k.bias", 0.2, 0, kv)
			add(b+"attn_v.bias", 0.2, 0, kv)
		}
		layers := squareRoot(s.layers) // the sum over all layers stays of the size of one
		add(b+"attn_output.weight", 1/squareRoot(q)/layers, 0, q, s.dim)
		add(b+"ffn_norm.weight", 0.1, 1, s.dim)
		add(b+"ffn_gate.weight", sq, 0, s.dim, s.ffn)
		add(b+"ffn_up.weight", sq, 0, s.dim, s.ffn)
		add(b+"ffn_down.weight", 1/squareRoot(s.ffn)/layers, 0, s.ffn, s.dim)
	}
	return d, errors.Join(errs...)
}

type keyValue struct {
	key   string
	value any
}

func (s *shape) keys() []keyValue {
	tokens := []string{"<unk>", "<s>", "</s>"}
	types := []int32{2, 3, 3}
	for b := range 256 {
		tokens, types = append(tokens, fmt.Sprintf("<0x%02X>", b)), append(types, 6)
	}
	for i := len(tokens); i < s.vocab; i++ {
		tokens, types = append(tokens, fmt.Sprintf("\u2581w%d", i)), append(types, 1)
	}
	a := s.arch + "."
	return []keyValue{
		{"general.architecture", s.arch}, {"general.type", "model"}, {"general.name", "random weights, for measurements only"},
		{"general.file_type", uint32(1)},
		{a + "block_count", uint32(s.layers)}, {a + "context_length", uint32(32768)}, {a + "embedding_length", uint32(s.dim)},
		{a + "feed_forward_length", uint32(s.ffn)}, {a + "attention.head_count", uint32(s.heads)}, {a + "attention.head_count_kv", uint32(s.kvHeads)},
		{a + "rope.freq_base", s.theta}, {a + "rope.dimension_count", uint32(s.width)}, {a + "attention.layer_norm_rms_epsilon", s.eps},
		{a + "vocab_size", uint32(s.vocab)},
		{"tokenizer.ggml.model", "llama"}, {"tokenizer.ggml.tokens", tokens}, {"tokenizer.ggml.token_type", types},
		{"tokenizer.ggml.scores", slices.Repeat([]float32{0}, s.vocab)},
		{"tokenizer.ggml.bos_token_id", uint32(1)}, {"tokenizer.ggml.eos_token_id", uint32(2)}, {"tokenizer.ggml.unknown_token_id", uint32(0)},
	}
}
