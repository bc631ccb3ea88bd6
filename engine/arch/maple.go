package arch

// Maple: only layers with a window rotate; the experts' gates are cut off.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.QKNorm(Head)
		b.Output.Need = true
		b.NeedWindows()
		local := b.LocalBase(b.Attn.Rope.Base)
		local.Dim = b.LocalDim()
		moe := b.MoE(b.ExpertHidden(0))
		moe.Norm = true
		limits := b.Floats("swiglu_clamp_exp")
		b.Each(func(i int) Layer {
			a := b.local(i, local)
			if !b.Window[i] {
				a.Rope.Pairing = NoRope
			}
			m := b.Layout(i, moe)
			m.Limit = Limit{limits[i], true}
			return b.Pre(a, m)
		})
	}, "maple")
}
