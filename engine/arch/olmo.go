package arch

import "math"

// OLMo 1: layer norms without weights, and perhaps q, k and v that are cut off.
func init() {
	register(func(b *Base) {
		b.Norm = Norm{Kind: LN, Eps: float32(b.Float("attention.layer_norm_epsilon", math.NaN()))}
		b.Output.Norm = b.Norm
		b.Turn(Adjacent, false)
		b.Attn.Clamp = float32(b.Float("attention.clamp_kqv", 0))
		b.Each(func(i int) Layer {
			return Layer{Steps: []Step{
				{Branches: []Branch{{Norm: b.Norm, Op: b.At(i)}}},
				{Branches: []Branch{{Norm: b.Norm, Op: b.Net(i)}}},
			}}
		})
	}, "olmo")
}
