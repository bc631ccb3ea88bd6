package arch

import "math"

// Arcee Trinity (AFMoE): gated attention, norms before and after, every fourth layer does not rotate and has no window.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.QKNorm(Head)
		b.Input.Scale = float32(math.Sqrt(float64(b.Embd)))
		b.Attn.Gate = GateElement
		local := b.Attn.Rope
		if b.Int("attention.sliding_window", 0, 0, maxPositions) > 0 {
			b.Windows(Sliding, 4, false)
			local.Base = b.Float("rope.freq_base_swa", local.Base)
		}
		moe := b.DeepExperts(Sigmoid)
		moe.SelectBias = Required
		b.SharedCount(moe)
		b.Each(func(i int) Layer {
			a := b.local(i, local)
			if (i+1)%4 == 0 {
				a.Rope.Pairing = NoRope
			}
			return b.Sandwich(a, b.DenseFirst(i, moe))
		})
	}, "afmoe")
}
