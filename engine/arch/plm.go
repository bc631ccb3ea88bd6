package arch

// PLM: latent attention of the older kind, a network of squared ReLU without a gate; the output is the embedding.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, false)
		b.Output.Tied = true
		b.Dense.Gate, b.Dense.Act = NoGateFFN, ReLU2
		mla := b.ReadMLA()
		b.Each(func(i int) Layer { return b.Pre(b.LatentAt(i, mla), b.Net(i)) })
	}, "plm")
}
