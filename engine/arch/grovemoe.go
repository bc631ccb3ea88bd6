package arch

import "math"

// GroveMoE: Qwen 3 with experts in groups, each with a smaller expert that its members share.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.QKNorm(Head)
		moe := b.qwenExperts()
		moe.Norm, moe.Select = true, Sigmoid
		moe.Chunks = Chunks{
			PerGroup: b.Int("experts_per_group", 0, 1, max(1, moe.Experts)),
			Hidden:   b.Int("expert_chunk_feed_forward_length", b.Attn.KeyDim, 0, maxWidth),
			Scale:    float32(b.Float("expert_group_scale", math.NaN())),
		}
		c := &moe.Chunks
		if c.Hidden == 0 {
			c.Hidden = b.Attn.KeyDim
		}
		if c.PerGroup > 0 && moe.Experts%c.PerGroup != 0 {
			b.Problem("experts_per_group", show(int64(moe.Experts))+" experts are not whole groups of "+show(int64(c.PerGroup)))
		}
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Layout(i, moe)) })
	}, "grovemoe")
}
