package arch

// MPT and Replit: layer norms, a linear bias for positions or learned ones; most biases are left out.
func init() {
	register(func(b *Base) {
		b.LN(Optional)
		b.Attn.Clamp = float32(b.Float("attention.clamp_kqv", 0))
		b.Attn.Alibi = float32(b.Float("attention.max_alibi_bias", 0))
		b.Dense = Dense{Gate: NoGateFFN, Act: GELU, Bias: Optional, ActDiv: true}
		if b.Has("position_embd.weight") {
			b.Input.Positions = b.Context
		}
		b.Each(func(i int) Layer {
			a := b.At(i)
			if b.HasIn(i, "attn_q_norm.weight") {
				a.QNorm = HeadNorm{b.Norm.As("attn_q_norm"), Whole}
				a.KNorm = HeadNorm{b.Norm.As("attn_k_norm"), Whole}
			}
			return b.Pre(a, b.Net(i))
		})
	}, "mpt")
}
