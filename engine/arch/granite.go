package arch

// Granite 3 and 4 without recurrent layers: scales of everything, and experts with one that all tokens share.
func init() {
	register(func(b *Base) {
		b.granite()
		residual := float32(b.Float("residual_scale", 0))
		b.Each(func(i int) Layer { return scaled(b.Pre(b.At(i), b.graniteNet(i)), residual) })
	}, "granite", "granitemoe")
}

// granite reads what the Granite models have in common.
func (b *Base) granite() {
	b.RMS()
	b.Turn(Adjacent, true)
	b.graniteScales()
	if b.Name == "granite" && !b.Bool("rope.scaling.finetuned", true) {
		b.Attn.Rope.Pairing = NoRope
	}
}

func (b *Base) graniteScales() {
	b.Input.Scale = float32(b.Float("embedding_scale", 0))
	b.Attn.Scale = float32(b.Float("attention.scale", 0))
	if s := b.Float("logit_scale", 0); s != 0 {
		b.Output.Scale = float32(1 / s)
	} else {
		b.Problem("logit_scale", "missing or 0")
	}
}

// graniteNet is the network of layer i.
func (b *Base) graniteNet(i int) Op {
	if !b.HasExperts() {
		return b.Net(i)
	}
	moe := b.MoE(b.Hidden[i])
	moe.Norm = true
	if n := b.SharedHidden(0); n > 0 {
		moe.Shared = b.SharedExpert(n)
	}
	return b.Layout(i, moe)
}

// scaled multiplies the result of all branches of a layer.
func scaled(l Layer, scale float32) Layer {
	for _, s := range l.Steps {
		for i := range s.Branches {
			s.Branches[i].Scale = scale
		}
	}
	return l
}
