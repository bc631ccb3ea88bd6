package arch

// Orion: llama with layer norms, and the rotation of Qwen.
func init() {
	register(func(b *Base) {
		b.LN(Required)
		b.Turn(Halves, false)
		b.Output.Need = true
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "orion")
}
