package arch

import "math"

// Command R7B and A: as Command R; three layers of four have a window, and only those rotate.
func init() {
	register(func(b *Base) {
		b.LN(Never)
		b.Turn(Adjacent, false)
		b.Windows(Sliding, 4, false)
		b.Output.Tied = true
		b.Output.Scale = float32(b.Float("logit_scale", math.NaN()))
		b.Each(func(i int) Layer { return b.Parallel(b.local4(i), b.Net(i), "attn_norm", "attn_norm") })
	}, "cohere2")
}

// local4 is layer i's attention, which rotates only if it has a window.
func (b *Base) local4(i int) *Attn {
	a := b.At(i)
	if !b.Window[i] {
		a.Rope.Pairing = NoRope
	}
	return a
}
