package arch

// BERT, RoBERTa and what grew from them: layer norms after each half of a layer, and around the embeddings.
func init() {
	register(func(b *Base) {
		b.bert()
		b.Input.Positions = b.Context
		b.Dense.Act, b.Dense.Gate = GELU, NoGateFFN
		b.Classifier(b.Embd, TanhAct, Norm{})
		b.Each(func(i int) Layer { return b.bertLayer(b.At(i), b.Net(i)) })
	}, "bert")
}

// bert sets what all of the family have.
func (b *Base) bert() {
	b.LN(Required)
	b.Output.Norm = Norm{}
	b.Input.Norm = b.Norm.As(TokenNorm)
	if b.Has("token_types.weight") {
		b.Input.Types = max(1, b.Dim("token_types.weight", 1))
	}
	b.Embeds()
}

// bertLayer is norm(x + attn(x)), then norm(x + ffn(x)).
func (b *Base) bertLayer(attn, ffn Op) Layer {
	return Layer{Steps: []Step{
		{Branches: []Branch{{Op: attn}}, After: b.Norm.As("attn_output_norm")},
		{Branches: []Branch{{Op: ffn}}, After: b.Norm.As("layer_output_norm")},
	}}
}
