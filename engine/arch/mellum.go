package arch

// Mellum 2: Qwen 3 with experts; layers with a window rotate without YaRN.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.QKNorm(Head)
		b.Output.Need = true
		if b.Int("attention.sliding_window", 0, 0, maxPositions) > 0 {
			b.Windows(Sliding, 4, false)
		}
		local := b.Attn.Rope
		local.Factor, local.Attn, local.Yarn = 1, 1, Yarn{}
		moe := b.qwenExperts()
		moe.Norm = true
		b.Each(func(i int) Layer { return b.Pre(b.local(i, local), b.Layout(i, moe)) })
	}, "mellum")
}
