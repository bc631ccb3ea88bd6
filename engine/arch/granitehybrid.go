package arch

// Granite 4: Mamba 2 in most layers and attention in the others, with Granite's scales and networks.
func init() {
	register(func(b *Base) {
		b.RMS()
		if b.Bool("rope.scaling.finetuned", true) {
			b.Turn(Adjacent, true)
		}
		b.Input.Scale = float32(b.Float("embedding_scale", 0))
		b.Attn.Scale = float32(b.Float("attention.scale", 0))
		if s := b.Float("logit_scale", 0); s != 0 {
			b.Output.Scale = float32(1 / s)
		}
		residual := float32(b.Float("residual_scale", 0))
		ssm := b.SSM(Mamba2)
		ssm.ConvBias, ssm.Norm = Optional, b.Norm.As("ssm_norm")
		b.Each(func(i int) Layer {
			if b.Recurrent(i) {
				return scaled(b.Pre(ssm, b.graniteNet(i)), residual)
			}
			return scaled(b.Pre(b.At(i), b.graniteNet(i)), residual)
		})
	}, "granitehybrid")
}
