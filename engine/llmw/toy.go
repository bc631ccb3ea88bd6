package llmw

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	kernels "straw"
	"straw/quant"
)

// Toy is a model of random weights in the llama architecture: norms of 1, all else of normal distribution with
// deviation 0.02.
type Toy struct {
	Layers, Dim, Heads, KVHeads, Hidden, Vocab, Context int
	Type                                                quant.Type // of the matrices: F32, F16 or Q8_0
	Seed                                                uint64
}

// DefaultToy is small enough for a test to run it in a moment.
var DefaultToy = Toy{Layers: 2, Dim: 32, Heads: 2, KVHeads: 2, Hidden: 64, Vocab: 48, Context: 128, Type: quant.F32, Seed: 1234}

// Write writes the model. The same values give the same bytes everywhere.
func (t Toy) Write(w io.Writer) error {
	r := random{t.Seed}
	metadata := []KV{
		{"general.architecture", "llama"},
		{"general.name", "toy"},
		{"llama.block_count", int64(t.Layers)},
		{"llama.context_length", int64(t.Context)},
		{"llama.embedding_length", int64(t.Dim)},
		{"llama.feed_forward_length", int64(t.Hidden)},
		{"llama.attention.head_count", int64(t.Heads)},
		{"llama.attention.head_count_kv", int64(t.KVHeads)},
		{"llama.attention.layer_norm_rms_epsilon", 1e-5},
		{"llama.rope.freq_base", 1e4},
	}
	var tensors []Tensor
	var failed error
	matrix := func(name string, rows, k int) {
		data, err := Pack(t.Type, r.normals(rows*k, 0.02))
		if err != nil {
			failed = fmt.Errorf("tensor %q: %w", name, err)
		}
		tensors = append(tensors, Tensor{name + ".weight", t.Type, []int64{int64(rows), int64(k)}, data})
	}
	ones := func(name string) {
		v := make([]float32, t.Dim)
		for i := range v {
			v[i] = 1
		}
		data, err := Pack(quant.F32, v)
		if err != nil {
			failed = err
		}
		tensors = append(tensors, Tensor{name + ".weight", quant.F32, []int64{int64(t.Dim)}, data})
	}
	matrix("token_embd", t.Vocab, t.Dim)
	kv := t.Dim / t.Heads * t.KVHeads
	for i := range t.Layers {
		blk := fmt.Sprintf("blk.%d.", i)
		ones(blk + "attn_norm")
		matrix(blk+"attn_q", t.Dim, t.Dim)
		matrix(blk+"attn_k", kv, t.Dim)
		matrix(blk+"attn_v", kv, t.Dim)
		matrix(blk+"attn_output", t.Dim, t.Dim)
		ones(blk + "ffn_norm")
		matrix(blk+"ffn_gate", t.Hidden, t.Dim)
		matrix(blk+"ffn_up", t.Hidden, t.Dim)
		matrix(blk+"ffn_down", t.Dim, t.Hidden)
	}
	ones("output_norm")
	matrix("output", t.Vocab, t.Dim)
	if failed != nil {
		return failed
	}
	return Write(w, metadata, tensors)
}

// Pack is v in type F32, F16, BF16 or Q8_0.
func Pack(t quant.Type, v []float32) ([]byte, error) {
	le := binary.LittleEndian
	var b []byte
	switch t {
	case quant.F32:
		for _, x := range v {
			b = le.AppendUint32(b, math.Float32bits(x))
		}
	case quant.F16:
		for _, x := range v {
			b = le.AppendUint16(b, kernels.ToF16(x))
		}
	case quant.BF16:
		for _, x := range v {
			b = le.AppendUint16(b, kernels.ToBF16(x))
		}
	case quant.Q8_0:
		if len(v)%32 != 0 {
			return nil, errors.New("not whole blocks of Q8_0")
		}
		for ; len(v) > 0; v = v[32:] {
			most := float32(0)
			for _, x := range v[:32] {
				most = max(most, x, -x)
			}
			d := most / 127
			b = le.AppendUint16(b, kernels.ToF16(d))
			for _, x := range v[:32] {
				q := float64(0)
				if d > 0 {
					q = math.Round(float64(x / d))
				}
				b = append(b, byte(int8(q)))
			}
		}
	default:
		return nil, fmt.Errorf("cannot pack %s", t)
	}
	return b, nil
}

// random is splitmix64 (Steele, Lea, Flood 2014).
type random struct{ state uint64 }

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// normals is n numbers that are nearly normal: the sum of 12 uniform ones, which needs no platform's logarithm.
func (r *random) normals(n int, deviation float32) []float32 {
	v := make([]float32, n)
	for i := range v {
		sum := float32(-6)
		for range 12 {
			sum += float32(r.next()>>40) / (1 << 24)
		}
		v[i] = sum * deviation
	}
	return v
}
