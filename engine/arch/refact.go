package arch

// Refact: llama with a linear bias instead of a rotation.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Attn.Alibi = 8
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "refact")
}
