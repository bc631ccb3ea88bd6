package arch

// openPangu Embedded: Qwen 2 with a bias after attention.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, true)
		b.Attn.OutBias = Required
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "pangu-embedded")
}
