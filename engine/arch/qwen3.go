package arch

// Qwen 3: heads of q and k are normalized before their rotation; a head is not embedding / heads wide.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.QKNorm(Head)
		b.Reranker()
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "qwen3")
}
