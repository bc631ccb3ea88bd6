package arch

// OLMoE: experts whose weights are no shares of 1; q and k are normalized as whole vectors.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.QKNorm(Whole)
		b.Output.Need = true
		moe := b.MoE(b.Hidden[0])
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Layout(i, moe)) })
	}, "olmoe")
}
