package arch

// Qwen 3 with experts.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.qwen3moe()
	}, "qwen3moe")
}

// qwen3moe adds the layers of Qwen 3 with experts.
func (b *Base) qwen3moe() {
	b.QKNorm(Head)
	moe := b.qwenExperts()
	moe.Norm = true
	b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Layout(i, moe)) })
}

// qwenExperts is experts of the width that Qwen's files imply where they do not say it.
func (b *Base) qwenExperts() *MoE {
	return b.MoE(b.ExpertHidden(b.Hidden[0] / max(1, b.Ints("expert_used_count", make([]int, b.blocks))[0])))
}
