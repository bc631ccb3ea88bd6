package arch

// Snowflake Arctic: experts beside the plain network, and they see what came into the layer.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, false)
		moe := b.MoE(b.Hidden[0])
		moe.Norm = true
		b.Each(func(i int) Layer {
			n := b.Net(i)
			n.Hidden = b.Embd
			l := b.Pre(b.At(i), n)
			l.Steps[1].Branches = append(l.Steps[1].Branches, Branch{Norm: b.Norm.As("ffn_norm_exps"), Op: b.Layout(i, moe), FromLayer: true})
			return l
		})
	}, "arctic")
}
