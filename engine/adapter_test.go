package engine_test

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"straw/engine"
	"straw/engine/llmw"
	"straw/quant"
)

// lora is an adapter to be made in memory: the shape [rows, k] of each tensor that it changes.
type lora struct {
	rank    int
	alpha   any
	shapes  map[string][]int
	keys    map[string]any    // in place of the usual ones; nil takes one away
	rename  map[string]string // names of its tensors; "" leaves one out
	further string            // in the names that the values come from
}

func (a lora) file(t testing.TB) *llmw.File {
	t.Helper()
	keys := map[string]any{"general.type": "adapter", "adapter.type": "lora", "general.architecture": "llama", "adapter.lora.alpha": a.alpha}
	maps.Copy(keys, a.keys)
	var metadata []llmw.KV
	for k, v := range keys {
		if v != nil {
			metadata = append(metadata, llmw.KV{Key: k, Value: v})
		}
	}
	var tensors []llmw.Tensor
	for base, shape := range a.shapes {
		rows, k := shape[0], shape[1]
		for _, m := range []struct {
			suffix  string
			rows, k int
		}{{".lora_a", a.rank, k}, {".lora_b", rows, a.rank}} {
			if base == "token_embd.weight" { // the other way round
				m.rows, m.k = map[string]int{".lora_a": rows, ".lora_b": k}[m.suffix], a.rank
			}
			name := base + m.suffix
			data, err := llmw.Pack(quant.F32, values(a.further+name, m.rows*m.k))
			if err != nil {
				t.Fatal(err)
			}
			if other, ok := a.rename[name]; ok {
				name = other
			}
			if name != "" {
				tensors = append(tensors, llmw.Tensor{Name: name, Type: quant.F32, Shape: []int64{int64(m.rows), int64(m.k)}, Data: data})
			}
		}
	}
	var b bytes.Buffer
	if err := llmw.Write(&b, metadata, tensors); err != nil {
		t.Fatal(err)
	}
	f, err := llmw.Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// change adds scale * B A to the oracle's weights.
func (o oracle) change(a lora, scale float64) {
	for base, shape := range a.shapes {
		w, rows, k := slices.Clone(o.tensor(base)), shape[0], shape[1]
		va, vb := values(a.further+base+".lora_a", a.rank*k), values(a.further+base+".lora_b", a.rank*rows)
		if base == "token_embd.weight" {
			va, vb = values(a.further+base+".lora_a", a.rank*rows), values(a.further+base+".lora_b", a.rank*k)
		}
		for r := range rows {
			for j := range k {
				for i := range a.rank {
					if base == "token_embd.weight" {
						w[r*k+j] += scale * float64(va[r*a.rank+i]) * float64(vb[j*a.rank+i])
					} else {
						w[r*k+j] += scale * float64(vb[r*a.rank+i]) * float64(va[i*k+j])
					}
				}
			}
		}
		o.decoded[base] = w
	}
}

var (
	attentionLora = lora{rank: 4, alpha: 8.0, shapes: map[string][]int{
		"blk.0.attn_q.weight": {embd, embd}, "blk.2.attn_v.weight": {embd / 2, embd}, "blk.1.attn_output.weight": {embd, embd},
		"blk.1.ffn_up.weight": {hidden, embd}, "blk.0.ffn_down.weight": {embd, hidden}, "output.weight": {vocab, embd},
	}}
	embeddingLora = lora{rank: 20, further: "second ", shapes: map[string][]int{
		"token_embd.weight": {vocab, embd}, "blk.0.attn_q.weight": {embd, embd}, "blk.2.ffn_gate.weight": {hidden, embd},
	}}
)

// A model with adapters is the model of the changed weights, in the same bits however it is run.
func TestAdapters(t *testing.T) {
	for name, r := range map[string]recipe{
		"plain":  {arch: "llama"},
		"biases": {arch: "llama", extra: []string{"attn_q.bias", "attn_v.bias", "attn_q.scale", "ffn_down.bias", "output.scale"}},
	} {
		f := r.file(t)
		m := describe(t, f)
		o := newOracle(f)
		adapters := []engine.Adapter{{Source: attentionLora.file(t), Scale: 0.25}, {Source: embeddingLora.file(t), Scale: 0.125}}
		scaled := func(base string) float64 { // a scale of the file's is of W alone
			if s := o.tensor(strings.TrimSuffix(base, "weight") + "scale"); s != nil {
				return s[0]
			}
			return 1
		}
		for base := range attentionLora.shapes {
			o.change(lora{rank: 4, shapes: map[string][]int{base: attentionLora.shapes[base]}}, 0.25*8/4/scaled(base))
		}
		for base := range embeddingLora.shapes {
			o.change(lora{rank: 20, further: "second ", shapes: map[string][]int{base: embeddingLora.shapes[base]}}, 0.125/scaled(base))
		}
		want := o.logits(someTokens)
		first := eval(t, session(t, m, engine.Options{Threads: 1, Resident: true, Adapters: adapters}), someTokens, true)
		if d := distance(first, want); d > 1e-5 {
			t.Errorf("%s: logits are off by %.2g of their spread", name, d)
		}
		without := eval(t, session(t, m, engine.Options{Threads: 1}), someTokens, true)
		if distance(without, want) < 1e-2 {
			t.Errorf("%s: the adapters change nothing", name)
		}
		for _, o := range []engine.Options{
			{Threads: 1}, {Threads: 3, Batch: 1}, {Threads: 2, Batch: 7, NoPrefetch: true}, {Resident: true, Batch: 3}, {Backend: &plain{}},
		} {
			o.Adapters = adapters
			if !slices.Equal(bits(eval(t, session(t, m, o), someTokens, true)), bits(first)) {
				t.Errorf("%s: %+v gives other bits", name, o)
			}
		}
	}
}

// An adapter of a tied embedding changes what is looked up, not the output.
func TestAdapterTied(t *testing.T) {
	f := recipe{arch: "llama", without: []string{"output.weight"}}.file(t)
	o := newOracle(recipe{arch: "llama"}.file(t))
	o.decoded["output.weight"] = slices.Clone(o.tensor("token_embd.weight"))
	o.change(lora{rank: 20, further: "second ", shapes: map[string][]int{"token_embd.weight": {vocab, embd}}}, 0.5)
	a := embeddingLora
	a.shapes = map[string][]int{"token_embd.weight": {vocab, embd}}
	for _, resident := range []bool{true, false} {
		s := session(t, describe(t, f), engine.Options{Resident: resident, Adapters: []engine.Adapter{{Source: a.file(t), Scale: 0.5}}})
		if d := distance(eval(t, s, someTokens, true), o.logits(someTokens)); d > 1e-5 {
			t.Errorf("resident %v: logits are off by %.2g of their spread", resident, d)
		}
	}
}

// cutOff is a source whose tensors cannot be read.
type cutOff struct{ engine.WeightSource }

func (cutOff) ReadTensorAt(string, []byte, int64) error { return io.ErrUnexpectedEOF }

func TestWrongAdapters(t *testing.T) {
	m := describe(t, recipe{arch: "llama"}.file(t))
	q := map[string][]int{"blk.0.attn_q.weight": {embd, embd}}
	for _, c := range []struct {
		lora lora
		kind string
		says string
	}{
		{lora{shapes: q, keys: map[string]any{"general.type": "model"}}, "format", `general.type is "model", must be "adapter"`},
		{lora{shapes: q, keys: map[string]any{"general.type": nil}}, "format", `general.type: missing`},
		{lora{shapes: q, keys: map[string]any{"adapter.type": "other"}}, "format", `adapter.type is "other"`},
		{lora{shapes: q, keys: map[string]any{"general.architecture": "qwen2"}}, "format", `general.architecture is "qwen2", must be "llama"`},
		{lora{shapes: q, alpha: "8"}, "format", "adapter.lora.alpha: not a number"},
		{lora{shapes: q, keys: map[string]any{"adapter.alora.invocation_tokens": int64(1)}}, "unsupported", "activated LoRA"},
		{lora{}, "format", "no tensors"},
		{lora{shapes: q, rename: map[string]string{"blk.0.attn_q.weight.lora_a": ""}}, "format", "blk.0.attn_q.weight.lora_b has no partner"},
		{lora{shapes: q, rename: map[string]string{"blk.0.attn_q.weight.lora_b": ""}}, "format", "blk.0.attn_q.weight.lora_a has no partner"},
		{lora{shapes: q, rename: map[string]string{"blk.0.attn_q.weight.lora_b": "blk.0.attn_q.weight"}}, "unsupported", "only pairs"},
		{lora{shapes: map[string][]int{"blk.9.attn_q.weight": {embd, embd}}}, "format", "the model has no tensor blk.9.attn_q.weight"},
		{lora{shapes: map[string][]int{"blk.0.attn_q.weight": {embd, hidden}}}, "format", "blk.0.attn_q.weight.lora_a is [4, 96], must be [4, 64]"},
		{lora{shapes: map[string][]int{"blk.0.attn_q.weight": {hidden, embd}}}, "format", "blk.0.attn_q.weight.lora_b is [96, 4], must be [64, 4]"},
		{lora{shapes: map[string][]int{"blk.0.attn_norm.weight": {1, embd}}}, "unsupported", "no matrix of a product"},
	} {
		c.lora.rank = 4
		_, err := m.NewSession(t.Context(), engine.Options{Adapters: []engine.Adapter{{Name: "wrong.gguf", Source: c.lora.file(t), Scale: 1}}})
		var kind interface{ Kind() string }
		if !errors.As(err, &kind) || kind.Kind() != c.kind || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "adapter wrong.gguf: ") {
			t.Errorf("%v\n\twant kind %s: %s", err, c.kind, c.says)
		}
	}
	_, err := m.NewSession(t.Context(), engine.Options{Adapters: []engine.Adapter{{Source: cutOff{attentionLora.file(t)}, Scale: 1}}})
	if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), ".lora_a") {
		t.Errorf("a file cut off: %v", err)
	}
}
