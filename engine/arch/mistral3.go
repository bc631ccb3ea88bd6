package arch

// Mistral 3: llama with more of YaRN, and queries that grow with their position.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, true)
		b.ReadYarn()
		if scale := b.Float("attention.temperature_scale", 0); scale != 0 {
			b.Attn.Temperature = Temperature{Scale: scale, Length: float64(b.Attn.Rope.Yarn.OrigContext)}
		}
		b.PreMixtral()
	}, "mistral3")
}
