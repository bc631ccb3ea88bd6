package arch

// Command R: attention and network side by side behind one norm without bias. The largest normalizes its heads.
func init() {
	register(func(b *Base) {
		b.LN(Never)
		b.Turn(Adjacent, false)
		if b.N >= 64 {
			b.QKNorm(Heads)
		}
		b.Output.Tied = true
		b.Output.Scale = float32(b.Float("logit_scale", 0))
		b.Each(func(i int) Layer { return b.Parallel(b.At(i), b.Net(i), "attn_norm", "attn_norm") })
	}, "command-r")
}
