package arch

// Laguna: attention gated by softplus, windows in all but the first of four layers, which rotate without YaRN.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.QKNorm(Head)
		local := b.Attn.Rope
		if b.Int("attention.sliding_window", 0, 0, maxPositions) > 0 {
			b.Windows(Sliding, 4, true)
			local = b.LocalRope(local.Base)
			local.Attn, local.Yarn, local.Dim = 1, Yarn{}, b.LocalDim()
		}
		moe := b.DeepExperts(Sigmoid)
		moe.SelectBias = Required
		shared := b.SharedHidden(0)
		if shared == 0 {
			shared = moe.Hidden * b.Int("expert_shared_count", 0, 0, maxExperts)
		}
		moe.Shared = b.SharedExpert(shared)
		b.Attn.GateSoftplus = true
		b.Each(func(i int) Layer {
			a := b.local(i, local)
			a.Gate = GateHead
			if n := b.Dim(LayerPrefix(i)+"attn_gate.weight", 1); n == a.Heads*a.ValueDim {
				a.Gate = GateElement
			}
			return b.Pre(a, b.DenseFirst(i, moe))
		})
	}, "laguna")
}
