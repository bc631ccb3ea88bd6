package arch

// CogVLM's text model. The layers' second set of weights is for positions that hold an image.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		a := &b.Attn
		a.Bias, a.OutBias, b.Dense.Bias = Never, Never, Never
		a.Rope.Dim, a.Rope.Base, a.Rope.Factor, a.Rope.Attn, a.Rope.Yarn.Ext = a.KeyDim, 10000, 1, 1, 0
		a.Padded = true
		if a.ValueDim != a.KeyDim {
			b.Problem("attention.value_length", "must be attention.key_length: the three parts of attn_qkv are of one size")
		}
		b.Each(func(i int) Layer {
			b.Spare = append(b.Spare, LayerPrefix(i)+"vis_")
			a := b.At(i)
			a.Fused = true
			return b.Pre(a, b.Net(i))
		})
	}, "cogvlm")
}
