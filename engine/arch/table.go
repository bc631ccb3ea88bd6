package arch

import "strconv"

// Role is what a tensor is for.
type Role uint8

// The roles. Those from AttnNorm on exist once a layer.
const (
	TokenEmbd Role = iota
	OutputNorm
	Output
	RopeFreqs

	AttnNorm
	AttnQ
	AttnK
	AttnV
	AttnQKV
	AttnOut
	AttnQNorm
	AttnKNorm
	FFNNorm
	FFNGate
	FFNUp
	FFNDown

	NRoles = iota // number of roles
)

var roleNames = [NRoles]string{
	TokenEmbd: "token_embd", OutputNorm: "output_norm", Output: "output", RopeFreqs: "rope_freqs",
	AttnNorm: "attn_norm", AttnQ: "attn_q", AttnK: "attn_k", AttnV: "attn_v", AttnQKV: "attn_qkv",
	AttnOut: "attn_output", AttnQNorm: "attn_q_norm", AttnKNorm: "attn_k_norm",
	FFNNorm: "ffn_norm", FFNGate: "ffn_gate", FFNUp: "ffn_up", FFNDown: "ffn_down",
}

// String is the role's name within a tensor's name.
func (r Role) String() string { return roleNames[r] }

// Part is which of a role's tensors is meant.
type Part uint8

const (
	Weight Part = iota
	Bias        // added to the product
	Scale       // one number that multiplies the product, beside quantized weights that carry none of their own
)

var partNames = [...]string{Weight: "weight", Bias: "bias", Scale: "scale"}

// String is the part's name within a tensor's name.
func (p Part) String() string { return partNames[p] }

// TensorReq is one row of a model's tensor table.
type TensorReq struct {
	Role     Role
	Part     Part
	Layer    int // -1 if the tensor belongs to no layer
	Name     string
	Shape    []int64 // row-major: a matrix is [rows, elements of a row]
	Optional bool
}

// Tensors is the model's tensor table, in the order in which a pass needs the tensors: all that the model can use and
// what it must have. Loader, validator, viewer, planner and streaming reader read this table.
func (m *Model) Tensors() []TensorReq {
	t := &table{layer: -1, embd: int64(m.Embd)}
	t.matrix(TokenEmbd, int64(m.Vocab), t.embd)
	for _, l := range m.Layers {
		if a, ok := l.Mixer.(*Attn); ok && a.Rope.Factors {
			t.optional(RopeFreqs, Weight, int64(a.Rope.Dim/2))
			break
		}
	}
	for i, l := range m.Layers {
		t.layer = i
		t.vector(AttnNorm, t.embd)
		l.Mixer.tensors(t)
		t.vector(FFNNorm, t.embd)
		l.FFN.tensors(t)
	}
	t.layer = -1
	t.vector(OutputNorm, t.embd)
	t.optional(Output, Weight, int64(m.Vocab), t.embd) // absent: token_embd
	t.optional(Output, Scale, 1)
	if m.Bias {
		t.optional(Output, Bias, int64(m.Vocab))
	}
	return t.reqs
}

func (a *Attn) tensors(t *table) {
	q, k, v := int64(a.Heads*a.KeyDim), int64(a.KVHeads*a.KeyDim), int64(a.KVHeads*a.ValueDim)
	if a.Fused {
		t.matrix(AttnQKV, q+k+v, t.embd)
		t.optional(AttnQKV, Scale, 1)
		t.optional(AttnQKV, Bias, q+k+v)
	} else {
		t.matrix(AttnQ, q, t.embd)
		t.optional(AttnQ, Scale, 1)
		t.matrix(AttnK, k, t.embd)
		t.optional(AttnK, Scale, 1)
		t.matrix(AttnV, v, t.embd)
		t.optional(AttnV, Scale, 1)
	}
	t.optional(AttnQ, Bias, q)
	t.optional(AttnK, Bias, k)
	t.optional(AttnV, Bias, v)
	if a.QKNorm == PerHeadRMS {
		t.vector(AttnQNorm, int64(a.KeyDim))
		t.vector(AttnKNorm, int64(a.KeyDim))
	}
	t.matrix(AttnOut, t.embd, int64(a.Heads*a.ValueDim))
	t.optional(AttnOut, Scale, 1)
	t.optional(AttnOut, Bias, t.embd)
}

func (d *Dense) tensors(t *table) {
	h := int64(d.Hidden)
	for _, m := range []struct {
		role    Role
		rows, k int64
	}{{FFNGate, h, t.embd}, {FFNUp, h, t.embd}, {FFNDown, t.embd, h}} {
		t.matrix(m.role, m.rows, m.k)
		t.optional(m.role, Scale, 1)
		t.optional(m.role, Bias, m.rows)
	}
}

// table collects rows for one layer after the other.
type table struct {
	reqs  []TensorReq
	layer int
	embd  int64
}

func (t *table) matrix(r Role, rows, k int64)            { t.add(r, Weight, false, rows, k) }
func (t *table) vector(r Role, n int64)                  { t.add(r, Weight, false, n) }
func (t *table) optional(r Role, p Part, shape ...int64) { t.add(r, p, true, shape...) }
func (t *table) add(r Role, p Part, opt bool, sh ...int64) {
	name := r.String() + "." + p.String()
	if t.layer >= 0 {
		name = LayerPrefix(t.layer) + name
	}
	t.reqs = append(t.reqs, TensorReq{Role: r, Part: p, Layer: t.layer, Name: name, Shape: sh, Optional: opt})
}

// LayerPrefix is what the names of layer i's tensors begin with.
func LayerPrefix(i int) string { return "blk." + strconv.Itoa(i) + "." }
