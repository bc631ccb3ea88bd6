package arch

// OpenELM: another number of heads and another width in each layer; the output is the embedding.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.QKNorm(Head)
		b.Output.Tied = true
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "openelm")
}
