package engine_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	kernels "straw"
	"straw/engine"
	"straw/engine/arch"
	"straw/quant"
)

// extended is a file with keys changed and float32 tensors added, whose values are small whole numbers.
type extended struct {
	edited
	added map[string][]int64 // dims, the row length first
}

func (e extended) TensorInfo(name string) (quant.Type, []int64, bool) {
	if dims, ok := e.added[name]; ok {
		return quant.F32, dims, true
	}
	return e.edited.TensorInfo(name)
}

func (e extended) ReadTensorAt(name string, p []byte, off int64) error {
	if _, ok := e.added[name]; !ok {
		return e.File.ReadTensorAt(name, p, off)
	}
	for i := range p {
		at := int(off) + i
		p[i] = byte(math.Float32bits(added(at/4)) >> (at % 4 * 8))
	}
	return nil
}

// added is element i of an added tensor.
func added(i int) float32 { return float32(i%7-3) / 8 }

func addedLinear(rows int, x []float32, bias bool) []float32 {
	y := make([]float32, rows)
	for r := range y {
		for k, v := range x {
			y[r] += added(r*len(x)+k) * v
		}
		if bias {
			y[r] += added(r)
		}
	}
	return y
}

func embed(t *testing.T, s *engine.Session, ids []int, p engine.Pooling) [][]float32 {
	t.Helper()
	rows, err := s.Embed(context.Background(), ids, p)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestPooling(t *testing.T) {
	ids := []int{2, 176, 93, 264, 3}
	for _, name := range []string{"bert", "llama", "t5"} {
		m := describe(t, open(t, "../testdata/tiny/"+name+".gguf"))
		s := session(t, m, engine.Options{Batch: 2})
		all := embed(t, s, ids, engine.PoolNone)
		if len(all) != len(ids) || len(all[0]) != m.Embd || s.Len() != 0 {
			t.Fatalf("%s: %d rows of %d, %d tokens are left", name, len(all), len(all[0]), s.Len())
		}
		mean := make([]float32, m.Embd)
		for _, row := range all {
			for i, v := range row {
				mean[i] += v / float32(len(ids))
			}
		}
		for p, want := range map[engine.Pooling][]float32{
			engine.PoolMean: mean, engine.PoolCLS: all[0], engine.PoolLast: all[len(ids)-1],
		} {
			got := embed(t, s, ids, p)
			if len(got) != 1 || worst(got[0], want) > 1e-6 {
				t.Errorf("%s, pooling %d: %d rows, off by %g", name, p, len(got), worst(got[0], want))
			}
		}
		if name == "llama" { // the rows are those of which the logits are made
			rows := eval(t, s, ids, true)
			again := embed(t, s, ids, engine.PoolLast)
			if len(rows[0]) != m.Vocab || !slices.Equal(again[0], all[len(ids)-1]) {
				t.Error("logits and embeddings disturb each other")
			}
		}
	}
}

// A ranker's score is cls.output(tanh(cls(the first row))).
func TestClassifier(t *testing.T) {
	f := open(t, "../testdata/tiny/bert.gguf")
	plain := session(t, describe(t, f), engine.Options{})
	ids := []int{2, 176, 93, 264, 3}
	x := embed(t, plain, ids, engine.PoolCLS)[0]
	src := extended{edited{File: f, values: map[string]any{
		"bert.pooling_type": int64(4), "bert.classifier.output_labels": []string{"no", "perhaps", "yes"},
	}}, map[string][]int64{
		"cls.weight": {64, 64}, "cls.bias": {64}, "cls.output.weight": {64, 3}, "cls.output.bias": {3},
	}}
	m := describe(t, src)
	if m.EmbeddingSize() != 3 || !m.Output.Scores || len(m.Findings) > 0 {
		t.Fatalf("%d scores (%v), findings %v", m.EmbeddingSize(), m.Output.Scores, m.Findings)
	}
	h := addedLinear(64, x, true)
	for i, v := range h {
		h[i] = kernels.Tanh(v)
	}
	want := addedLinear(3, h, true)
	got := embed(t, session(t, m, engine.Options{}), ids, m.Output.Pooling)
	if len(got) != 1 || worst(got[0], want) > 1e-5 {
		t.Errorf("scores are %v, want %v", got, want)
	}
}

// What sees all tokens at once is one batch, whatever the session's.
func TestWhole(t *testing.T) {
	m := describe(t, open(t, "../testdata/tiny/bert.gguf"))
	ids := make([]int, 200)
	for i := range ids {
		ids[i] = 5 + i*7%300
	}
	want := embed(t, session(t, m, engine.Options{}), ids, engine.PoolMean)
	s := session(t, m, engine.Options{Batch: 3, Threads: 2})
	if got := embed(t, s, ids, engine.PoolMean); !slices.Equal(got[0], want[0]) {
		t.Error("the batch changes the embedding")
	}
	eval(t, s, ids[:4], true)
	if _, err := s.Eval(context.Background(), ids[:1], false); err == nil || !strings.Contains(err.Error(), "sees all tokens at once") {
		t.Errorf("more tokens: %v", err)
	}
	if _, err := s.Embed(context.Background(), slices.Repeat(ids, 2), engine.PoolMean); err == nil {
		t.Error("400 tokens fit 256 positions")
	}
	if _, err := s.Embed(context.Background(), nil, engine.PoolMean); err == nil {
		t.Error("no tokens have an embedding")
	}
}

func TestEncode(t *testing.T) {
	ctx := context.Background()
	m := describe(t, open(t, "../testdata/tiny/t5.gguf"))
	s := session(t, m, engine.Options{})
	if _, err := s.Eval(ctx, []int{0}, false); err == nil || !strings.Contains(err.Error(), "nothing to look at") {
		t.Errorf("decoding without a text: %v", err)
	}
	if err := s.Encode(ctx, []int{5, 320}); err == nil {
		t.Error("token 320 of 320 is encoded")
	}
	first := func(ids []int) []float32 {
		t.Helper()
		if err := s.Encode(ctx, ids); err != nil {
			t.Fatal(err)
		}
		return eval(t, s, []int{m.Encoder.Start}, false)[0]
	}
	a := first([]int{80, 251, 209, 1})
	b := first([]int{80, 251})
	if slices.Equal(a, b) || !slices.Equal(first([]int{80, 251, 209, 1}), a) {
		t.Error("a second text is not read as the first was")
	}
	streamed, err := m.NewPartlyResident(engine.Options{}, func(*engine.Tensor) bool { return false }, 3000, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer streamed.Close()
	if err := streamed.Encode(ctx, []int{80, 251, 209, 1}); err != nil {
		t.Fatal(err)
	}
	if got := eval(t, streamed, []int{m.Encoder.Start}, false)[0]; !slices.Equal(got, a) {
		t.Error("streamed weights give other bits")
	}
	var decoder, before int64 // bytes
	for _, x := range m.Tensors() {
		if x.Layer >= m.Encoder.Layers || x.Role == arch.OutputMatrix {
			decoder += x.Bytes
		}
	}
	before = streamed.Stats().BytesRead
	for range 5 {
		eval(t, streamed, []int{7}, false)
	}
	if n := streamed.Stats().BytesRead - before; n > 5*decoder+4*3000 {
		t.Errorf("5 tokens read %d bytes, 5 times the decoder are %d", n, 5*decoder)
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if err := s.Encode(done, []int{80}); err == nil {
		t.Error("a cancelled context encodes")
	}
	if _, err := s.Eval(ctx, []int{0}, false); err == nil {
		t.Error("a text half read can be decoded from")
	}
	llama := session(t, describe(t, open(t, "../testdata/tiny/llama.gguf")), engine.Options{})
	if err := llama.Encode(ctx, []int{1}); err == nil || !strings.Contains(err.Error(), "no encoder") {
		t.Errorf("llama encodes: %v", err)
	}
}
