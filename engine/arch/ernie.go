package arch

// ERNIE 4.5, PaddleOCR's text model among its files; some layers of the larger have experts.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, false)
		b.Attn.OutBias = Never
		b.Each(func(i int) Layer {
			b.Leave(i, "attn_output.bias")
			return b.Pre(b.At(i), b.Net(i))
		})
	}, "ernie4_5")
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.Sections()
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "paddleocr")
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, false)
		moe := b.MoE(b.ExpertHidden(0))
		moe.Norm, moe.SelectBias = true, Optional
		if n := b.SharedHidden(0); n > 0 {
			moe.Shared = b.SharedExpert(n)
		}
		b.Attn.OutBias = Never
		step := b.Int("interleave_moe_layer_step", 0, 1, maxLayers)
		b.Each(func(i int) Layer {
			b.Leave(i, "attn_output.bias")
			if step > 0 && (i+1)%step != 0 {
				return b.Pre(b.At(i), b.Net(i))
			}
			return b.Pre(b.At(i), b.DenseFirst(i, moe))
		})
	}, "ernie4_5-moe")
}
