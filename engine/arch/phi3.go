package arch

// Phi 3 and 4: gate and up are rows of one matrix; long contexts divide the angles. The window of the original is off, as
// in the reference.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.Attn.Rope.Factors = LongShort
		b.Dense.Gate = FusedGate
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "phi3")
	register(func(b *Base) {
		b.RMS()
		b.Norm.Bias = Required
		b.Output.Norm.Bias = Required
		b.Output.Need, b.Output.Bias = true, Required
		b.Turn(Halves, false)
		b.Attn.Rope.Factors = LongShort
		b.Attn.OutBias = Required
		moe := b.MoE(b.Hidden[0])
		moe.Norm = true
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Layout(i, moe)) })
	}, "phimoe")
}
