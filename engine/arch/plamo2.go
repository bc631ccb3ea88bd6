package arch

// PLaMo 2: state space models of its own kind and attention, whose heads are normalized each with its own weights, in a
// frame of norms before and after. Some norms' names have no last part.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.QKNorm(Heads)
		b.Attn.Bias, b.Attn.OutBias = Never, Never
		b.Attn.Scale = inverseRoot(max(1, b.Attn.ValueDim))
		b.Dense.Gate, b.Dense.Bias = FusedGate, Never
		ssm := b.SSM(Plamo2)
		ssm.ConvBias = Never
		bare := b.Norm
		bare.Bare = true
		ssm.StepNorm, ssm.BNorm, ssm.CNorm = bare.As("ssm_dt_norm"), bare.As("ssm_b_norm"), bare.As("ssm_c_norm")
		b.Each(func(i int) Layer {
			var mixer Op = ssm
			if !b.Recurrent(i) {
				a := b.At(i)
				a.Fused = true
				mixer = a
			}
			l := b.Sandwich(mixer, b.Net(i))
			for _, s := range l.Steps {
				s.Branches[0].Post.Bare = true
			}
			return l
		})
	}, "plamo2")
}
