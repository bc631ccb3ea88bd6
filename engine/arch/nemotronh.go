package arch

// Nemotron H: each layer is one thing, Mamba 2, attention without rotation, or a network; in the larger ones experts,
// which may work in a narrower space.
func init() {
	register(func(b *Base) {
		b.LN(Never)
		b.Norm = Norm{Kind: RMS, Eps: float32(b.Float("attention.layer_norm_rms_epsilon", float64(b.Norm.Eps)))}
		b.Output.Norm = b.Norm.As(OutputNorm)
		b.Dense.Act, b.Dense.Gate = ReLU2, NoGateFFN
		ssm := b.SSM(Mamba2)
		ssm.ConvBias, ssm.Norm = Optional, b.Norm.As("ssm_norm")
		b.Each(func(i int) Layer {
			switch {
			case b.Hidden[i] > 0 && b.HasExperts():
				return b.One(b.nemotronExperts(i))
			case b.Hidden[i] > 0:
				return b.One(b.Net(i))
			case b.Recurrent(i):
				return b.One(ssm)
			}
			return b.One(b.At(i))
		})
	}, "nemotron_h", "nemotron_h_moe")
}

// nemotronExperts is layer i's experts.
func (b *Base) nemotronExperts(i int) *MoE {
	used := b.Ints("expert_used_count", make([]int, b.blocks))[i]
	hidden := b.Ints("expert_feed_forward_length", make([]int, b.blocks))[i]
	if hidden == 0 && used > 0 { // as older files have it
		hidden = b.Hidden[i] / used
	}
	if hidden == 0 {
		b.Problem("expert_feed_forward_length", "missing")
	}
	m := b.Layout(i, &MoE{Experts: b.Int("expert_count", 0, 1, maxExperts), Hidden: hidden})
	b.groups(m)
	m.Latent = b.Int("moe_latent_size", 0, 0, maxWidth)
	m.Act, m.Gating, m.Layout = ReLU2, Sigmoid, PackedPlain
	m.SelectBias = Required
	m.Norm, m.Scale = b.Bool("expert_weights_norm", false), b.WeightsScale()
	m.Shared = b.SharedExpert(b.SharedHidden(0))
	m.Shared.Bias = Never
	b.Int("expert_shared_count", 0, 0, maxExperts)
	return m
}
