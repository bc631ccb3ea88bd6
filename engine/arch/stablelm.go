package arch

// StableLM: layer norms; StableLM 2 12B normalizes each head with its own weights and has no second norm.
func init() {
	register(func(b *Base) {
		b.LN(Required)
		b.Turn(Halves, false)
		b.Output.Need = true
		b.Each(func(i int) Layer {
			a := b.At(i)
			plain := Norm{Kind: LN, Eps: b.Norm.Eps}
			if b.HasIn(i, "attn_q_norm.weight") {
				a.QNorm = HeadNorm{plain.As("attn_q_norm"), Heads}
			}
			if b.HasIn(i, "attn_k_norm.weight") {
				a.KNorm = HeadNorm{plain.As("attn_k_norm"), Heads}
			}
			if !b.HasIn(i, "ffn_norm.weight") {
				return b.Parallel(a, b.Net(i), "attn_norm", "attn_norm")
			}
			return b.Pre(a, b.Net(i))
		})
	}, "stablelm")
}
