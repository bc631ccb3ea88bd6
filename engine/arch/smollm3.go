package arch

// SmolLM 3: llama, where every fourth layer does not rotate.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, false)
		b.Each(func(i int) Layer {
			a := b.At(i)
			if (i+1)%4 == 0 {
				a.Rope.Pairing = NoRope
			}
			return b.Pre(a, b.Net(i))
		})
	}, "smollm3")
}
