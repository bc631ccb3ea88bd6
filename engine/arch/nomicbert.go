package arch

// Nomic BERT: rotary positions and gated networks; its second version has experts in every other layer instead.
func init() {
	register(func(b *Base) {
		b.bert()
		b.Turn(Halves, false)
		b.Dense.Bias = Never
		b.Each(func(i int) Layer { return b.bertLayer(b.At(i), b.Net(i)) })
	}, "nomic-bert")

	register(func(b *Base) {
		b.bert()
		b.Turn(Halves, false)
		b.Dense.Act, b.Dense.Gate = GELU, NoGateFFN
		every := b.Int("moe_every_n_layers", 0, 0, maxLayers)
		b.Each(func(i int) Layer {
			if every == 0 || i%every != 1 {
				return b.bertLayer(b.At(i), b.Net(i))
			}
			moe := b.MoE(b.Hidden[i])
			moe.Layout, moe.Act = PackedPlain, GELU
			return b.bertLayer(b.At(i), moe)
		})
	}, "nomic-bert-moe")
}
