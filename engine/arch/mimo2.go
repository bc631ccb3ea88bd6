package arch

// MiMo V2: windows with sinks, heads of v narrower than of k, experts of sigmoid; attention's result may be scaled.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.Output.Need = true
		b.NeedWindows()
		local := b.LocalRope(10000)
		b.Attn.Sinks, b.Attn.Bias = Optional, Never
		moe := b.MoE(b.ExpertHidden(0))
		moe.Norm, moe.Gating, moe.SelectBias = true, Sigmoid, Optional
		scale := float32(b.Float("attention.value_scale", 0))
		b.Each(func(i int) Layer {
			b.Leave(i, "attn_qkv.bias", "attn_q.bias", "attn_k.bias", "attn_v.bias")
			var net Op = b.Layout(i, moe)
			if !b.HasIn(i, "ffn_gate_inp.weight") {
				net = b.Net(i)
				b.Leave(i, "exp_probs_b")
			}
			l := b.Pre(b.local(i, local), net)
			l.Steps[0].Branches[0].Scale = scale
			return l
		})
	}, "mimo2")
}
