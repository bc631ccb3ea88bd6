package quantize

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"straw/gguf"
	"straw/quant"
)

// wave is a file with one F32 matrix of rows of 512 and more than a few pieces, and a norm.
func wave(t *testing.T, rows int, change func(x []float32)) *gguf.File {
	t.Helper()
	x := make([]float32, 512*rows)
	for i := range x {
		x[i] = float32(i*7919%1000-500) / 1000
	}
	if change != nil {
		change(x)
	}
	data := make([]byte, 4*len(x))
	for i, v := range x {
		binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(v))
	}
	var d gguf.Draft
	for key, v := range map[string]any{"general.architecture": "llama", "split.no": uint16(0), "split.count": uint16(1), "split.tensors.count": int32(2), "tokenizer.ggml.tokens": []string{"a", "b"}} {
		value, _ := gguf.ValueOf(v)
		d.Set(key, value)
	}
	add := func(name string, dims []uint64, data []byte) {
		if err := d.Add(name, dims, quant.F32, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
			t.Fatal(err)
		}
	}
	add("blk.0.ffn_up.weight", []uint64{512, uint64(rows)}, data)
	add("blk.0.ffn_norm.weight", []uint64{512}, data[:2048])
	var b bytes.Buffer
	if _, err := d.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	f, err := gguf.Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The bytes do not depend on the number of threads, and are those of the whole tensor at once.
func TestWriteThreads(t *testing.T) {
	f := wave(t, 2000, nil)
	x := values(t, f, "blk.0.ffn_up.weight")
	whole := make([]byte, quant.Q4_K.Bytes(len(x)))
	if err := quant.Quantize(quant.Q4_K, whole, x); err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{0, 1, 2, 3, 16} {
		last := int64(0)
		g := converted(t, f, Options{Mix: mix(t, "Q4_K_S"), Threads: threads, Progress: func(done, total int64) {
			if done <= last || total != 4*512*2001 {
				t.Errorf("progress %d of %d after %d", done, total, last)
			}
			last = done
		}})
		p := make([]byte, len(whole))
		if err := g.ReadTensorAt("blk.0.ffn_up.weight", p, 0); err != nil || !bytes.Equal(p, whole) {
			t.Errorf("%d threads: other bytes, %v", threads, err)
		}
		if last != 4*512*2001 {
			t.Errorf("%d threads: progress ends at %d", threads, last)
		}
		for key, want := range map[string]bool{"split.no": false, "split.count": false, "split.tensors.count": false, "tokenizer.ggml.tokens": true,
			"general.file_type": true, "general.quantization_version": true} {
			if _, ok := g.Value(key); ok != want {
				t.Errorf("%s: there %v, want %v", key, ok, want)
			}
		}
	}
}

func TestWriteFaults(t *testing.T) {
	var bad *Error
	nan := wave(t, 1000, func(x []float32) { x[512*700+13] = float32(math.NaN()) })
	j, err := Plan(nan, Options{Mix: mix(t, "Q8_0"), Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	err = j.Write(context.Background(), io.Discard)
	if !errors.As(err, &bad) || bad.Kind() != "format" || !strings.Contains(err.Error(), `tensor "blk.0.ffn_up.weight": the value at row 700, column 13 is NaN, which Q8_0 cannot hold`) {
		t.Errorf("NaN: %v", err)
	}
	if g := converted(t, nan, Options{Mix: mix(t, "BF16"), Threads: 2}); !math.IsNaN(float64(values(t, g, "blk.0.ffn_up.weight")[512*700+13])) {
		t.Error("a NaN is lost in BF16")
	}
	big := wave(t, 2, func(x []float32) { x[3] = 1e6 })
	for _, name := range []string{"F16", "Q4_0"} {
		j, err := Plan(big, Options{Mix: mix(t, name)})
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Write(context.Background(), io.Discard); err == nil || !strings.Contains(err.Error(), "row 0, column 3 is 1e+06") {
			t.Errorf("%s: a large value: %v", name, err)
		}
	}

	full := errors.New("disk full")
	j, _ = Plan(wave(t, 2000, nil), Options{Mix: mix(t, "Q8_0"), Threads: 2})
	if err := j.Write(context.Background(), failing{full}); !errors.Is(err, full) {
		t.Errorf("a writer's error: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	j, _ = Plan(wave(t, 2000, nil), Options{Mix: mix(t, "Q8_0"), Threads: 2, Progress: func(done, total int64) {
		if done > total/2 {
			cancel()
		}
	}})
	if err := j.Write(ctx, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}

	if _, err := Plan(made(t, nil, nil), Options{Mix: mix(t, "Q8_0")}); !errors.As(err, &bad) || bad.Kind() != "unsupported" {
		t.Errorf("no tensors: %v", err)
	}
	q := made(t, nil, []tensor{{"output.weight", []uint64{256, 2}, quant.Q4_K}})
	if _, err := Plan(q, Options{Mix: mix(t, "Q8_0")}); err == nil || !strings.Contains(err.Error(), "it is Q4_K already and loses more as Q8_0") {
		t.Errorf("quantized already: %v", err)
	}
	for _, name := range []string{"F16", "F32"} {
		if _, err := Plan(q, Options{Mix: mix(t, name)}); err != nil {
			t.Errorf("back to %s: %v", name, err)
		}
	}
	if _, err := Plan(q, Options{Mix: mix(t, "Q8_0"), Output: quant.IQ2_XXS, Requantize: true}); err == nil || !strings.Contains(err.Error(), "IQ2_XXS cannot be written") {
		t.Errorf("no quantizer: %v", err)
	}
}

type failing struct{ err error }

func (w failing) Write(p []byte) (int, error) { return 0, w.err }

// A set of shards becomes one file.
func TestWriteShards(t *testing.T) {
	f := open(t, "../../testdata/corpus/good/split_3/m-00001-of-00003.gguf")
	g := converted(t, f, Options{Mix: mix(t, "BF16"), Threads: 2})
	if len(f.Shards) != 3 || len(g.Shards) != 1 || len(g.Tensors) != len(f.Tensors) {
		t.Fatalf("%d shards of %d tensors became %d of %d", len(f.Shards), len(f.Tensors), len(g.Shards), len(g.Tensors))
	}
	if v, ok := g.Value("split.count"); ok {
		t.Errorf("split.count is still there: %v", v)
	}
	for _, x := range f.Tensors {
		if !x.Type.Live() || distance(t, f, g, x.Name) > 0.01 {
			t.Errorf("%s differs", x.Name)
		}
	}
}
