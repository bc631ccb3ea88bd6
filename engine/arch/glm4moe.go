package arch

// GLM 4.5: experts of DeepSeek's kind; the norm before them has the name of one after attention.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.Sections()
		moe := b.DeepExperts(Sigmoid)
		moe.SelectBias = Required
		b.SharedCount(moe)
		b.Each(func(i int) Layer {
			a := b.At(i)
			if b.HasIn(i, "attn_q_norm.weight") {
				a.QNorm = HeadNorm{b.Norm.As("attn_q_norm"), Head}
			}
			if b.HasIn(i, "attn_k_norm.weight") {
				a.KNorm = HeadNorm{b.Norm.As("attn_k_norm"), Head}
			}
			l := b.Pre(a, b.DenseFirst(i, moe))
			l.Steps[1].Branches[0].Norm.Role = "post_attention_norm"
			return l
		})
	}, "glm4moe")
}
