package arch

// Falcon H1: attention and Mamba 2 side by side in every layer, on the same input.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.Attn.OutBias = Never
		b.Spare = append(b.Spare, string(RopeFreqs)) // known, and not used
		ssm := b.SSM(Mamba2)
		ssm.ConvBias = Optional
		b.Each(func(i int) Layer {
			mixer := *ssm
			if b.HasIn(i, "ssm_norm.weight") {
				mixer.Norm = b.Norm.As("ssm_norm")
			}
			l := b.Parallel(b.At(i), &mixer, "attn_norm", "attn_norm")
			norm := b.Norm.As("ffn_norm")
			norm.Bare = true
			l.Steps = append(l.Steps, Step{Branches: []Branch{{Norm: norm, Op: b.Net(i)}}})
			return l
		})
	}, "falcon-h1")
}
