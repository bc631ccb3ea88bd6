package arch

// MiniMax M2: experts with a bias for their choice; q and k are normalized as whole vectors.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.QKNorm(Whole)
		b.Output.Need = true
		moe := b.MoE(b.Hidden[0])
		moe.Norm, moe.SelectBias = true, Required
		if moe.Gating = b.Gating(SelectSame); moe.Gating == SelectSame {
			b.Problem("expert_gating_func", "missing")
		}
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Layout(i, moe)) })
	}, "minimax-m2")
}
