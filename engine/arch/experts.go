package arch

import (
	"strconv"
)

// MoE is a mixture of experts of hidden elements each, with what the generic keys say.
func (b *Base) MoE(hidden int) *MoE {
	m := &MoE{Experts: b.Int("expert_count", 0, 1, maxExperts), Hidden: hidden, Gating: Softmax}
	b.used(m, 0)
	b.groups(m)
	if hidden == 0 {
		b.Problem("expert_feed_forward_length", "missing")
	}
	return m
}

// used sets the number of experts that a token of layer i uses.
func (b *Base) used(m *MoE, i int) {
	if m.Used = b.Ints("expert_used_count", make([]int, b.blocks))[i]; m.Used < 1 || m.Used > m.Experts {
		b.Problem("expert_used_count", strconv.Itoa(m.Used)+" of "+strconv.Itoa(m.Experts)+" experts in layer "+strconv.Itoa(i))
		m.Used = 1
	}
}

// HasExperts tells whether the file has an expert_count.
func (b *Base) HasExperts() bool { return b.Int("expert_count", 0, 0, maxExperts) > 0 }

// ExpertHidden is expert_feed_forward_length, def if absent.
func (b *Base) ExpertHidden(def int) int {
	n := b.Ints("expert_feed_forward_length", nil)
	if n == nil {
		return def
	}
	return n[0]
}

// SharedHidden is expert_shared_feed_forward_length, def if absent.
func (b *Base) SharedHidden(def int) int {
	return b.Int("expert_shared_feed_forward_length", def, 0, maxWidth)
}

// WeightsScale is expert_weights_scale.
func (b *Base) WeightsScale() float32 { return float32(b.Float("expert_weights_scale", 0)) }

// NetOr is layer i's experts, or its plain network if moe is nil.
func (b *Base) NetOr(i int, moe *MoE) Op {
	if moe == nil {
		return b.Net(i)
	}
	return b.Layout(i, moe)
}

// Layout sets the layout of layer i's experts to what the file has.
func (b *Base) Layout(i int, m *MoE) *MoE {
	c := *m
	b.used(&c, i)
	switch {
	case b.HasIn(i, "ffn_gate_up_exps.weight"):
		c.Layout = PackedFused
	case !b.HasIn(i, "ffn_gate_exps.weight") && b.split(i, c.Experts):
		c.Layout = Split
	}
	return &c
}

// split tells whether the file has a tensor for each expert of layer i: a long table is made only of tensors that are there.
func (b *Base) split(i, experts int) bool {
	for e := range experts {
		if !b.HasIn(i, string(SplitRole("ffn_down", e))+".weight") {
			return false
		}
	}
	return true
}

// groups reads how experts are grouped.
func (b *Base) groups(m *MoE) {
	m.Groups = b.Int("expert_group_count", 0, 0, max(0, m.Experts-1))
	m.UsedGroups = b.Int("expert_group_used_count", 0, 0, max(0, m.Groups))
	if m.Groups > 1 && (m.Experts%m.Groups != 0 || m.UsedGroups < 1 || m.Experts/m.Groups < 2 || m.Experts/m.Groups*m.UsedGroups < m.Used) {
		b.Problem("expert_group_count", strconv.Itoa(m.Experts)+" experts cannot be "+strconv.Itoa(m.Groups)+" groups, of which "+strconv.Itoa(m.UsedGroups)+" are used")
	}
}

// Gating is the function under expert_gating_func, def if the key is absent or 0.
func (b *Base) Gating(def Gating) Gating {
	switch n := b.Int("expert_gating_func", 0, 0, 1000); n {
	case 0:
		return def
	case 1:
		return Softmax
	case 2:
		return Sigmoid
	case 3:
		return SelectedSoftmax
	case 4:
		return SqrtSoftplus
	default:
		b.Unsupported("expert_gating_func", strconv.Itoa(n)+" cannot be run; known are 1 to 4")
		return def
	}
}

// SharedExpert is a network of n elements that all tokens use beside their experts.
func (b *Base) SharedExpert(n int) *Dense {
	d := b.Dense
	d.Hidden, d.Suffix = n, "_shexp"
	if n == 0 {
		b.Problem("expert_shared_feed_forward_length", "missing, and no width of experts that it follows from")
	}
	return &d
}

// Experts of the kind that DeepSeek began: the first layers have plain networks, some experts are shared, a bias may have
// a say in the choice.

// DeepExperts reads such experts' keys; gating is the default of expert_gating_func.
func (b *Base) DeepExperts(gating Gating) *MoE {
	m := b.MoE(b.ExpertHidden(0))
	m.Scale = b.WeightsScale()
	m.Norm = b.Bool("expert_weights_norm", false)
	m.SelectBias = Optional
	if m.Gating = b.Gating(gating); m.Gating == SelectSame {
		b.Problem("expert_gating_func", "missing")
	}
	return m
}

// SharedCount gives m a shared expert as wide as expert_shared_count of its own, or none.
func (b *Base) SharedCount(m *MoE) {
	if n := b.Int("expert_shared_count", 0, 0, maxExperts); n > 0 {
		m.Shared = b.SharedExpert(n * m.Hidden)
	}
}

// DenseFirst is layer i's plain network if it is among the first leading_dense_block_count, else its experts.
func (b *Base) DenseFirst(i int, m *MoE) Op {
	if i < b.Int("leading_dense_block_count", 0, 0, maxLayers) {
		return b.Net(i)
	}
	return b.Layout(i, m)
}
