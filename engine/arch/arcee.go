package arch

// Arcee AFM: llama with a network of squared ReLU without a gate.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, false)
		b.Attn.Rope.Factors = Freqs
		b.Dense.Gate, b.Dense.Act = NoGateFFN, ReLU2
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "arcee")
}
