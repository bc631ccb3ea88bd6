package arch

// Model is an architecture's values for one file. Nothing in it changes once it is built.
type Model struct {
	Name    string // general.architecture
	Embd    int    // embedding_length: elements of the residual stream
	Vocab   int    // rows of token_embd
	Context int    // context_length: positions the model was trained for
	Layers  []Layer
	Norm    Norm // of the last layer's result
	Bias    bool // output may have a bias
}

// Layer is one block: x = x + Mixer(Norm(x)), then x = x + FFN(FFNNorm(x)).
type Layer struct {
	Norm    Norm
	Mixer   Mixer
	FFNNorm Norm
	FFN     FFN
}

// Norm is a normalization of a vector, with learned weights: RMS.
type Norm struct {
	Eps float32 // attention.layer_norm_rms_epsilon, added to the mean square
}

// Mixer is the part of a layer that looks at other positions. A mixer is a plain value here and code in package engine.
type Mixer interface{ tensors(t *table) }

// FFN is the part of a layer that works on each position alone.
type FFN interface{ tensors(t *table) }

// Attn is causal attention with grouped key and value heads.
type Attn struct {
	Heads    int     // attention.head_count
	KVHeads  int     // attention.head_count_kv; Heads is a multiple of it
	KeyDim   int     // attention.key_length: elements of one head of q and k
	ValueDim int     // attention.value_length: elements of one head of v
	Scale    float32 // of the scores: attention.scale, or 1/√KeyDim
	Fused    bool    // q, k and v are the rows of one tensor, attn_qkv, in this order
	QKNorm   QKNorm
	QKEps    float32 // of QKNorm
	Rope     Rope
}

// QKNorm is a normalization of q and k before their rotation.
type QKNorm uint8

const (
	NoQKNorm   QKNorm = iota
	PerHeadRMS        // RMS of each head, the same weights [KeyDim] for all heads
)

// Rope is the rotation of q and k by position. The element pair i turns by the angle position / Base^(2i/Dim), where
// scaling may slow it down.
type Rope struct {
	Pairing Pairing
	Dim     int     // rope.dimension_count: elements of a head that turn, the first ones
	Base    float64 // rope.freq_base
	Factors bool    // rope_freqs.weight, if there, divides the angles of each pair [Dim/2]

	Factor float64 // rope.scaling.factor: positions are divided by it; 1 is no scaling
	Attn   float64 // rope.scaling.attn_factor: sine and cosine are multiplied by it
	Yarn   Yarn
}

// Pairing is which two elements turn together.
type Pairing uint8

const (
	Adjacent Pairing = iota // 2i and 2i+1 ("NORM")
	Halves                  // i and i+Dim/2 ("NEOX")
)

// Yarn is the YaRN extension of a context (Peng et al. 2023, as llama.cpp computes it): pairs that turn more often than
// BetaFast times within the original context keep their angle, those that turn less than BetaSlow times have it divided
// by Rope.Factor, those between are mixed.
type Yarn struct {
	Ext           float64 // weight of the correction; 0 is no YaRN, 1 all of it
	OrigContext   int     // rope.scaling.original_context_length
	BetaFast      float64
	BetaSlow      float64
	LogMultiplier float64 // rope.scaling.yarn_log_multiplier, 0 if not there
}

// Dense is the gated feed-forward network: down(act(gate(x)) * up(x)).
type Dense struct {
	Hidden int // feed_forward_length
	Act    Act
}

// Act is an activation function.
type Act uint8

const SiLU Act = 0 // x / (1 + exp(-x))
