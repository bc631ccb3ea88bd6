package arch

import "math"

// DBRX: experts behind layer norms without bias; q, k and v are cut off.
func init() {
	register(func(b *Base) {
		b.LN(Never)
		b.Turn(Halves, false)
		b.Output.Need = true
		b.Attn.Clamp = float32(b.Float("attention.clamp_kqv", math.NaN()))
		moe := b.MoE(b.Hidden[0])
		moe.Norm = true
		b.Each(func(i int) Layer {
			l := b.Pre(b.At(i), b.Layout(i, moe))
			l.Steps[1].Branches[0].Norm.Role = "attn_output_norm"
			return l
		})
	}, "dbrx")
}
