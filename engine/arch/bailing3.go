package arch

// Ling and Ring 3: delta attention in most layers, latent attention with a gate for each head in the others, DeepSeek's
// experts, whose units may be cut off.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, false)
		b.Dense.Bias = Never
		mla := b.ReadMLA()
		mla.QRank = b.Int("attention.q_lora_rank", 0, 0, maxWidth)
		mla.Gated = true
		kda := b.kda()
		kda.Direct = true
		if !b.Bool("kda.safe_gate", true) {
			b.Unsupported("kda.safe_gate", "decays without a lower bound cannot be run here")
		}
		if kda.Bound = float32(b.Float("kda.gate_lower_bound", 0)); kda.Bound >= 0 {
			b.Problem("kda.gate_lower_bound", "missing, or not below 0")
		}
		moe := b.DeepExperts(SelectSame)
		moe.SelectBias = Required
		shared := b.SharedHidden(0)
		if n := b.Int("expert_shared_count", 0, 0, maxExperts); shared == 0 {
			shared = moe.Hidden * max(1, n)
		}
		limits, sharedLimits := b.Floats("swiglu_clamp_exp"), b.Floats("swiglu_clamp_shexp")
		b.Each(func(i int) Layer {
			net := b.DenseFirst(i, moe)
			switch net := net.(type) {
			case *Dense:
				net.Limit.Top = sharedLimits[i]
			case *MoE:
				net.Limit.Top = limits[i]
				net.Shared = b.SharedExpert(shared)
				net.Shared.Limit.Top = sharedLimits[i]
			}
			if b.Recurrent(i) {
				own := b.kdaAt(i, kda)
				own.Fused = false
				return b.Pre(own, net)
			}
			return b.Pre(b.LatentAt(i, mla), net)
		})
	}, "bailingmoe3")
}
