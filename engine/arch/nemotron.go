package arch

// Nemotron 3 and 4, Minitron: layer norms, a network of squared ReLU without a gate.
func init() {
	register(func(b *Base) {
		b.LN(Required)
		b.Turn(Halves, false)
		b.Output.Need = true
		b.Dense.Gate, b.Dense.Act = NoGateFFN, ReLU2
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "nemotron")
}
