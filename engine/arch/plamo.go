package arch

// PLaMo 1 has attention and network side by side. PLaMo 3 has norms before and after, and windows.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.Output.Need = true
		b.Each(func(i int) Layer { return b.Parallel(b.At(i), b.Net(i), "attn_norm", "attn_norm") })
	}, "plamo")
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.QKNorm(Head)
		b.Dense.Gate = FusedGate
		local := b.Attn.Rope
		if b.Int("attention.sliding_window", 0, 0, maxPositions) > 0 {
			local = b.LocalRope(10000)
			b.Windows(Sliding, 8, false)
		}
		b.Each(func(i int) Layer {
			l := b.Sandwich(b.local(i, local), b.Net(i))
			for _, s := range l.Steps {
				s.Branches[0].Post.Bare = true
			}
			return l
		})
	}, "plamo3")
}
