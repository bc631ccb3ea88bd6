package arch

// Seed-OSS: the norm before the network has the name of one after attention.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.Each(func(i int) Layer {
			l := b.Pre(b.At(i), b.Net(i))
			l.Steps[1].Branches[0].Norm.Role = "post_attention_norm"
			return l
		})
	}, "seed_oss")
}
