package arch

// BitNet b1.58: norms before the last product of attention and of the network; the output is the embedding.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.Output.Tied = true
		b.Attn.MixedNorm = b.Norm.As("attn_sub_norm")
		b.Dense.Norm = b.Norm.As("ffn_sub_norm")
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "bitnet")
}
