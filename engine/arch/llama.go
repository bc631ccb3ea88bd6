package arch

// Llama 1 to 3, Mistral, Mixtral and their many relatives. Converters permute the rows of q and k for adjacent pairs.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, true) // Llama 3.1 on has rope_freqs
		if b.Attn.Rope.Dim != b.Attn.KeyDim {
			b.Problem("rope.dimension_count", "must be the length of a head")
		}
		b.PreMixtral()
	}, "llama")
}

// PreMixtral adds the layers of llama and its closest relatives: a network each, or experts where the file has them.
func (b *Base) PreMixtral() {
	var moe *MoE
	if b.HasExperts() {
		moe = b.MoE(b.Hidden[0])
		moe.Norm = true
	}
	b.Each(func(i int) Layer { return b.Pre(b.At(i), b.NetOr(i, moe)) })
}
