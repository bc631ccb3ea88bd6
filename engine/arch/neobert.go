package arch

// NeoBERT: Llama's layers, with gate and up in one matrix.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Embeds()
		b.Output.Norm = b.Norm.As("enc.output_norm")
		b.Turn(Adjacent, false)
		b.Attn.Bias, b.Attn.OutBias, b.Dense.Bias = Never, Never, Never
		b.Dense.Gate = FusedGate
		b.Classifier(b.Embd, TanhAct, Norm{})
		b.Each(func(i int) Layer {
			a := b.At(i)
			a.Fused = true
			return b.Pre(a, b.Net(i))
		})
	}, "neo-bert")
}
