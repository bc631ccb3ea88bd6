package arch

// Mamba and Mamba 2: nothing but state space models. FalconMamba is Mamba with norms of dt, B and C that have no weights.
func init() {
	register(func(b *Base) {
		b.RMS()
		ssm := b.SSM(Mamba1)
		if b.Bool("ssm.dt_b_c_rms", false) {
			ssm.StepNorm, ssm.BNorm, ssm.CNorm = b.Norm, b.Norm, b.Norm
		}
		b.Each(func(int) Layer { return b.One(ssm) })
	}, "mamba")
	register(func(b *Base) {
		b.RMS()
		ssm := b.SSM(Mamba2)
		ssm.Norm = b.Norm.As("ssm_norm")
		b.Each(func(int) Layer { return b.One(ssm) })
	}, "mamba2")
}

// One is a layer of one op: x + op(norm(x)).
func (b *Base) One(op Op) Layer {
	return Layer{Steps: []Step{{Branches: []Branch{{Norm: b.Norm.As("attn_norm"), Op: op}}}}}
}
