package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"straw/engine"
	"straw/gguf"
	"straw/quant"
)

func TestDescribeRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		r    recipe
		kind string
		says []string
	}{
		{"unknown architecture", recipe{arch: "gpt17"}, "unsupported", []string{`"gpt17"`, "granite, ", "qwen2"}},
		{"no architecture", recipe{arch: ""}, "format", []string{"general.architecture"}},
		{"missing keys", recipe{arch: "llama", metadata: map[string]any{"block_count": nil, "embedding_length": nil}}, "format", []string{"llama.block_count: missing", "llama.embedding_length: missing"}},
		{"missing epsilon", recipe{arch: "llama", metadata: map[string]any{"attention.layer_norm_rms_epsilon": nil}}, "format", []string{"layer_norm_rms_epsilon: missing"}},
		{"missing tensors", recipe{arch: "llama", without: []string{"attn_k.weight", "output_norm.weight"}}, "format", []string{"blk.0.attn_k.weight", "blk.1.attn_k.weight", "blk.2.attn_k.weight", "output_norm.weight"}},
		{"missing norms of heads", recipe{arch: "llama"}.as("qwen3"), "format", []string{"attn_q_norm", "attn_k_norm"}},
		{"wrong shape", recipe{arch: "llama", metadata: map[string]any{"feed_forward_length": int64(64)}}, "format", []string{"blk.0.ffn_gate.weight is [96, 64], must be [64, 64]", "blk.2.ffn_down.weight"}},
		{"no embedding", recipe{arch: "llama", without: []string{"token_embd.weight"}}, "format", []string{"token_embd.weight"}},
		{"experts", recipe{arch: "llama", metadata: map[string]any{"expert_count": int64(8), "expert_used_count": int64(2)}}, "format", []string{"blk.0.ffn_gate_inp.weight", "blk.2.ffn_down_exps.weight"}},
		{"unknown scaling", recipe{arch: "llama", metadata: map[string]any{"rope.scaling.type": "dynamic"}}, "unsupported", []string{`"dynamic"`, "none, linear, yarn, longrope"}},
		{"zero heads", recipe{arch: "llama", metadata: map[string]any{"attention.head_count": int64(0)}}, "format", []string{"head_count: 0"}},
		{"heads that do not divide", recipe{arch: "llama", metadata: map[string]any{"attention.head_count_kv": int64(3)}}, "format", []string{"head_count"}},
		{"many layers", recipe{arch: "llama", metadata: map[string]any{"block_count": int64(1 << 40)}}, "format", []string{"block_count"}},
		{"odd rope", recipe{arch: "llama", metadata: map[string]any{"rope.dimension_count": int64(7)}}, "format", []string{"dimension_count"}},
		{"rope wider than a head", recipe{arch: "llama", metadata: map[string]any{"rope.dimension_count": int64(18)}}, "format", []string{"dimension_count"}},
		{"string for a number", recipe{arch: "llama", metadata: map[string]any{"rope.freq_base": "high"}}, "format", []string{"freq_base"}},
		{"negative base", recipe{arch: "llama", metadata: map[string]any{"rope.freq_base": -1.0}}, "format", []string{"freq_base"}},
	} {
		_, err := engine.Describe(c.r.file(t))
		var k interface{ Kind() string }
		if !errors.As(err, &k) || k.Kind() != c.kind {
			t.Errorf("%s: %v, want kind %s", c.name, err, c.kind)
			continue
		}
		for _, part := range c.says {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %q", c.name, err, part)
			}
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error of several lines: %q", c.name, err)
		}
	}
}

// as is the same file with another name for its architecture, keys included.
func (r recipe) as(arch string) recipe {
	r.arch = arch
	r.without = append(r.without, "attn_q_norm.weight", "attn_k_norm.weight")
	return r
}

