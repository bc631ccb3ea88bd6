package arch

// SmallThinker: the router sees what comes into the layer; experts of ReLU; the first of four layers neither rotates nor
// has a window, which is of 4096 whatever the file says, as in the reference.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		still := b.N
		local := b.Attn.Rope
		if b.Int("attention.sliding_window", 0, 0, maxPositions) > 0 {
			b.Windows(Sliding, 4, true)
			b.Attn.Window.Size = 4096
			local = b.LocalBase(local.Base)
			still = 4
		}
		moe := b.MoE(b.ExpertHidden(b.Hidden[0]))
		moe.Act, moe.Norm, moe.RouteLayer = ReLU, true, true
		if moe.Gating = b.Gating(SelectSame); moe.Gating == SelectSame {
			b.Problem("expert_gating_func", "missing")
		}
		b.Each(func(i int) Layer {
			a := b.local(i, local)
			if still != b.N && i%still == 0 {
				a.Rope.Pairing = NoRope
			}
			return b.Pre(a, b.Layout(i, moe))
		})
	}, "smallthinker")
}
