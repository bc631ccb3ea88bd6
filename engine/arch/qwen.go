package arch

// Qwen 1: biases on q, k and v; feed_forward_length counts gate and up together.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.Output.Need = true
		b.Attn.Bias = Required
		b.Each(func(i int) Layer {
			n := b.Net(i)
			n.Hidden /= 2
			return b.Pre(b.At(i), n)
		})
	}, "qwen")
}
