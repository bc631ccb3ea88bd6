package arch

// Jamba: Mamba with norms of dt, B and C, attention without rotation in some layers, experts in some.
func init() {
	register(func(b *Base) {
		b.RMS()
		ssm := b.SSM(Mamba1)
		ssm.StepNorm, ssm.BNorm, ssm.CNorm = b.Norm.As("ssm_dt_norm"), b.Norm.As("ssm_b_norm"), b.Norm.As("ssm_c_norm")
		b.Attn.OutBias, b.Dense.Bias = Never, Never
		b.Each(func(i int) Layer {
			var net Op
			if b.HasIn(i, "ffn_gate_inp.weight") {
				net = b.Layout(i, b.MoE(b.Hidden[i]))
			} else {
				net = b.Net(i)
			}
			if b.Recurrent(i) {
				return b.Pre(ssm, net)
			}
			return b.Pre(b.At(i), net)
		})
	}, "jamba")
}
