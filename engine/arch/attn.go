package arch

// Attn is attention with grouped key and value heads.
type Attn struct {
	Heads    int     // attention.head_count
	KVHeads  int     // attention.head_count_kv; Heads is a multiple of it
	KeyDim   int     // attention.key_length: elements of one head of q and k
	ValueDim int     // attention.value_length: elements of one head of v
	Scale    float32 // of the scores, 1/√KeyDim as a rule; 0 is that
	Softcap  float32 // scores become Softcap * tanh(scores / Softcap); 0 is none

	Fused      bool    // q, k and v are the rows of one tensor, attn_qkv, in this order
	Bias       Need    // of q, k and v
	OutBias    Need    // of attn_output
	Clamp      float32 // q, k and v are cut off at ±Clamp; 0 is none
	ValueIsKey bool    // there is no attn_v: values are the keys as they come from the product
	NoOut      bool    // there is no attn_output
	Out        Role    // attn_output's name if it is another
	Padded     bool    // the part of attn_qkv for k, and that for v, is as long as q's: the first KVHeads are used

	QNorm, KNorm  HeadNorm
	NormAfterRope bool // q and k are normalized after their rotation
	ValueNorm     Norm // of each head of v, without weights
	MixedNorm     Norm // of all heads' results, before attn_output

	Rope         Rope
	Alibi        float32 // attention.max_alibi_bias: steepest slope of the linear bias; 0 is none
	Relative     Relative
	Window       Window
	Ahead        bool // positions after the query's are seen too
	Sinks        Need // attn_sinks [Heads]: a logit each that takes its share of the softmax
	Gate         Gate
	GateSoftplus bool // of the gate instead of its sigmoid
	Temperature  Temperature
	SharedKV     int // 0, or 1 + the layer whose keys and values are used; this one has none
}

// HeadNorm is a normalization of q or k.
type HeadNorm struct {
	Norm
	Over Over
}

// Over is what a HeadNorm goes over.
type Over uint8

const (
	Head       Over = iota // each head, the same weights [KeyDim] for all
	Heads                  // each head, its own weights [heads, KeyDim]
	HeadScales             // each head, one weight a head [heads, 1]
	Whole                  // all heads as one vector, weights [heads * KeyDim]
)

// Window limits the positions that a query sees.
type Window struct {
	Size int // in positions; 0 is no limit
	Kind WindowKind
}

// WindowKind is which positions lie in a window.
type WindowKind uint8

const (
	Sliding   WindowKind = iota // the last Size, the query's own among them
	Chunked                     // those since the last multiple of Size
	Symmetric                   // those at most Size/2 before and after
)

// Relative is a bias of the scores that depends on the distance of query and key: each head has one for each bucket of
// distances (Raffel et al. 2020). The zero value is none.
type Relative struct {
	Buckets int // attention.relative_buckets_count; half of them are for keys behind the query if those are seen
	First   int // the layer whose biases are used by those that have none
}

// Gate multiplies the heads' results by the sigmoid of a product with the layer's normalized input.
type Gate uint8

const (
	NoGate      Gate = iota
	GateElement      // attn_gate [Heads * ValueDim]
	GateHead         // attn_gate [Heads]: one number a head
	GateQuery        // attn_q has 2 * KeyDim rows a head: the query's, then the gate's
)

// Temperature makes queries longer with their position: by 1 + Scale * ln(1 + floor((position + Offset) / Length)).
type Temperature struct {
	Scale  float64 // attention.temperature_scale; 0 is no such thing
	Length float64 // attention.temperature_length
	Offset float64
}

// Rope is the rotation of q and k by position. The element pair i turns by the angle position / Base^(2i/Dim), where
// scaling may slow it down. The zero value does not turn.
type Rope struct {
	Pairing  Pairing
	Dim      int     // rope.dimension_count: elements of a head that turn, the first ones
	Base     float64 // rope.freq_base
	Factors  Factors
	NFactors int // elements of the factors, of which the first Dim/2 are used; 0 is Dim/2

	Factor float64 // rope.scaling.factor: positions are divided by it; 1 is no scaling
	Attn   float64 // rope.scaling.attn_factor: sine and cosine are multiplied by it
	Yarn   Yarn

	Sections    [4]int // rope.dimension_sections: pairs of time, height, width and another; all 0 is none
	Interleaved bool   // the first three sections alternate

	Alpha float64 // rope.scaling.alpha: Base is multiplied by Alpha^(Head/(Head-2)); 0 is none
	Head  int     // elements of a head, for Alpha
}

