package arch

// Baichuan 1 and 2: the 7B, of 32 layers, is llama; the 13B, of 40, has a linear bias instead of a rotation.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Output.Need = true
		switch b.N {
		case 32:
			b.Turn(Adjacent, false)
		case 40:
			b.Attn.Alibi = 8
		}
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "baichuan")
}
