package arch

import "math"

// Cohere 2 with experts: the mean of theirs and a shared one's, beside attention. Layers with a window rotate, and those
// without experts.
func init() {
	register(func(b *Base) {
		if b.Float("attention.layer_norm_rms_epsilon", 0) != 0 {
			b.RMS()
		} else {
			b.LN(Never)
		}
		b.Turn(Adjacent, false)
		b.Windows(Sliding, 4, true)
		b.Output.Scale = float32(b.Float("logit_scale", math.NaN()))
		moe := b.DeepExperts(Sigmoid)
		moe.SelectBias = Never
		scale := float32(1)
		if n := b.Int("expert_shared_count", 0, 0, maxExperts); n > 0 {
			moe.Shared = b.SharedExpert(b.SharedHidden(n * moe.Hidden))
			scale = 0.5
		}
		lead := b.Int("leading_dense_block_count", 0, 0, maxLayers)
		b.Each(func(i int) Layer {
			if i < lead {
				return b.Parallel(b.At(i), b.Net(i), "attn_norm", "attn_norm")
			}
			l := b.Parallel(b.local4(i), b.Layout(i, moe), "attn_norm", "attn_norm")
			l.Steps[0].Branches[1].Scale = scale
			return l
		})
	}, "cohere2moe")
}
