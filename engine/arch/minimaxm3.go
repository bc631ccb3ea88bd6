package arch

// MiniMax M3: experts of DeepSeek's kind. Its indexer, which leaves out blocks of a long context, is not used: attention
// sees everything, as in the reference without flash attention.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.QKNorm(Head)
		b.Output.Need = true
		b.Dense.Act = SwiGLUOAI
		moe := b.DeepExperts(SelectSame)
		moe.SelectBias, moe.Act = Required, SwiGLUOAI
		b.SharedCount(moe)
		b.Each(func(i int) Layer {
			b.Leave(i, "indexer.")
			return b.Pre(b.At(i), b.DenseFirst(i, moe))
		})
	}, "minimax-m3")
}
