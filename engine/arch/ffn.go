package arch

// Dense is a feed-forward network: down(act(gate(x)) * up(x)), or down(act(up(x))) without a gate.
type Dense struct {
	Hidden   int // feed_forward_length
	Act      Act
	Gate     GateKind
	Bias     Need // of all its products
	Suffix   Role // of its tensors' names: "_shexp" for experts that all tokens share
	Norm     Norm // of what goes into down
	Limit    Limit
	Curve    Curve   // of XIELU
	Sparsity float32 // gates below their mean and so many deviations are 0, and the others are counted from there; 0: not so
	ActDiv   bool    // ffn_act.scales divides the activation, where it is there
}

// GateKind is where the gate of a Dense comes from.
type GateKind uint8

const (
	OwnGate   GateKind = iota // ffn_gate
	NoGateFFN                 // there is none
	FusedGate                 // ffn_up has its rows first, then up's
)

// Curve is the numbers of XIELU.
type Curve struct{ AlphaN, AlphaP, Beta, Eps float32 }

// Limit cuts off a gated SiLU: up at ±Top, and the activation above Top; 0 is none.
type Limit struct {
	Top  float32
	Gate bool // it is the gate that is cut off, before the activation
}

// Act is an activation function.
type Act uint8

const (
	SiLU      Act = iota // x / (1 + exp(-x))
	GELU                 // with tanh
	GELUErf              // exact
	GELUQuick            // x * sigmoid(1.702 x)
	ReLU
	ReLU2     // ReLU, squared
	SwiGLUOAI // gpt-oss's: min(x, 7) * sigmoid(1.702 x) * (1 + clamp(up, 7))
	XIELU     // apertus's, with four numbers a layer
)

func (d *Dense) tensors(t *table) {
	switch d.Gate {
	case OwnGate:
		t.linear("ffn_gate"+d.Suffix, d.Hidden, t.embd, d.Bias)
		t.linear("ffn_up"+d.Suffix, d.Hidden, t.embd, d.Bias)
	case FusedGate:
		t.linear("ffn_up"+d.Suffix, 2*d.Hidden, t.embd, d.Bias)
	case NoGateFFN:
		t.linear("ffn_up"+d.Suffix, d.Hidden, t.embd, d.Bias)
	}
	if d.ActDiv {
		t.add("ffn_act", "scales", Optional, Values, d.Hidden)
	}
	t.norm(d.Norm, d.Hidden)
	t.linear("ffn_down"+d.Suffix, t.embd, d.Hidden, d.Bias)
}

// MoE is a feed-forward network of many experts, of which each token uses a few: the sum of weight * expert(x).
type MoE struct {
	Experts int // expert_count
	Used    int // expert_used_count
	Hidden  int // expert_feed_forward_length
	Latent  int // moe_latent_size: elements of what experts see and give; 0: those of the stream
	Act     Act
	Limit   Limit

	Gating     Gating
	Select     Gating // what experts are chosen by, if not by the probabilities: SelectSame, or Logits, Sigmoid
	SelectBias Need   // exp_probs_b.bias is added for the choice alone
	SelectBare bool   // its name is exp_probs_b
	RouterBias Need
	Norm       bool    // weights are divided by their sum
	Scale      float32 // of the weights; 0 is 1
	Before     bool    // weights multiply the experts' input, not their result
	Groups     int     // expert_group_count: the choice is among the experts of the UsedGroups best groups; below 2: no groups
	UsedGroups int
	RouteLayer bool // the router sees what came into the layer
	RouteNorm  Norm // the router sees the residual stream, normalized, times ffn_gate_inp.scale [embd] / √embd; NoNorm: not so

	Layout ExpertLayout
	Bias   Need // of the experts' products

	Chunks Chunks

	Shared     *Dense  // an expert that all tokens use besides; nil if there is none
	SharedGate bool    // ... times the sigmoid of a product with ffn_gate_inp_shexp
	SumScale   float32 // of the sum of the shared expert and the others; 0 is 1
}

// Chunks are smaller experts, one for each PerGroup of the others, that are chosen with the same logits. They see
// the result of the others, to which theirs is added, multiplied by Scale.
type Chunks struct {
	PerGroup int // 0: there are none
	Hidden   int
	Scale    float32
}

// Gating is how router logits become weights.
type Gating uint8

const (
	SelectSame      Gating = iota // for Select: the probabilities
	Softmax                       // expert_gating_func 1
	Sigmoid                       // 2
	SelectedSoftmax               // 3: softmax over the logits of the chosen experts
	SqrtSoftplus                  // 4
	Logits                        // for Select: before any function
)

// ExpertLayout is which tensors the experts are in.
type ExpertLayout uint8

const (
	Packed      ExpertLayout = iota // ffn_gate_exps, ffn_up_exps, ffn_down_exps: all experts of a kind
	PackedFused                     // ffn_gate_up_exps has the rows of gate, then of up, expert after expert
	PackedPlain                     // no gate
	Split                           // ffn_gate.E, ffn_up.E, ffn_down.E: files of early 2024
)

// SelectPart is the last part of the name of exp_probs_b.
func (m *MoE) SelectPart() Part {
	if m.SelectBare {
		return Bare
	}
	return Bias
}

func (m *MoE) tensors(t *table) {
	t.add("ffn_gate_inp", Weight, Required, Matrix, m.Experts, t.embd)
	t.need("ffn_gate_inp", Bias, m.RouterBias, Values, m.Experts)
	if m.RouteNorm.Kind != NoNorm {
		t.add("ffn_gate_inp", Scale, Required, Values, t.embd)
	} else {
		t.add("ffn_gate_inp", Scale, Optional, Values, 1)
	}
	t.need("exp_probs_b", m.SelectPart(), m.SelectBias, Values, m.Experts)
	dim := t.embd
	if m.Latent > 0 {
		dim = m.Latent
		t.linear("ffn_latent_down", dim, t.embd, Never)
	}
	switch m.Layout {
	case Packed:
		t.experts("ffn_gate_exps", m.Experts, m.Hidden, dim, m.Bias)
		t.experts("ffn_up_exps", m.Experts, m.Hidden, dim, m.Bias)
	case PackedFused:
		t.experts("ffn_gate_up_exps", m.Experts, 2*m.Hidden, dim, m.Bias)
	case PackedPlain:
		t.experts("ffn_up_exps", m.Experts, m.Hidden, dim, m.Bias)
	case Split:
		for e := range m.Experts {
			t.add(SplitRole("ffn_gate", e), Weight, Required, Expert, m.Hidden, dim)
			t.add(SplitRole("ffn_up", e), Weight, Required, Expert, m.Hidden, dim)
			t.add(SplitRole("ffn_down", e), Weight, Required, Expert, dim, m.Hidden)
		}
	}
	if m.Layout != Split {
		t.experts("ffn_down_exps", m.Experts, dim, m.Hidden, m.Bias)
	}
	if m.Chunks.PerGroup > 0 {
		n := m.Experts / m.Chunks.PerGroup
		t.experts("ffn_gate_chexps", n, m.Chunks.Hidden, dim, Never)
		t.experts("ffn_up_chexps", n, m.Chunks.Hidden, dim, Never)
		t.experts("ffn_down_chexps", n, dim, m.Chunks.Hidden, Never)
	}
	if m.Latent > 0 {
		t.linear("ffn_latent_up", t.embd, dim, Never)
	}
	if m.Shared != nil {
		if m.SharedGate {
			t.add("ffn_gate_inp_shexp", Weight, Required, Values, t.embd)
		}
		m.Shared.tensors(t)
	}
}
