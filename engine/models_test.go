package engine_test

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"straw/engine"
	"straw/engine/llmw"
	"straw/quant"
)

// recipe is a small model of random weights to be made in memory.
type recipe struct {
	arch     string
	metadata map[string]any // changes to the usual keys, without the architecture; nil takes one away
	extra    []string       // tensors beyond the required ones: "attn_q.bias" stands for every layer's
	without  []string       // tensors left out
	typ      quant.Type     // of the matrices
}

const (
	layers, embd, hidden, vocab = 3, 64, 96, 80
	heads, kvHeads              = 4, 2
)

// file is the model as an .llmw file.
func (r recipe) file(t testing.TB) *llmw.File {
	t.Helper()
	b := r.bytes(t)
	f, err := llmw.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (r recipe) bytes(t testing.TB) []byte {
	t.Helper()
	keys := map[string]any{
		"block_count": int64(layers), "context_length": int64(256), "embedding_length": int64(embd),
		"feed_forward_length": int64(hidden), "attention.head_count": int64(heads), "attention.head_count_kv": int64(kvHeads),
		"attention.layer_norm_rms_epsilon": 1e-5,
	}
	maps.Copy(keys, r.metadata)
	metadata := []llmw.KV{{Key: "general.architecture", Value: r.arch}}
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if keys[k] != nil {
			metadata = append(metadata, llmw.KV{Key: r.arch + "." + k, Value: keys[k]})
		}
	}
	number := func(key string, def int) int {
		if n, ok := keys[key].(int64); ok {
			return int(n)
		}
		return def
	}
	keyDim, valueDim := number("attention.key_length", embd/heads), number("attention.value_length", embd/heads)
	q, k, v := heads*keyDim, kvHeads*keyDim, kvHeads*valueDim
	shapes := map[string][]int{
		"token_embd.weight": {vocab, embd}, "output_norm.weight": {embd}, "output.weight": {vocab, embd}, "output.bias": {vocab},
		"output.scale": {1}, "rope_freqs.weight": {number("rope.dimension_count", keyDim) / 2},
		"attn_norm.weight": {embd}, "ffn_norm.weight": {embd},
		"attn_q.weight": {q, embd}, "attn_k.weight": {k, embd}, "attn_v.weight": {v, embd}, "attn_output.weight": {embd, heads * valueDim},
		"attn_qkv.weight": {q + k + v, embd}, "attn_q_norm.weight": {keyDim}, "attn_k_norm.weight": {keyDim},
		"ffn_gate.weight": {hidden, embd}, "ffn_up.weight": {hidden, embd}, "ffn_down.weight": {embd, hidden},
	}
	names := []string{"attn_norm.weight", "attn_q.weight", "attn_k.weight", "attn_v.weight", "attn_output.weight",
		"ffn_norm.weight", "ffn_gate.weight", "ffn_up.weight", "ffn_down.weight",
		"token_embd.weight", "output_norm.weight", "output.weight"}
	if r.arch == "qwen3" {
		names = append(names, "attn_q_norm.weight", "attn_k_norm.weight")
	}
	names = append(names, r.extra...)
	var tensors []llmw.Tensor
	add := func(name string, shape []int) {
		n, shape64 := 1, []int64(nil)
		for _, d := range shape {
			n, shape64 = n*d, append(shape64, int64(d))
		}
		typ := quant.F32
		if len(shape) == 2 {
			typ = r.typ
		}
		data, err := llmw.Pack(typ, values(name, n))
		if err != nil {
			t.Fatal(err)
		}
		tensors = append(tensors, llmw.Tensor{Name: name, Type: typ, Shape: shape64, Data: data})
	}
	for _, name := range names {
		if slices.Contains(r.without, name) {
			continue
		}
		shape := shapes[name]
		if base, part, _ := strings.Cut(name, "."); shape == nil && part == "bias" {
			shape = shapes[base+".weight"][:1]
		} else if shape == nil {
			shape = []int{1}
		}
		if strings.HasPrefix(name, "attn") || strings.HasPrefix(name, "ffn") {
			for i := range layers {
				add("blk."+strconv.Itoa(i)+"."+name, shape)
			}
		} else {
			add(name, shape)
		}
	}
	var b bytes.Buffer
	if err := llmw.Write(&b, metadata, tensors); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// values is n numbers for a tensor, always the same for a name: large enough that every part of the model has a say.
func values(name string, n int) []float32 {
	state := uint64(14695981039346656037)
	for _, c := range []byte(name) {
		state = (state ^ uint64(c)) * 1099511628211
	}
	v := make([]float32, n)
	for i := range v {
		state = state*6364136223846793005 + 1442695040888963407
		x := float32(state>>40)/(1<<23) - 1 // from -1 to 1
		switch {
		case strings.Contains(name, "norm") || strings.HasSuffix(name, "scale"):
			v[i] = 1 + x/2
		case strings.Contains(name, "freqs"):
			v[i] = 3 + 2*x
		case strings.HasSuffix(name, "bias"):
			v[i] = x / 2
		default:
			v[i] = x / 4
		}
	}
	return v
}

var someTokens = []int{3, 77, 12, 5, 5, 60, 31, 0, 79, 44, 8, 13, 21, 34, 55, 2, 9, 70, 71, 72}

// variants are the ways of models that are known here.
var variants = map[string]recipe{
	"llama":            {arch: "llama"},
	"tied":             {arch: "llama", without: []string{"output.weight"}},
	"multi-head":       {arch: "llama", metadata: map[string]any{"attention.head_count_kv": int64(2)}},
	"all biases":       {arch: "llama", extra: []string{"attn_q.bias", "attn_k.bias", "attn_v.bias", "attn_output.bias", "ffn_gate.bias", "ffn_up.bias", "ffn_down.bias"}},
	"one bias":         {arch: "llama", extra: []string{"attn_k.bias"}},
	"fused":            {arch: "llama", extra: []string{"attn_qkv.weight", "attn_qkv.bias", "attn_qkv.scale"}, without: []string{"attn_q.weight", "attn_k.weight", "attn_v.weight"}},
	"scales":           {arch: "qwen2", extra: []string{"attn_q.scale", "attn_k.scale", "attn_v.scale", "attn_output.scale", "ffn_gate.scale", "ffn_up.scale", "ffn_down.scale", "output.scale", "output.bias", "attn_q.bias"}},
	"rope_freqs":       {arch: "llama", extra: []string{"rope_freqs.weight"}},
	"partial rope":     {arch: "qwen2", metadata: map[string]any{"rope.dimension_count": int64(10), "rope.freq_base": 5e5}},
	"linear":           {arch: "llama", metadata: map[string]any{"rope.scaling.type": "linear", "rope.scaling.factor": 4.0}},
	"linear, old key":  {arch: "llama", metadata: map[string]any{"rope.scale_linear": 2.5}},
	"scaling none":     {arch: "llama", metadata: map[string]any{"rope.scaling.type": "none", "rope.scaling.factor": 4.0}},
	"attn_factor":      {arch: "qwen2", metadata: map[string]any{"rope.scaling.attn_factor": 1.3}},
	"yarn":             {arch: "llama", metadata: map[string]any{"rope.scaling.type": "yarn", "rope.scaling.factor": 8.0, "rope.scaling.original_context_length": int64(64)}},
	"yarn, all keys":   {arch: "mistral3", metadata: map[string]any{"rope.scaling.type": "yarn", "rope.scaling.factor": 4.0, "rope.scaling.original_context_length": int64(32), "rope.scaling.yarn_beta_fast": 4.0, "rope.scaling.yarn_beta_slow": 0.5, "rope.scaling.attn_factor": 0.8, "rope.scaling.yarn_log_multiplier": 0.7}},
	"attention.scale":  {arch: "granite", metadata: map[string]any{"attention.scale": 0.4, "logit_scale": 1.0}},
	"qwen2":            {arch: "qwen2", extra: []string{"attn_q.bias", "attn_k.bias", "attn_v.bias", "output.bias"}},
	"qwen2, partial":   {arch: "qwen2", metadata: map[string]any{"rope.dimension_count": int64(8)}},
	"qwen3":            {arch: "qwen3"},
	"explicit lengths": {arch: "qwen3", metadata: map[string]any{"attention.key_length": int64(24), "attention.value_length": int64(12), "rope.freq_base": 1e6}},
	"F16":              {arch: "llama", typ: quant.F16},
	"BF16":             {arch: "qwen3", typ: quant.BF16},
}

// distance is the largest difference of two tables of logits, relative to the spread of the second.
func distance(got [][]float32, want [][]float64) float64 {
	d, squares, n := 0.0, 0.0, 0
	for i := range want {
		for j, w := range want[i] {
			d = max(d, math.Abs(float64(got[i][j])-w))
			squares += w * w
			n++
		}
	}
	return d / math.Sqrt(squares/float64(n))
}

func TestAgainstTextbook(t *testing.T) {
	base := newOracle(recipe{arch: "llama"}.file(t)).logits(someTokens)
	for name, r := range variants {
		f := r.file(t)
		m, err := engine.Describe(f)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(m.Findings) > 0 {
			t.Errorf("%s: findings %v", name, m.Findings)
		}
		want := newOracle(f).logits(someTokens)
		got := eval(t, session(t, m, engine.Options{Threads: 2}), someTokens, true)
		if d := distance(got, want); d > 2e-5 {
			t.Errorf("%s: logits are off by %.2g of their spread", name, d)
		}
		if name != "llama" && name != "scaling none" && name != "multi-head" && distance(got, base) < 1e-3 {
			t.Errorf("%s: no different from plain llama", name)
		}
	}
}

// A compact cache costs little accuracy.
func TestCacheTypes(t *testing.T) {
	f := recipe{arch: "qwen2", metadata: map[string]any{"attention.key_length": int64(32), "attention.value_length": int64(64)}}.file(t)
	m := describe(t, f)
	want := newOracle(f).logits(someTokens)
	var bytes []int64
	for _, c := range []struct {
		kv    engine.KVType
		bound float64
	}{{engine.KVF32, 2e-5}, {engine.KVF16, 3e-3}, {engine.KVQ8_0, 0.15}} {
		s := session(t, m, engine.Options{KV: c.kv, Threads: 2})
		if d := distance(eval(t, s, someTokens, true), want); d > c.bound {
			t.Errorf("%s: logits are off by %.2g of their spread, more than %g", c.kv, d, c.bound)
		}
		bytes = append(bytes, s.Stats().KVBytes)
	}
	if !(bytes[0] == 2*bytes[1] && bytes[1]*34 == bytes[2]*64) {
		t.Errorf("bytes of the caches are %v", bytes)
	}
}
