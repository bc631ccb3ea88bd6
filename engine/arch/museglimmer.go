package arch

import "math"

// Muse Glimmer: normalized embeddings, gated attention, norms before and after; only layers with a window rotate.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, false)
		b.QKNorm(Head)
		b.Input.Norm = b.Norm
		b.Output.Need = true
		b.Output.Scale = float32(b.Float("logit_scale", math.NaN()))
		b.Output.Softcap = float32(b.Float("final_logit_softcapping", 30))
		b.Windows(Sliding, 4, false)
		b.Attn.Gate = GateElement
		local := b.LocalRope(b.Attn.Rope.Base)
		b.Each(func(i int) Layer {
			a := b.local(i, local)
			if !b.Window[i] {
				a.Rope.Pairing = NoRope
			}
			l := b.Sandwich(a, b.Net(i))
			for _, s := range l.Steps {
				s.Branches[0].Post.Eps = 1e-8
			}
			return l
		})
	}, "muse-glimmer")
}
