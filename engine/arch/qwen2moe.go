package arch

// Qwen 1.5 and 2 with experts and a gated one that all tokens share; the weights are no shares of 1.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.Output.Need = true
		moe := b.qwenExperts()
		moe.Shared, moe.SharedGate = b.SharedExpert(b.SharedHidden(b.Hidden[0])), true
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Layout(i, moe)) })
	}, "qwen2moe")
}
