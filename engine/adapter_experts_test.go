package engine_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"slices"
	"testing"

	"straw/engine"
	"straw/engine/llmw"
	"straw/gguf"
	"straw/quant"
)

// changed is a source with other values, as F32, in some tensors.
type changed struct {
	engine.WeightSource
	values map[string][]float32
}

func (c changed) TensorInfo(name string) (quant.Type, []int64, bool) {
	t, dims, ok := c.WeightSource.TensorInfo(name)
	if c.values[name] != nil {
		t = quant.F32
	}
	return t, dims, ok
}

func (c changed) ReadTensorAt(name string, p []byte, off int64) error {
	v := c.values[name]
	if v == nil {
		return c.WeightSource.ReadTensorAt(name, p, off)
	}
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	copy(p, b[off:])
	return nil
}

// Every expert and every head that has a matrix of its own has its own A and B.
func TestAdapterExperts(t *testing.T) {
	const rank, scale = 3, 0.5
	for name, tensors := range map[string][]string{
		"grovemoe": {"blk.0.ffn_gate_exps.weight", "blk.1.ffn_up_exps.weight", "blk.1.ffn_down_exps.weight", "blk.0.ffn_up_chexps.weight", "blk.0.ffn_gate_inp.weight"},
		"deepseek2": {"blk.0.attn_k_b.weight", "blk.1.attn_v_b.weight", "blk.1.ffn_down_exps.weight", "blk.0.attn_q_b.weight",
			"blk.1.attn_kv_a_mqa.weight"},
	} {
		f, err := gguf.OpenFS(os.DirFS("../testdata/tiny"), name+".gguf")
		if err != nil {
			t.Fatal(err)
		}
		other := changed{f, map[string][]float32{}}
		var pairs []llmw.Tensor
		for _, base := range tensors {
			typ, dims, ok := f.TensorInfo(base)
			if !ok {
				t.Fatalf("%s has no %s", name, base)
			}
			k, rows, n := int(dims[0]), int(dims[1]), 1
			var outer []int64
			if len(dims) == 3 {
				n, outer = int(dims[2]), dims[2:]
			}
			a, b := values(base+"a", n*rank*k), values(base+"b", n*rows*rank)
			packed := make([]byte, typ.Bytes(n*rows*k))
			if err := f.ReadTensorAt(base, packed, 0); err != nil {
				t.Fatal(err)
			}
			w := make([]float32, n*rows*k)
			quant.Dequantize(typ, w, packed)
			for i := range w {
				r, j := i/k, i%k // r counts the rows of all
				sum := float64(w[i])
				for x := range rank {
					sum += scale * float64(b[r*rank+x]) * float64(a[(r/rows*rank+x)*k+j])
				}
				w[i] = float32(sum)
			}
			other.values[base] = w
			for _, m := range []struct {
				suffix  string
				rows, k int
				values  []float32
			}{{".lora_a", rank, k, a}, {".lora_b", rows, rank, b}} {
				data, err := llmw.Pack(quant.F32, m.values)
				if err != nil {
					t.Fatal(err)
				}
				shape := append(slices.Clone(outer), int64(m.rows), int64(m.k))
				pairs = append(pairs, llmw.Tensor{Name: base + m.suffix, Type: quant.F32, Shape: shape, Data: data})
			}
		}
		var file bytes.Buffer
		if err := llmw.Write(&file, []llmw.KV{{Key: "general.type", Value: "adapter"}, {Key: "adapter.type", Value: "lora"},
			{Key: "general.architecture", Value: name}}, pairs); err != nil {
			t.Fatal(err)
		}
		adapter, err := llmw.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil {
			t.Fatal(err)
		}
		m := describe(t, f)
		o := engine.Options{Threads: 2, Resident: true, Adapters: []engine.Adapter{{Source: adapter, Scale: scale}}}
		got := eval(t, session(t, m, o), someTokens, true)
		var want [][]float64
		for _, row := range eval(t, session(t, describe(t, other), engine.Options{Threads: 2}), someTokens, true) {
			wide := make([]float64, len(row))
			for i, v := range row {
				wide[i] = float64(v)
			}
			want = append(want, wide)
		}
		if d := distance(got, want); d > 1e-5 {
			t.Errorf("%s: logits are off by %.2g of their spread", name, d)
		}
		if d := distance(eval(t, session(t, m, engine.Options{}), someTokens, true), want); d < 1e-3 {
			t.Errorf("%s: the adapter changes only %.2g", name, d)
		}
		o.Resident, o.Batch = false, 1
		if !slices.Equal(bits(eval(t, session(t, m, o), someTokens, true)), bits(got)) {
			t.Errorf("%s: streamed, token by token, it gives other bits", name)
		}
	}
}
