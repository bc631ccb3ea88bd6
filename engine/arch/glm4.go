package arch

// GLM 4: norms before and after, gate and up in one matrix; sections of the rotation in files of the version with vision.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, false)
		if b.Sections() {
			b.Attn.Rope.Pairing = Halves
		}
		b.Dense.Gate = FusedGate
		b.Each(func(i int) Layer { return b.Sandwich(b.At(i), b.Net(i)) })
	}, "glm4")
}
