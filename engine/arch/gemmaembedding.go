package arch

import "math"

// EmbeddingGemma: Gemma 3 that sees both sides, and two linear layers behind the pooling where the file has them.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Embeds()
		b.Turn(Halves, false)
		b.QKNorm(Head)
		b.Input.Scale = float32(math.Sqrt(float64(b.Embd)))
		b.Attn.Bias, b.Attn.OutBias, b.Dense.Bias = Optional, Never, Never
		b.Dense.Act = GELU
		b.Int("attention.sliding_window", 0, 1, maxPositions)
		b.Windows(Symmetric, 6, false)
		local := b.LocalRope(10000)
		b.DenseHead()
		b.Each(func(i int) Layer {
			a := b.At(i)
			if b.Window[i] {
				a.Rope = local
			}
			return b.Sandwich(a, b.Net(i))
		})
	}, "gemma-embedding")
}
