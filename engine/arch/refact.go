package arch

// Refact: llama with a linear bias instead of a rotation.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Attn.Alibi = 8
		b.Attn.OutBias, b.Dense.Bias = Never, Never
		b.Each(func(i int) Layer {
			b.Leave(i, "attn_output.bias", "ffn_gate.bias", "ffn_up.bias", "ffn_down.bias")
			return b.Pre(b.At(i), b.Net(i))
		})
	}, "refact")
}
