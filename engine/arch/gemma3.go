package arch

// Gemma 3: norms of heads instead of soft caps; five layers of six have a window and a rotation of their own.
func init() {
	register(func(b *Base) {
		b.gemma()
		b.QKNorm(Head)
		if b.Int("attention.sliding_window", 0, 0, maxPositions) > 0 {
			b.Windows(Sliding, 6, false)
		}
		b.Output.Softcap = float32(b.Float("final_logit_softcapping", 0))
		b.wideScale(62)
		local := b.LocalRope(10000)
		b.Each(func(i int) Layer { return b.Sandwich(b.local(i, local), b.Net(i)) })
	}, "gemma3")
}
