package arch

// Granite with windows and sinks; a key says which layers rotate.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, true)
		b.graniteScales()
		b.NeedWindows()
		b.Attn.Sinks = Required
		rotates, _ := b.Flags("attention.rope_pattern", 0)
		residual := float32(b.Float("residual_scale", 0))
		b.Each(func(i int) Layer {
			a := b.At(i)
			if rotates != nil && !rotates[i] {
				a.Rope.Pairing = NoRope
			}
			net := b.graniteNet(i)
			if m, ok := net.(*MoE); ok && m.Shared != nil {
				m.Shared.Gate = FusedGate
			}
			return scaled(b.Pre(a, net), residual)
		})
	}, "granite_swa")
}
