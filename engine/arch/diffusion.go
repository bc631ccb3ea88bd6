package arch

// Models that write by diffusion: decoders of the usual kinds that see the whole text, of which some tokens are masked.
func init() {
	// Dream is Qwen 2.
	register(func(b *Base) {
		b.RMS()
		b.SeeAll()
		b.Turn(Halves, false)
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "dream")

	// LLaDA is Llama.
	register(func(b *Base) {
		b.RMS()
		b.SeeAll()
		b.Turn(Adjacent, false)
		b.Attn.OutBias, b.Dense.Bias = Never, Never
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "llada")

	// LLaDA-MoE is OLMoE with norms of single heads.
	register(func(b *Base) {
		b.RMS()
		b.SeeAll()
		b.Turn(Halves, false)
		b.QKNorm(Head)
		b.Output.Need = true
		moe := b.qwenExperts()
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Layout(i, moe)) })
	}, "llada-moe")

	// RND1 is Qwen 3 with experts.
	register(func(b *Base) {
		b.RMS()
		b.SeeAll()
		b.Turn(Halves, false)
		b.qwen3moe()
	}, "rnd1")
}