func TestDescribeAccepts(t *testing.T) {
	for name, metadata := range map[string]map[string]any{
		"no experts":     {"expert_count": int64(0)},
		"wide window":    {"attention.sliding_window": int64(256)},
		"scales of one":  {"residual_scale": 1.0, "logit_scale": 1.0, "attn_logit_softcapping": 0.0},
		"other keys":     {"vocab_size": int64(7), "tensor_data_layout": "Meta AI original pth", "rope.scaling.finetuned": int64(1)},
		"whole for real": {"rope.freq_base": int64(10000)},
	} {
		if _, err := engine.Describe(recipe{arch: "llama", metadata: metadata}.file(t)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Keys that the reference does not read for an architecture have no say here either, but are told of.
func TestIgnoredKeys(t *testing.T) {
	m := describe(t, recipe{arch: "qwen2", metadata: map[string]any{
		"attention.scale": 0.5, "final_logit_softcapping": 30.0, "attention.sliding_window": int64(128), "rope.scaling.yarn_beta_fast": 8.0,
	}}.file(t))
	var ignored []string
	for _, f := range m.Findings {
		if f.Rule != "ignored-key" {
			t.Errorf("finding %+v", f)
		}
		ignored = append(ignored, f.Subject)
	}
	slices.Sort(ignored)
	want := []string{"qwen2.attention.scale", "qwen2.attention.sliding_window", "qwen2.final_logit_softcapping", "qwen2.rope.scaling.yarn_beta_fast"}
	if !slices.Equal(ignored, want) {
		t.Errorf("ignored keys are %v, want %v", ignored, want)
	}
}

func TestUnusedTensors(t *testing.T) {
	m := describe(t, recipe{arch: "llama", extra: []string{"attn_q_norm.weight", "mystery.weight"}}.file(t))
	var unused []string
	for _, f := range m.Findings {
		if f.Rule != "unused-tensor" {
			t.Errorf("finding %+v", f)
		}
		unused = append(unused, f.Subject)
	}
	want := []string{"blk.0.attn_q_norm.weight", "blk.1.attn_q_norm.weight", "blk.2.attn_q_norm.weight", "mystery.weight"}
	if !slices.Equal(unused, want) {
		t.Errorf("unused tensors are %v, want %v", unused, want)
	}
}

// perLayer gives arrays where a file has one number for all layers.
type perLayer struct {
	engine.WeightSource
	values map[string]any
}

func (p perLayer) Get(key string) (any, error) {
	if v, ok := p.values[key]; ok {
		return v, nil
	}
	return p.WeightSource.Get(key)
}

func TestArraysOfCounts(t *testing.T) {
	f := recipe{arch: "llama"}.file(t)
	m := describe(t, perLayer{f, map[string]any{
		"llama.attention.head_count":    []int64{4, 4, 4},
		"llama.attention.head_count_kv": []int64{2, 2, 2},
		"llama.feed_forward_length":     []int64{96, 96, 96},
	}})
	got := eval(t, session(t, m, engine.Options{}), someTokens, true)
	if d := distance(got, newOracle(f).logits(someTokens)); d > 2e-5 {
		t.Errorf("logits are off by %.2g", d)
	}
	_, err := engine.Describe(perLayer{f, map[string]any{"llama.feed_forward_length": []int64{96, 96, 64}}})
	if err == nil || !strings.Contains(err.Error(), "blk.2.ffn_up.weight") || strings.Contains(err.Error(), "blk.1.") {
		t.Errorf("narrow last layer: %v", err)
	}
	_, err = engine.Describe(perLayer{f, map[string]any{"llama.attention.head_count": []int64{4, 4}}})
	if err == nil || !strings.Contains(err.Error(), "array of 3") {
		t.Errorf("short array: %v", err)
	}
}

// The table of an integer-typed tensor is not weights.
func TestTypesOfWeights(t *testing.T) {
	f := recipe{arch: "llama"}.file(t)
	_, err := engine.Describe(retyped{f, quant.Type(144)})
	var unsupported *engine.UnsupportedError
	if !errors.As(err, &unsupported) || !strings.Contains(err.Error(), "IQ4_KS") {
		t.Errorf("foreign type: %v", err)
	}
	_, err = engine.Describe(retyped{f, quant.Q4_K})
	if err == nil || !strings.Contains(err.Error(), "whole blocks of Q4_K") {
		t.Errorf("rows of 64 as Q4_K: %v", err)
	}
}

type retyped struct {
	engine.WeightSource
	typ quant.Type
}

func (r retyped) TensorInfo(name string) (quant.Type, []int64, bool) {
	t, dims, ok := r.WeightSource.TensorInfo(name)
	if strings.Contains(name, "ffn_up") {
		t = r.typ
	}
	return t, dims, ok
}

// Whatever a file says, describing it ends well or with an error.
func TestDescribeCorpus(t *testing.T) {
	files, err := filepath.Glob("../../shared/corpus/*/*.gguf")
	if err != nil || len(files) == 0 {
		t.Log("needs ../shared/corpus")
	}
	for _, path := range files {
		f, _ := gguf.OpenFS(os.DirFS(filepath.Dir(path)), filepath.Base(path))
		if f == nil {
			continue
		}
		m, err := engine.Describe(f)
		if err == nil {
			s, err := m.NewSession(context.Background(), engine.Options{})
			if err == nil {
				_, err = s.Eval(context.Background(), []int{0}, false)
				s.Close()
			}
			t.Logf("%s runs: %v", filepath.Base(path), err)
		}
		f.Close()
	}
}
