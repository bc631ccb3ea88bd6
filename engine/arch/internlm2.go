package arch

// InternLM 2 and XVERSE: llama by another name.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, false)
		b.Output.Need = true
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "internlm2", "xverse")
}
