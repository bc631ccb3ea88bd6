package arch

import "strconv"

// RWKV 6, and QRWKV: its time mixing, without the bonus and norm of heads, in the place of attention in Qwen 2.
func init() {
	register(func(b *Base) {
		b.LN(Required)
		b.Input.Norm = b.Norm.As(TokenNorm)
		b.Output.Need = true
		b.needShift(2)
		mix := b.timeMix6()
		mix.KVHeads = b.Embd / mix.HeadSize
		half := b.Int("rescale_every_n_layers", 0, 0, maxLayers)
		channels := &ChannelMix{Hidden: b.Hidden[0], Receptance: true}
		if channels.Hidden == 0 {
			b.Problem("feed_forward_length", "missing")
		}
		b.Each(func(i int) Layer {
			m := *mix
			m.Fused = b.HasIn(i, "time_mix_lerp_fused.weight")
			l := b.Pre(&m, channels)
			l.Steps[1].Branches[0].Norm.Role = "attn_norm_2"
			if half > 0 && (i+1)%half == 0 { // halves the stream: exact, as it is a power of two
				l.Steps[1].Keep, l.Steps[1].Branches[0].Scale = 0.5, 0.5
			}
			return l
		})
	}, "rwkv6")
	register(func(b *Base) {
		b.RMS()
		b.Output.Norm.Bias = Optional
		b.Output.Need = true
		b.Dense.Bias = Never
		b.needShift(1)
		b.Int("rescale_every_n_layers", 0, 0, maxLayers) // known, and without a say
		mix := b.timeMix6()
		mix.Gated, mix.Fused, mix.Bias = true, true, Optional
		b.Each(func(i int) Layer {
			m := *mix
			heads := b.Embd / m.HeadSize
			if m.KVHeads = b.KV[i]; m.KVHeads == 0 {
				m.KVHeads = heads
			}
			if heads%m.KVHeads != 0 {
				b.Problem("attention.head_count_kv", strconv.Itoa(heads)+" heads cannot share "+strconv.Itoa(m.KVHeads)+" in layer "+strconv.Itoa(i))
			}
			return b.Pre(&m, b.Net(i))
		})
	}, "rwkv6qwen2")
}

// RWKV6 is the time mixing of RWKV 6.
type RWKV6 struct {
	HeadSize   int // wkv.head_size
	KVHeads    int
	Extra      int  // time_mix_extra_dim: rank of the matrices that say how much columns mix with those before
	DecayExtra int  // time_decay_extra_dim: rank of those that make the decay
	Fused      bool // the five rates of mixing are one tensor
	Gated      bool // gated linear attention: no bonus for the token itself, no norm of heads
	Bias       Need // of key, value and receptance
}

// RWKV6Lerps are the rates of mixing, one tensor each in older files.
var RWKV6Lerps = [5]Role{"time_mix_lerp_w", "time_mix_lerp_k", "time_mix_lerp_v", "time_mix_lerp_r", "time_mix_lerp_g"}

func (b *Base) timeMix6() *RWKV6 {
	return &RWKV6{
		HeadSize:   b.headSize(),
		Extra:      b.Int("time_mix_extra_dim", 0, 1, maxWidth),
		DecayExtra: b.Int("time_decay_extra_dim", 0, 1, maxWidth),
	}
}

// headSize is the elements of a head of RWKV.
func (b *Base) headSize() int {
	n := b.Int("wkv.head_size", 0, 1, maxWidth)
	if n == 0 || b.Embd%n != 0 {
		b.Problem("wkv.head_size", strconv.Itoa(b.Embd)+" elements cannot be heads of "+strconv.Itoa(n))
		return b.Embd
	}
	return n
}

// needShift checks in how many places of a layer columns mix with those before.
func (b *Base) needShift(n int) {
	if got := b.Int("token_shift_count", 2, 0, maxLayers); got != n {
		b.Unsupported("token_shift_count", strconv.Itoa(got)+" cannot be run, only "+strconv.Itoa(n))
	}
}

// Memory is the last column and a matrix for each head.
func (r *RWKV6) Memory(embd int) int64 { return int64(embd) * int64(1+r.HeadSize) }

func (r *RWKV6) tensors(t *table) {
	kv := r.KVHeads * r.HeadSize
	t.linear("time_mix_w1", 5*r.Extra, t.embd, Never)
	t.add("time_mix_w2", Weight, Required, Expert, 5, t.embd, r.Extra)
	t.add("time_mix_lerp_x", Weight, Required, Values, t.embd)
	if r.Fused {
		t.add("time_mix_lerp_fused", Weight, Required, Values, 5, 1, 1, t.embd)
	} else {
		for _, l := range RWKV6Lerps {
			t.add(l, Weight, Required, Values, t.embd)
		}
	}
	t.add("time_mix_decay", Weight, Required, Values, t.embd)
	t.linear("time_mix_decay_w1", r.DecayExtra, t.embd, Never)
	t.linear("time_mix_decay_w2", t.embd, r.DecayExtra, Never)
	t.linear("time_mix_key", kv, t.embd, r.Bias)
	t.linear("time_mix_value", kv, t.embd, r.Bias)
	t.linear("time_mix_receptance", t.embd, t.embd, r.Bias)
	t.linear("time_mix_gate", t.embd, t.embd, Never)
	if !r.Gated {
		t.add("time_mix_first", Weight, Required, Values, t.embd/r.HeadSize, r.HeadSize)
		t.add("time_mix_ln", Weight, Required, Values, t.embd)
		t.add("time_mix_ln", Bias, Required, Values, t.embd)
	}
	t.linear("time_mix_output", t.embd, t.embd, Never)
}

// ChannelMix is the feed-forward network of RWKV.
type ChannelMix struct {
	Hidden     int
	Receptance bool // the result is gated
}

// Memory is the last column.
func (c *ChannelMix) Memory(embd int) int64 { return int64(embd) }

func (c *ChannelMix) tensors(t *table) {
	t.add("channel_mix_lerp_k", Weight, Required, Values, t.embd)
	t.linear("channel_mix_key", c.Hidden, t.embd, Never)
	if c.Receptance {
		t.add("channel_mix_lerp_r", Weight, Required, Values, t.embd)
		t.linear("channel_mix_receptance", t.embd, t.embd, Never)
	}
	t.linear("channel_mix_value", t.embd, c.Hidden, Never)
}
