package arch

// EuroBERT: Llama's layers.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Embeds()
		b.Turn(Halves, false)
		b.Attn.OutBias, b.Dense.Bias = Never, Never
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "eurobert")
}