// Pairing is which two elements turn together.
type Pairing uint8

const (
	NoRope   Pairing = iota
	Adjacent         // 2i and 2i+1 ("NORM")
	Halves           // i and i+Dim/2 ("NEOX")
)

// Factors are tensors that divide the angles of each pair [Dim/2], where the file has them.
type Factors uint8

const (
	NoFactors Factors = iota
	Freqs             // rope_freqs
	LongShort         // rope_factors_long for a context longer than Yarn.OrigContext, else rope_factors_short
)

// Yarn is the YaRN extension of a context (Peng et al. 2023, as llama.cpp computes it): pairs that turn more often than
// BetaFast times within the original context keep their angle, those that turn less than BetaSlow times have it divided
// by Rope.Factor, those between are mixed.
type Yarn struct {
	Ext            float64 // weight of the correction; 0 is no YaRN, 1 all of it
	Factor         float64 // the model's rope.scaling.factor, also where a layer's own is 1
	OrigContext    int     // rope.scaling.original_context_length
	BetaFast       float64
	BetaSlow       float64
	LogMultiplier  float64 // rope.scaling.yarn_log_multiplier, 0 if not there
	SameMultiplier bool    // numerator and denominator of the magnitude both have it
}

// CacheDims is the heads that are kept for each position, and the elements of a head's key and value.
func (a *Attn) CacheDims() (heads, key, value int) {
	if a.SharedKV > 0 {
		return 0, 0, 0
	}
	return a.KVHeads, a.KeyDim, a.ValueDim
}

func (a *Attn) tensors(t *table) {
	qRows := a.Heads * a.KeyDim
	if a.Gate == GateQuery {
		qRows *= 2
	}
	k, v := a.KVHeads*a.KeyDim, a.KVHeads*a.ValueDim
	if a.Fused {
		rows := qRows + k + v
		if a.Padded {
			rows = 3 * qRows
		}
		t.linear("attn_qkv", rows, t.embd, a.Bias)
		if a.Bias != Never { // a file may have the parts' own biases
			t.add("attn_q", Bias, Optional, Values, qRows)
			t.add("attn_k", Bias, Optional, Values, k)
			t.add("attn_v", Bias, Optional, Values, v)
		}
	} else {
		t.linear("attn_q", qRows, t.embd, a.Bias)
		if a.SharedKV == 0 {
			t.linear("attn_k", k, t.embd, a.Bias)
			if !a.ValueIsKey {
				t.linear("attn_v", v, t.embd, a.Bias)
			}
		}
	}
	a.QNorm.tensors(t, a.Heads, a.KeyDim)
	if a.SharedKV == 0 {
		a.KNorm.tensors(t, a.KVHeads, a.KeyDim)
	}
	t.need("attn_sinks", Weight, a.Sinks, Values, a.Heads)
	switch a.Gate {
	case GateElement:
		t.linear("attn_gate", a.Heads*a.ValueDim, t.embd, Optional)
	case GateHead:
		t.linear("attn_gate", a.Heads, t.embd, Optional)
	}
	t.norm(a.MixedNorm, a.Heads*a.ValueDim)
	if !a.NoOut {
		t.linear(a.OutRole(), t.embd, a.Heads*a.ValueDim, a.OutBias)
	}
	if r := a.Relative; r.Buckets > 0 {
		need := Optional
		if r.First == t.layer {
			need = Required
		}
		t.add(RelativeBias, Weight, need, Values, r.Buckets, a.Heads)
	}
}

// OutRole is the role of the output matrix.
func (a *Attn) OutRole() Role {
	if a.Out != "" {
		return a.Out
	}
	return "attn_output"
}

func (n HeadNorm) tensors(t *table, heads, dim int) {
	shape := []int{dim}
	switch n.Over {
	case Heads:
		shape = []int{heads, dim}
	case HeadScales:
		shape = []int{heads, 1}
	case Whole:
		shape = []int{heads * dim}
	}
	if n.Kind != NoNorm && n.Role != "" {
		t.add(n.Role, Weight, Required, Values, shape...)
		t.need(n.Role, Bias, n.Norm.Bias, Values, shape...)
	}
}

// Linear is one matrix, without a bias.
type Linear struct {
	Role Role
}

func (l *Linear) tensors(t *table) { t.linear(l.Role, t.embd, t.embd, Never) }

// Skip is the model's input, the embeddings of the tokens, times a number.
type Skip struct {
	Role Role // of the number
}

func (s *Skip) tensors(t *table) { t.add(s.Role, Weight, Required, Values, 1) }
