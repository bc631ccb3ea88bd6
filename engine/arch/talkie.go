package arch

import "math"

// Talkie: norms without weights, heads of q scaled by a number each, and a part of the embedding added after every layer.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Input.Norm, b.Output.Norm = b.Norm, b.Norm
		b.Turn(Halves, false)
		b.Output.Need = true
		b.Output.Scale = float32(b.Float("logit_scale", math.NaN()))
		b.Attn.NormAfterRope = true
		b.Attn.QNorm = HeadNorm{b.Norm.As("attn_q_norm"), HeadScales}
		b.Attn.KNorm = HeadNorm{b.Norm, Head}
		b.Each(func(i int) Layer {
			return Layer{Steps: []Step{
				{Branches: []Branch{{Norm: b.Norm, Op: b.At(i)}}},
				{Branches: []Branch{{Norm: b.Norm, Op: b.Net(i)}}},
				{Branches: []Branch{{Op: &Skip{Role: "layer_output_scale"}}}},
			}}
		})
	}, "talkie")
}
