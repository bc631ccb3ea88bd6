package arch

// sensitive are the keys of D3 and llama.cpp's table that change what a model computes, with the value that changes
// nothing. A finding is made of a file that has one of them with another value under an architecture that did not read it.
var sensitive = []struct {
	key     string
	neutral []any // nil: no value is harmless
}{
	{"expert_count", []any{int64(0)}},
	{"expert_used_count", []any{int64(0)}},
	{"expert_shared_count", []any{int64(0)}},
	{"expert_group_count", []any{int64(0)}},
	{"leading_dense_block_count", []any{int64(0)}},
	{"interleave_moe_layer_step", []any{int64(0)}},
	{"moe_every_n_layers", []any{int64(0)}},
	{"moe_latent_size", []any{int64(0)}},
	{"nextn_predict_layers", []any{int64(0)}},
	{"use_parallel_residual", []any{false}},
	{"hidden_activation", []any{"silu", "swish"}},
	{"attn_logit_softcapping", []any{0.0}},
	{"final_logit_softcapping", []any{0.0}},
	{"router_logit_softcapping", []any{0.0}},
	{"embedding_scale", []any{0.0, 1.0}},
	{"residual_scale", []any{0.0, 1.0}},
	{"logit_scale", []any{0.0, 1.0}},
	{"swin_norm", []any{false}},
	{"rescale_every_n_layers", []any{int64(0)}},
	{"num_loops", []any{int64(0), int64(1)}},
	{"full_attention_interval", []any{int64(0), int64(1)}},
	{"n_deepstack_layers", []any{int64(0)}},
	{"embedding_length_per_layer_input", []any{int64(0)}},
	{"adapters.count", []any{int64(0)}},
	{"token_shift_count", []any{int64(0)}},
	{"altup.num_inputs", []any{int64(0)}},
	{"hyper_connection.count", []any{int64(0)}},
	{"hash_layer_count", []any{int64(0)}},
	{"attention.max_alibi_bias", []any{0.0}},
	{"attention.clamp_kqv", []any{0.0}},
	{"attention.causal", []any{true}},
	{"attention.q_lora_rank", []any{int64(0)}},
	{"attention.kv_lora_rank", []any{int64(0)}},
	{"attention.relative_buckets_count", []any{int64(0)}},
	{"attention.sliding_window", []any{int64(0)}},
	{"attention.sliding_window_pattern", []any{int64(0)}},
	{"attention.rope_pattern", nil},
	{"attention.output_scale", []any{0.0, 1.0}},
	{"attention.value_scale", []any{0.0, 1.0}},
	{"attention.scale", []any{0.0}},
	{"rope.scaling.yarn_ext_factor", []any{-1.0}},
	{"rope.scaling.yarn_attn_factor", []any{1.0}},
	{"rope.scaling.yarn_beta_fast", []any{32.0}},
	{"rope.scaling.yarn_beta_slow", []any{1.0}},
	{"rope.scaling.yarn_log_multiplier", []any{0.0}},
	{"attention.temperature_scale", []any{0.0}},
	{"attention.temperature_length", []any{int64(0)}},
	{"attention.shared_kv_layers", []any{int64(0)}},
	{"attention.recurrent_layers", nil},
	{"attention.indexer.head_count", []any{int64(0)}},
	{"attention.compress_ratios", nil},
	{"rope.dimension_sections", nil},
	{"rope.dimension_count_swa", nil},
	{"rope.freq_base_swa", nil},
	{"rope.scaling.alpha", []any{0.0}},
	{"ssm.conv_kernel", []any{int64(0)}},
	{"ssm.inner_size", []any{int64(0)}},
	{"ssm.state_size", []any{int64(0)}},
	{"shortconv.l_cache", []any{int64(0)}},
	{"wkv.head_size", []any{int64(0)}},
	{"kda.head_dim", []any{int64(0)}},
}

// findIgnored makes a finding of every sensitive key that has a say and was not read: llama.cpp does not read it for this
// architecture either, and results are to agree with it.
func (b *Base) findIgnored() {
	for _, s := range sensitive {
		if b.read[s.key] {
			continue
		}
		if v := b.get(s.key); v != nil && !harmless(v, s.neutral, b.Context, s.key) {
			b.Findings = append(b.Findings, Finding{
				Rule: "ignored-key", Subject: b.Name + "." + s.key,
				Message: show(v) + " is ignored: architecture " + b.Name + " does not use this key",
			})
		}
	}
}

func harmless(v any, neutral []any, context int, key string) bool {
	if key == "attention.sliding_window" { // as wide as the context: no window
		if n, ok := integer(v); ok && n >= int64(context) {
			return true
		}
	}
	for _, n := range neutral {
		if v == n {
			return true
		}
		a, isNumber := number(v)
		c, sameKind := number(n)
		if isNumber && sameKind && a == c {
			return true
		}
	}
	return false
}
