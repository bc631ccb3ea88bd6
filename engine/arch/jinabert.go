package arch

// Jina BERT 2: ALiBi that falls to both sides, gated networks, and in its code models norms of q and k and one more of
// the layer's input.
func init() {
	register(func(b *Base) {
		b.bert()
		if b.Input.Types == 0 {
			b.Input.Types = 1 // token_types must be there
		}
		b.Attn.Alibi = 8
		b.Dense.Act = GELU
		b.Classifier(1, TanhAct, Norm{})
		b.Each(func(i int) Layer {
			a, d := b.At(i), b.Net(i)
			if b.HasIn(i, "attn_q_norm.weight") {
				a.QNorm = HeadNorm{Norm{Kind: LN, Eps: b.Norm.Eps, Role: "attn_q_norm", Bias: Optional}, Whole}
			}
			if b.HasIn(i, "attn_k_norm.weight") {
				a.KNorm = HeadNorm{Norm{Kind: LN, Eps: b.Norm.Eps, Role: "attn_k_norm", Bias: Optional}, Whole}
			}
			if !b.HasIn(i, "ffn_gate.weight") {
				d.Gate = NoGateFFN
				if b.Dim(LayerPrefix(i)+"ffn_up.weight", 1) == 2*d.Hidden {
					d.Gate = FusedGate
				}
			}
			l := b.bertLayer(a, d)
			if b.HasIn(i, "attn_norm_2.weight") {
				again := Norm{Kind: LN, Eps: b.Norm.Eps, Role: "attn_norm_2", Bias: Optional}
				l.Steps = []Step{l.Steps[0], {Branches: []Branch{{Op: &Same{}, FromLayer: true}}, After: again}, l.Steps[1]}
			}
			return l
		})
	}, "jina-bert-v2")

	// Jina BERT 3 is XLM-RoBERTa with rotary positions.
	register(func(b *Base) {
		b.bert()
		b.Turn(Halves, false)
		b.Dense.Act, b.Dense.Gate = GELU, NoGateFFN
		b.Each(func(i int) Layer { return b.bertLayer(b.At(i), b.Net(i)) })
	}, "jina-bert-v3")
}
