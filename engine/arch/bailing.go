package arch

// Ling 1 and 2 (BailingMoE): experts of which some are shared.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, false)
		b.Attn.KeyDim, b.Attn.ValueDim = b.Attn.Rope.Dim, b.Attn.Rope.Dim
		b.Output.Need = true
		moe := b.MoE(b.ExpertHidden(0))
		moe.Scale = b.WeightsScale()
		moe.Norm = b.Bool("expert_weights_norm", false)
		b.SharedCount(moe)
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Layout(i, moe)) })
	}, "bailingmoe")
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.QKNorm(Head)
		b.Output.Need = true
		moe := b.DeepExperts(SelectSame)
		if n := b.Int("expert_shared_count", 0, 0, maxExperts); n > 0 {
			moe.Shared = b.SharedExpert(n * b.SharedHidden(moe.Hidden))
		}
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.DenseFirst(i, moe)) })
	}, "bailingmoe2")
}
