package arch

// Gemma 2: norms before and after, soft caps, and a window in every other layer.
func init() {
	register(func(b *Base) {
		b.gemma()
		b.Output.Tied = true
		b.Windows(Sliding, 2, false)
		b.Attn.Window.Size = b.Int("attention.sliding_window", 4096, 0, maxPositions)
		b.Attn.Softcap = float32(b.Float("attn_logit_softcapping", 50))
		b.Output.Softcap = float32(b.Float("final_logit_softcapping", 30))
		b.wideScale(46)
		local := b.LocalRope(b.Attn.Rope.Base)
		local.Factor = b.Attn.Rope.Factor
		b.Each(func(i int) Layer { return b.Sandwich(b.local(i, local), b.Net(i)) })
	}, "gemma2")
}

// wideScale is the score's scale of the largest Gemma of a generation, which has as many layers: that of heads as wide as
// the embedding divided by their number.
func (b *Base) wideScale(layers int) {
	if b.N == layers && b.Heads[0] > 0 {
		b.Attn.Scale = inverseRoot(b.Embd / b.Heads[0])
	}
}

// local is layer i's attention, rotated by r if it has a window.
func (b *Base) local(i int, r Rope) *Attn {
	a := b.At(i)
	if b.Window[i] {
		a.Rope = r
	}
	return a
}
