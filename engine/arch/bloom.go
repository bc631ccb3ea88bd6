package arch

// BLOOM: normalized embeddings, a linear bias instead of positions.
func init() {
	register(func(b *Base) {
		b.LN(Required)
		b.Input.Norm = b.Norm.As(TokenNorm)
		b.Attn.Alibi = 8
		b.Attn.Bias, b.Attn.OutBias = Required, Required
		b.Dense = Dense{Gate: NoGateFFN, Act: GELU, Bias: Required}
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "bloom")
}
