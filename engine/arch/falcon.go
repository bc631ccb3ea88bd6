package arch

// Falcon: attention and network side by side; the 40B has a norm of its own for attention.
func init() {
	register(func(b *Base) {
		b.LN(Required)
		b.Turn(Halves, false)
		b.Dense = Dense{Gate: NoGateFFN, Act: GELU}
		b.Each(func(i int) Layer {
			attnNorm := Role("attn_norm")
			if b.HasIn(i, "attn_norm_2.weight") {
				attnNorm = "attn_norm_2"
			}
			return b.Parallel(b.At(i), b.Net(i), attnNorm, "attn_norm")
		})
	}, "falcon")
}
