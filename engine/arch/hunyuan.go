package arch

// Hunyuan: heads are normalized after their rotation, whose base may be raised for long contexts. The larger have experts
// beside one that all tokens share, HY 3 those of DeepSeek's kind.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.Sections()
		b.Attn.Rope.Alpha, b.Attn.Rope.Head = b.Float("rope.scaling.alpha", 0), b.Attn.KeyDim
		b.Attn.NormAfterRope = true
		b.QKNorm(Head)
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "hunyuan-dense", "hunyuan_vl")
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.Attn.NormAfterRope = true
		b.QKNorm(Head)
		moe := b.MoE(b.Hidden[0])
		moe.Norm = true
		shared := b.SharedHidden(0)
		b.Each(func(i int) Layer {
			m := b.Layout(i, moe)
			if m.Shared = b.SharedExpert(b.Hidden[i]); shared > 0 {
				m.Shared = b.SharedExpert(shared)
			}
			return b.Pre(b.At(i), m)
		})
	}, "hunyuan-moe")
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.QKNorm(Head)
		moe := b.DeepExperts(Sigmoid)
		moe.SelectBare = true
		moe.Shared = b.SharedExpert(b.SharedHidden(moe.Hidden))
		b.Each(func(i int) Layer {
			if !b.HasIn(i, "ffn_gate_inp.weight") {
				return b.Pre(b.At(i), b.Net(i))
			}
			return b.Pre(b.At(i), b.Layout(i, moe))
		})
	}, "hy_v3")
}
