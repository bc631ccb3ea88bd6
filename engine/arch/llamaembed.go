package arch

// Llama whose result is an embedding.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Embeds()
		b.Turn(Adjacent, true)
		b.PreMixtral()
	}, "llama-embed")
}
