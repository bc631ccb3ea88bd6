package arch

// RWKV 7, and ARWKV: its time mixing in the place of attention in Qwen 2, where gate and norm of heads may be absent.
func init() {
	register(func(b *Base) {
		b.LN(Required)
		b.Input.Norm = b.Norm.As(TokenNorm)
		b.Output.Need = true
		b.needShift(2)
		mix := b.timeMix7()
		if mix.Gate == 0 {
			b.Problem("attention.gate_lora_rank", "missing")
		}
		channels := &ChannelMix{Hidden: b.Hidden[0]}
		if channels.Hidden == 0 {
			b.Problem("feed_forward_length", "missing")
		}
		b.Each(func(i int) Layer {
			l := b.Pre(mix.at(i), channels)
			l.Steps[1].Branches[0].Norm.Role = "attn_norm_2"
			return l
		})
	}, "rwkv7")
	register(func(b *Base) {
		b.RMS()
		b.Output.Need = true
		b.Dense.Bias = Never
		b.needShift(1)
		mix := b.timeMix7()
		b.Each(func(i int) Layer {
			m := mix.at(i)
			if !b.HasIn(i, "time_mix_g1.weight") || !b.HasIn(i, "time_mix_g2.weight") {
				m.Gate = 0
			}
			m.Plain = !b.HasIn(i, "time_mix_ln.weight") || !b.HasIn(i, "time_mix_ln.bias")
			return b.Pre(m, b.Net(i))
		})
	}, "arwkv7")
}

// RWKV7 is the time mixing of RWKV 7.
type RWKV7 struct {
	HeadSize int  // wkv.head_size
	Decay    int  // attention.decay_lora_rank: rank of the matrices that make the decay, and so below
	Rate     int  // attention.iclr_lora_rank: the rate of learning in context
	Value    int  // attention.value_residual_mix_lora_rank: how values are drawn to the first layer's; 0 in that layer
	Gate     int  // attention.gate_lora_rank; 0: there is no gate
	Plain    bool // no norm of heads
}

func (b *Base) timeMix7() *RWKV7 {
	for _, r := range []string{"time_mix_v0.", "time_mix_v1.", "time_mix_v2."} { // the first layer has them for nothing
		b.Spare = append(b.Spare, LayerPrefix(0)+r)
	}
	return &RWKV7{
		HeadSize: b.headSize(),
		Decay:    b.Int("attention.decay_lora_rank", 0, 1, maxWidth),
		Rate:     b.Int("attention.iclr_lora_rank", 0, 1, maxWidth),
		Value:    b.Int("attention.value_residual_mix_lora_rank", 0, 1, maxWidth),
		Gate:     b.Int("attention.gate_lora_rank", 0, 0, maxWidth),
	}
}

// at is the time mixing of layer i.
func (r *RWKV7) at(i int) *RWKV7 {
	m := *r
	if i == 0 {
		m.Value = 0
	}
	return &m
}

// Memory is the last column and a matrix for each head.
func (r *RWKV7) Memory(embd int) int64 { return int64(embd) * int64(1+r.HeadSize) }

func (r *RWKV7) tensors(t *table) {
	lerps := 5
	if r.Gate > 0 {
		lerps++
	}
	lora := func(v0, v1, v2 Role, rank int) {
		if v0 != "" {
			t.add(v0, Weight, Required, Values, t.embd)
		}
		t.linear(v1, rank, t.embd, Never)
		t.linear(v2, t.embd, rank, Never)
	}
	t.add("time_mix_lerp_fused", Weight, Required, Values, lerps, 1, 1, t.embd)
	t.linear("time_mix_receptance", t.embd, t.embd, Never)
	lora("time_mix_w0", "time_mix_w1", "time_mix_w2", r.Decay)
	t.linear("time_mix_key", t.embd, t.embd, Never)
	t.linear("time_mix_value", t.embd, t.embd, Never)
	if r.Value > 0 {
		lora("time_mix_v0", "time_mix_v1", "time_mix_v2", r.Value)
	}
	lora("time_mix_a0", "time_mix_a1", "time_mix_a2", r.Rate)
	if r.Gate > 0 {
		lora("", "time_mix_g1", "time_mix_g2", r.Gate)
	}
	for _, role := range []Role{"time_mix_k_k", "time_mix_k_a", "time_mix_r_k"} {
		t.add(role, Weight, Required, Values, t.embd)
	}
	if !r.Plain {
		t.add("time_mix_ln", Weight, Required, Values, t.embd)
		t.add("time_mix_ln", Bias, Required, Values, t.embd)
	}
	t.linear("time_mix_output", t.embd, t.embd, Never)
}
