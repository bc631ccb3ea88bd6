package arch

// ChatGLM 3, GLM 4 9B: part of a head rotates, gate and up are one matrix.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, false)
		b.Dense.Gate = FusedGate
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "chatglm")
}
