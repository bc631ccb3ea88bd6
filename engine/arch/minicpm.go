package arch

import "math"

// MiniCPM 1 and 2: Granite's scales, with values of their own where the file has none.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, true)
		b.Input.Scale = float32(b.Float("embedding_scale", 12))
		if s := b.Float("logit_scale", 256/float64(b.Embd)); s != 0 {
			b.Output.Scale = float32(1 / s)
		}
		residual := b.Float("residual_scale", 1.4/math.Sqrt(float64(b.N)))
		var moe *MoE
		if b.HasExperts() {
			moe = b.MoE(b.Hidden[0])
			moe.Norm = true
		}
		b.Each(func(i int) Layer { return scaled(b.Pre(b.At(i), b.NetOr(i, moe)), float32(residual)) })
	}, "minicpm")
}
