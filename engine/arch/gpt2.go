package arch

// GPT-2 and its shape: learned positions, layer norms, biases everywhere. StarCoder 1 is one with a single key/value head.
func init() {
	register(func(b *Base) {
		b.LN(Required)
		b.Input.Positions = b.Context
		b.Attn.Bias, b.Attn.OutBias = Required, Required
		b.Dense = Dense{Gate: NoGateFFN, Act: GELU, Bias: Required}
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "gpt2", "starcoder")
}
