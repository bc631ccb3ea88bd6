package arch

// Jais: layer norms, biases everywhere; the first with a linear bias for positions, the second with a rotation.
func init() {
	register(func(b *Base) {
		b.LN(Required)
		b.Attn.Alibi = float32(b.Float("attention.max_alibi_bias", 0))
		b.Attn.Scale = 1 / float32(b.Attn.KeyDim)
		b.Attn.Bias, b.Attn.OutBias = Required, Required
		b.Dense.Bias = Required
		b.Output.Need = true
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "jais")
	register(func(b *Base) {
		b.LN(Required)
		b.Turn(Halves, false)
		b.Attn.OutBias = Required
		b.Dense = Dense{Gate: NoGateFFN, Act: ReLU2, Bias: Required}
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "jais2")
}
