package arch

// Qwen 1.5, 2 and 2.5: biases on q, k and v, and perhaps on the output.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.Output.Bias = Optional
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "qwen2")
}
