package arch

// Spark 2.5: one gate a head, windows, a gated network of GELU.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.NeedWindows()
		local := b.LocalBase(b.Attn.Rope.Base)
		local.Dim = b.LocalDim()
		b.Attn.Gate = GateHead
		b.Dense.Act = GELU
		b.Each(func(i int) Layer { return b.Pre(b.local(i, local), b.Net(i)) })
	}, "spark2_5")
}
