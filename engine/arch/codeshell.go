package arch

// CodeShell: GPT-2's shape with a rotation.
func init() {
	register(func(b *Base) {
		b.LN(Required)
		b.Turn(Halves, false)
		b.Output.Need = true
		b.Attn.OutBias = Required
		b.Dense = Dense{Gate: NoGateFFN, Act: GELU, Bias: Required}
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "codeshell")
}
