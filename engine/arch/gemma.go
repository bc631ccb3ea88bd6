package arch

import "math"

// Gemma 1: embeddings are scaled, the network is gated by GELU, the output is the embedding. Norm weights in files have
// the 1 that the original adds.
func init() {
	register(func(b *Base) {
		b.gemma()
		b.Output.Tied = true
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "gemma")
}

// gemma reads what all Gemmas have in common.
func (b *Base) gemma() {
	b.RMS()
	b.Turn(Halves, false)
	b.Input.Scale = float32(math.Sqrt(float64(b.Embd)))
	b.Dense.Act = GELU
}
