package arch

import "math"

// MiniCPM 3: latent attention of the older kind; scales are fixed.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.Attn.Rope.Factors = LongShort
		b.Input.Scale = 12
		b.Output.Scale = float32(256 / float64(b.Embd))
		mla := b.ReadMLA()
		mla.QRank = b.Int("attention.q_lora_rank", 0, 1, maxWidth)
		residual := float32(1.4 / math.Sqrt(float64(b.N)))
		b.Each(func(i int) Layer { return scaled(b.Pre(b.LatentAt(i, mla), b.Net(i)), residual) })
	}, "minicpm3")
}
