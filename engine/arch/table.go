package arch

import "strconv"

// Role is what a tensor is for: its name between the layer's prefix and the part.
type Role string

// Roles of tensors that belong to no layer.
const (
	TokenEmbd    Role = "token_embd"
	TokenNorm    Role = "token_embd_norm"
	TokenTypes   Role = "token_types"
	PositionEmbd Role = "position_embd"
	RopeFreqs    Role = "rope_freqs"
	RopeLong     Role = "rope_factors_long"
	RopeShort    Role = "rope_factors_short"
	OutputNorm   Role = "output_norm"
	OutputMatrix Role = "output"
	RelativeBias Role = "attn_rel_b"
)

// SplitRole is the role of expert e's own tensor in files that have one tensor an expert.
func SplitRole(r Role, e int) Role { return r + "." + Role(strconv.Itoa(e)) }

// Part is which of a role's tensors is meant: the last part of its name.
type Part string

const (
	Weight Part = "weight"
	Bias   Part = "bias"  // added to the product
	Scale  Part = "scale" // one number that multiplies the product, beside quantized weights that carry none of their own
	Bare   Part = ""      // the name has no last part
)

// Use is how a pass uses a tensor, and so how it is kept.
type Use uint8

const (
	Values Use = iota // decoded to float32 and kept in memory
	Matrix            // multiplied whole in every pass, in the table's order
	Rows              // some rows are looked up
	Expert            // [experts, rows, k], or one expert's [rows, k]: multiplied where a token is sent there
	Rare              // a matrix that is not multiplied in every pass: read when it is
)

// TensorReq is one row of a model's tensor table.
type TensorReq struct {
	Role     Role
	Part     Part
	Layer    int // -1 if the tensor belongs to no layer
	Name     string
	Use      Use
	Shape    []int64 // row-major: a matrix is [rows, elements of a row]
	Optional bool
}

// Tensors is the model's tensor table, in the order in which a pass needs the tensors: all that the model can use and
// what it must have. Loader, validator, viewer, planner and streaming reader read this table.
func (m *Model) Tensors() []TensorReq {
	t := &table{layer: -1, embd: m.Embd}
	t.add(TokenEmbd, Weight, Required, Rows, m.Vocab, m.Embd)
	if m.Input.Positions > 0 {
		t.add(PositionEmbd, Weight, Required, Rows, m.Input.Positions, m.Embd)
	}
	if m.Input.Types > 0 {
		t.add(TokenTypes, Weight, Required, Rows, m.Input.Types, m.Embd)
	}
	t.norm(m.Input.Norm, m.Embd)
	m.Input.PerLayer.tensors(t, len(m.Layers), m.Vocab)
	if n := m.Input.Streams; n > 1 {
		t.add("altup_proj", Weight, Required, Matrix, n-1, m.Embd, m.Embd)
	}
	m.ropeFactors(t)
	for i, l := range m.Layers {
		t.layer, t.prefix = i, l.Prefix
		if t.prefix == "" {
			t.prefix = LayerPrefix(i)
		}
		for _, s := range l.Steps {
			s.tensors(t)
		}
	}
	t.layer, t.prefix = -1, ""
	if n := m.Input.Streams; n > 1 {
		t.add("altup_unembd_proj", Weight, Required, Matrix, n-1, m.Embd, m.Embd)
	}
	t.norm(m.Encoder.Norm, m.Embd)
	t.norm(m.Output.Norm, m.Embd)
	m.stages(t)
	if m.Output.None {
		return t.reqs
	}
	if !m.Output.Tied {
		need := Optional // absent: token_embd
		if m.Output.Need {
			need = Required
		}
		t.add(OutputMatrix, Weight, need, Matrix, m.Vocab, m.Embd)
	}
	t.add(OutputMatrix, Scale, Optional, Values, 1)
	t.need(OutputMatrix, Bias, m.Output.Bias, Values, m.Vocab)
	return t.reqs
}

