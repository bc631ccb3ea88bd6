package arch

// DeepSeek 1: experts whose weights are no shares of 1, some of them shared, after layers without.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, false)
		moe := b.MoE(b.ExpertHidden(0))
		moe.Scale = b.WeightsScale()
		b.SharedCount(moe)
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.DenseFirst(i, moe)) })
	}, "deepseek")
}
