package arch

// OLMo 2 and 3: norms come after; q and k are normalized as whole vectors. OLMo 3 has windows in three layers of four,
// which rotate without YaRN.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.QKNorm(Whole)
		b.Output.Need = true
		if b.Int("attention.sliding_window", 0, 0, maxPositions) > 0 {
			b.Windows(Sliding, 4, false)
		}
		local := b.Attn.Rope
		local.Factor, local.Attn, local.Yarn = 1, 1, Yarn{}
		b.Each(func(i int) Layer { return b.Post(b.local(i, local), b.Net(i)) })
	}, "olmo2")
}
