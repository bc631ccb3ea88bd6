package arch

import "strconv"

// Delta is a gated delta net (Yang et al. 2024) or Kimi Delta Attention (2025).
type Delta struct {
	Form     DeltaForm
	KeyHeads int     // ssm.group_count: heads of q and k
	Heads    int     // ssm.time_step_rank: heads of v, a multiple of KeyHeads
	Dim      int     // ssm.state_size: elements of a head
	Kernel   int     // ssm.conv_kernel: tokens that the convolution sees
	Packed   bool    // q, k, v and the gate are one tensor, key head by key head: files of late 2025
	Fused    bool    // of KDA: q, k and v are one tensor
	Direct   bool    // of KDA: decay and gate are made by one matrix each, not by two of low rank
	Bound    float32 // of KDA: kda.gate_lower_bound, the least logarithm of a decay, which is then a share of it; 0: there is none
	Norm     Norm    // of each head of the result; its epsilon is that of the length of q and k too
}

// DeltaForm is which tensors a delta net has, and which heads go together.
type DeltaForm uint8

const (
	DeltaSplit  DeltaForm = iota // ssm_beta and ssm_alpha; head h has the key of head h modulo KeyHeads (Qwen 3.5)
	DeltaPaired                  // ssm_ba, key head by key head; neighbouring heads share a key (Qwen 3 Next)
	KDA                          // each element of a key decays by itself
)

// DeltaNet reads a gated delta net's keys.
func (b *Base) DeltaNet(f DeltaForm) *Delta {
	d := &Delta{
		Form:     f,
		Kernel:   b.Int("ssm.conv_kernel", 0, 1, maxKernel),
		Dim:      b.Int("ssm.state_size", 0, 1, maxWidth),
		Heads:    b.Int("ssm.time_step_rank", 0, 1, maxWidth),
		KeyHeads: b.Int("ssm.group_count", 0, 1, maxWidth),
		Norm:     b.Norm.As("ssm_norm"),
	}
	inner := b.Int("ssm.inner_size", 0, 1, maxWidth)
	if d.KeyHeads > 0 && (d.Heads%d.KeyHeads != 0 || tooWide(d.Heads, d.Dim) || inner != d.Heads*d.Dim) {
		b.Problem("ssm.inner_size", strconv.Itoa(inner)+" elements cannot be "+strconv.Itoa(d.Heads)+" heads of "+strconv.Itoa(d.Dim)+
			" that share "+strconv.Itoa(d.KeyHeads)+" heads of keys")
	}
	return d
}

// recurrentLayers is which layers are not attention: attention.recurrent_layers says it, or else all are recurrent but
// each n-th, with n of full_attention_interval.
func (b *Base) recurrentLayers(interval int) []bool {
	layers := make([]bool, b.N)
	if b.get("attention.recurrent_layers") != nil {
		flags, n := b.Flags("attention.recurrent_layers", 0)
		for i := range layers {
			layers[i] = flags != nil && flags[i] || flags == nil && n != 0
		}
		return layers
	}
	interval = b.Int("full_attention_interval", interval, 1, maxLayers)
	for i := range layers {
		layers[i] = (i+1)%interval != 0
	}
	return layers
}

// Memory is what the convolution sees before the next column, and a matrix for each head.
func (d *Delta) Memory(int) int64 {
	return int64(d.Kernel-1)*int64((2*d.KeyHeads+d.Heads)*d.Dim) + int64(d.Heads*d.Dim)*int64(d.Dim)
}

func (d *Delta) tensors(t *table) {
	keys, width := d.KeyHeads*d.Dim, d.Heads*d.Dim
	if d.Form == KDA {
		d.kda(t, width)
		return
	}
	if d.Packed {
		t.linear("ssm_in", 2*keys+2*width, t.embd, Never)
	} else {
		t.linear("attn_qkv", 2*keys+width, t.embd, Never)
		t.linear("attn_gate", width, t.embd, Never)
	}
	if d.Form == DeltaPaired {
		t.linear("ssm_ba", 2*d.Heads, t.embd, Never)
	} else {
		t.linear("ssm_beta", d.Heads, t.embd, Never)
		t.linear("ssm_alpha", d.Heads, t.embd, Never)
	}
	t.add("ssm_conv1d", Weight, Required, Values, 2*keys+width, d.Kernel)
	t.add("ssm_dt", Bias, Required, Values, d.Heads)
	t.add("ssm_a", Bare, Required, Values, d.Heads)
	t.norm(d.Norm, d.Dim)
	t.linear("ssm_out", t.embd, width, Never)
}

func (d *Delta) kda(t *table, width int) {
	if d.Fused {
		t.linear("attn_qkv", 3*width, t.embd, Never)
	} else {
		t.linear("attn_q", width, t.embd, Never)
		t.linear("attn_k", width, t.embd, Never)
		t.linear("attn_v", width, t.embd, Never)
	}
	t.linear("ssm_beta", d.Heads, t.embd, Never)
	if d.Direct {
		t.linear("ssm_f_a", width, t.embd, Never)
		t.linear("ssm_g_a", width, t.embd, Never)
	} else {
		t.linear("ssm_f_a", d.Dim, t.embd, Never)
		t.linear("ssm_f_b", width, d.Dim, Never)
		t.linear("ssm_g_a", d.Dim, t.embd, Never)
		t.linear("ssm_g_b", width, d.Dim, Never)
	}
	for _, r := range []Role{"ssm_conv1d_q", "ssm_conv1d_k", "ssm_conv1d_v"} {
		t.add(r, Weight, Required, Values, width, 1, d.Kernel)
	}
	t.add("ssm_dt", Bias, Required, Values, width)
	t.add("ssm_a", Bare, Required, Values, d.Heads, 1)
	t.norm(d.Norm, d.Dim)
	t.linear("attn_output", t.embd, width, Never)
}
