package arch

// Qwen 3: heads of q and k are normalized before their rotation; a head is not embedding / heads wide.
func init() {
	Register(Arch{Names: []string{"qwen3"}, Build: func(b *Base) {
		b.Attn.Rope.Pairing = Halves
		b.Attn.QKNorm, b.Attn.QKEps = PerHeadRMS, b.Norm.Eps
	}})
}
