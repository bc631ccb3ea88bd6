package arch

// Qwen 1.5, 2 and 2.5: biases on q, k and v, which every attention here may have, and perhaps on the output.
func init() {
	Register(Arch{Names: []string{"qwen2"}, Build: func(b *Base) {
		b.Attn.Rope.Pairing = Halves
		b.OutputBias = true
	}})
}
