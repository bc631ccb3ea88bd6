package arch

// dots.llm1: experts of DeepSeek's kind, normalized heads.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.QKNorm(Head)
		b.Output.Need = true
		moe := b.DeepExperts(SelectSame)
		b.SharedCount(moe)
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.DenseFirst(i, moe)) })
	}, "dots1")
}
