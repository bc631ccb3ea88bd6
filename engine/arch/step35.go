package arch

// Step 3.5: one gate a head, half of a head rotates in layers without a window, experts whose units are cut off.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, true)
		b.Output.Need = true
		b.NeedWindows()
		local := b.LocalRope(10000)
		local.Dim, local.Factors = b.LocalDim(), NoFactors
		b.Attn.Rope.NFactors = max(local.Dim, b.Attn.Rope.Dim/2) / 2
		b.Attn.Rope.Dim /= 2
		moe := b.DeepExperts(Sigmoid)
		shared := b.SharedHidden(0)
		limits, sharedLimits := b.Floats("swiglu_clamp_exp"), b.Floats("swiglu_clamp_shexp")
		b.Each(func(i int) Layer {
			a := b.local(i, local)
			if b.HasIn(i, "attn_q_norm.weight") {
				a.QNorm = HeadNorm{b.Norm.As("attn_q_norm"), Head}
			}
			if b.HasIn(i, "attn_k_norm.weight") {
				a.KNorm = HeadNorm{b.Norm.As("attn_k_norm"), Head}
			}
			if b.HasIn(i, "attn_gate.weight") {
				a.Gate = GateHead
			}
			if !b.HasIn(i, "ffn_gate_inp.weight") {
				b.Leave(i, "exp_probs_b")
				n := b.Net(i)
				n.Limit.Top = sharedLimits[i]
				return b.Pre(a, n)
			}
			m := b.Layout(i, moe)
			m.Limit.Top = limits[i]
			m.Shared = b.SharedExpert(shared)
			m.Shared.Limit.Top = sharedLimits[i]
			return b.Pre(a, m)
		})
	}, "step35")
}
