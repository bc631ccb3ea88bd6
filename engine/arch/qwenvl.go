package arch

// The text models of Qwen 2 VL and 3 VL: for text, the sections of the rotation all have the token's position.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Norm.Eps, b.Output.Norm.Eps = 0, 0
		b.Turn(Halves, false)
		b.needSections()
		b.Output.Bias = Optional
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "qwen2vl")
	register(func(b *Base) {
		b.qwen3vl()
		b.QKNorm(Head)
		b.Reranker()
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "qwen3vl")
	register(func(b *Base) {
		b.qwen3vl()
		b.qwen3moe()
	}, "qwen3vlmoe")
}

func (b *Base) qwen3vl() {
	b.RMS()
	b.Turn(Halves, false)
	b.needSections()
	b.Attn.Rope.Interleaved = true
	b.Int("n_deepstack_layers", 0, 0, maxLayers) // layers to which images are added, and text adds nothing
}

// needSections reads rope.dimension_sections, which must be there.
func (b *Base) needSections() {
	if b.Sections(); b.Attn.Rope.Sections == [4]int{} {
		b.Problem("rope.dimension_sections", "missing")
	}
}
