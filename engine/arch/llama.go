package arch

// Llama 1 to 3, Mistral and their many relatives. Converters permute the rows of q and k for adjacent pairs.
func init() {
	Register(Arch{Names: []string{"llama"}, Build: func(b *Base) {
		b.Attn.Rope.Pairing = Adjacent
		b.Attn.Rope.Factors = true // Llama 3.1 on
	}})
}