// stages adds the head behind the pooling.
func (m *Model) stages(t *table) {
	k := m.Embd
	for _, s := range m.Output.Stages {
		t.add(s.Role, Weight, Required, Values, s.Rows, k)
		t.need(s.Role, Bias, s.Bias, Values, s.Rows)
		t.norm(s.Norm, s.Rows)
		k = s.Rows
	}
}

// EmbeddingSize is the length of what comes out behind the pooling.
func (m *Model) EmbeddingSize() int {
	if n := len(m.Output.Stages); n > 0 {
		return m.Output.Stages[n-1].Rows
	}
	return m.Embd
}

// ropeFactors adds the divisors of angles that some layer uses.
func (m *Model) ropeFactors(t *table) {
	var have [LongShort + 1]bool
	for _, l := range m.Layers {
		for _, s := range l.Steps {
			for _, b := range s.Branches {
				r, ok := b.Op.(interface{ rope() *Rope })
				if !ok || have[r.rope().Factors] || r.rope().Pairing == NoRope {
					continue
				}
				have[r.rope().Factors] = true
				n := r.rope().NFactors
				if n == 0 {
					n = r.rope().Dim / 2
				}
				switch r.rope().Factors {
				case Freqs:
					t.add(RopeFreqs, Weight, Optional, Values, n)
				case LongShort:
					t.add(RopeLong, Weight, Optional, Values, n)
					t.add(RopeShort, Weight, Optional, Values, n)
				}
			}
		}
	}
}

func (a *Attn) rope() *Rope { return &a.Rope }

func (s *Step) tensors(t *table) {
	var last Norm
	for i, b := range s.Branches {
		if i == 0 || b.Norm != last {
			t.norm(b.Norm, t.embd)
		}
		last = b.Norm
		b.Op.tensors(t)
		t.norm(b.Post, t.embd)
	}
	t.norm(s.Post, t.embd)
	t.norm(s.After, t.embd)
	if s.Scale != "" {
		t.add(s.Scale, Weight, Optional, Values, 1)
	}
}

// table collects rows for one layer after the other.
type table struct {
	reqs   []TensorReq
	layer  int
	prefix string
	embd   int
}

// linear adds a matrix with its scale and bias.
func (t *table) linear(r Role, rows, k int, bias Need) {
	t.add(r, Weight, Required, Matrix, rows, k)
	t.add(r, Scale, Optional, Values, 1)
	t.need(r, Bias, bias, Values, rows)
}

// experts adds a matrix for each expert, with their scales and biases.
func (t *table) experts(r Role, n, rows, k int, bias Need) {
	t.add(r, Weight, Required, Expert, n, rows, k)
	t.add(r, Scale, Optional, Values, n)
	t.need(r, Bias, bias, Values, n, rows)
}

// norm adds the weights and bias of n.
func (t *table) norm(n Norm, size int) {
	if n.Kind == NoNorm || n.Role == "" {
		return
	}
	if n.Global {
		defer func(layer int, prefix string) { t.layer, t.prefix = layer, prefix }(t.layer, t.prefix)
		t.layer, t.prefix = -1, ""
	}
	t.add(n.Role, n.Part(), Required, Values, size)
	t.need(n.Role, Bias, n.Bias, Values, size)
}

// need adds a row unless need is Never.
func (t *table) need(r Role, p Part, need Need, use Use, shape ...int) {
	if need != Never {
		t.add(r, p, need, use, shape...)
	}
}

func (t *table) add(r Role, p Part, need Need, use Use, shape ...int) {
	name := t.prefix + string(r)
	if p != Bare {
		name += "." + string(p)
	}
	shape64 := make([]int64, len(shape))
	for i, n := range shape {
		shape64[i] = int64(n)
	}
	t.reqs = append(t.reqs, TensorReq{Role: r, Part: p, Layer: t.layer, Name: name, Use: use, Shape: shape64, Optional: need == Optional})
}

// LayerPrefix is what the names of layer i's tensors begin with.
func LayerPrefix(i int) string { return "blk." + strconv.Itoa(i) + "." }
