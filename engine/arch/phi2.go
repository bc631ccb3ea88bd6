package arch

// Phi 1 and 2: attention and network side by side behind one norm, biases everywhere.
func init() {
	register(func(b *Base) {
		b.LN(Required)
		b.Turn(Halves, false)
		b.Output.Need, b.Output.Bias = true, Required
		b.Attn.OutBias = Required
		b.Dense = Dense{Gate: NoGateFFN, Act: GELU, Bias: Required}
		b.Each(func(i int) Layer { return b.Parallel(b.At(i), b.Net(i), "attn_norm", "attn_norm") })
	}, "phi2")
}
