package arch

// GPT-NeoX, Pythia: attention and network side by side, each behind its own norm, or one after the other.
func init() {
	register(func(b *Base) {
		b.LN(Required)
		b.Turn(Halves, false)
		b.Output.Need = true
		b.Attn.Bias, b.Attn.OutBias = Required, Required
		b.Dense = Dense{Gate: NoGateFFN, Act: GELU, Bias: Required}
		parallel := b.Bool("use_parallel_residual", true)
		if b.get("use_parallel_residual") == nil {
			b.Problem("use_parallel_residual", "missing")
		}
		b.Each(func(i int) Layer {
			if parallel {
				return b.Parallel(b.At(i), b.Net(i), "attn_norm", "ffn_norm")
			}
			return b.Pre(b.At(i), b.Net(i))
		})
	}, "gptneox")
}
