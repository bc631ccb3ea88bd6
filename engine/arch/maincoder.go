package arch

// Maincoder: llama with heads that are normalized after their rotation.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, false)
		b.Attn.NormAfterRope = true
		b.QKNorm(Head)
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "maincoder")
}
