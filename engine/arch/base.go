package arch

import (
	"math"
	"slices"
)

// Limits on what a file may say. They are far above any model and keep products within an int64 and tables small.
const (
	maxLayers    = 1 << 12
	maxWidth     = 1 << 24
	maxExperts   = 1 << 14
	maxPositions = math.MaxInt32
)

// Base is the part of a model that most architectures share, read from the generic keys (ARCHITECTURES.md D3 lists
// them), and the ways to ask for more. An architecture changes its fields and adds the layers. Reading a key notes that it
// was read: of keys that could change results and that nobody read a finding is made.
type Base struct {
	Model
	N      int    // layers: block_count less those that only draft tokens
	Norm   Norm   // the model's kind of norm, without weights
	Attn   Attn   // of every layer, but for the head counts
	Dense  Dense  // of every layer, but for the width
	Window []bool // by layer: Attn.Window is in force there
	Heads  []int  // by layer, and so below
	KV     []int
	Hidden []int

	src    Source
	blocks int // block_count

	read        map[string]bool
	problems    []string
	unsupported *UnsupportedError
	failure     error // of the source
}

func newBase(src Source, name string) *Base {
	b := &Base{src: src, read: map[string]bool{}}
	b.Name = name
	b.blocks = b.Int("block_count", 0, 1, maxLayers)
	b.Context = b.Int("context_length", 0, 1, math.MaxInt32)
	b.Embd = b.Int("embedding_length", 0, 1, maxWidth)
	if b.failed() {
		return b
	}
	b.N = b.blocks - b.Int("nextn_predict_layers", 0, 0, b.blocks-1)
	for i := b.N; i < b.blocks; i++ {
		b.Spare = append(b.Spare, LayerPrefix(i))
	}
	b.Window = make([]bool, b.N)
	b.Heads = b.Ints("attention.head_count", make([]int, b.blocks))
	b.KV = b.Ints("attention.head_count_kv", b.Heads)
	b.Hidden = b.Ints("feed_forward_length", make([]int, b.blocks))
	if dims, ok := b.src.Dims("token_embd.weight"); ok && len(dims) >= 2 && dims[1] > 0 && dims[1] <= math.MaxInt32 {
		b.Vocab = int(dims[1])
	}
	a := &b.Attn
	a.Bias = Optional
	a.OutBias = Optional
	b.Dense.Bias = Optional
	width := 0
	if most := slices.Max(b.Heads); most > 0 {
		first := b.Heads[0]
		if first == 0 {
			first = most
		}
		width = b.Embd / first
	}
	a.KeyDim = b.Int("attention.key_length", width, 0, maxWidth)
	a.ValueDim = b.Int("attention.value_length", width, 0, maxWidth)
	b.readRope(&a.Rope)
	b.readPooling()
	if !b.Bool("attention.causal", true) {
		b.SeeAll()
	}
	return b
}

// RMS makes RMS norms with the model's epsilon.
func (b *Base) RMS() {
	b.Norm = Norm{Kind: RMS, Eps: float32(b.Float("attention.layer_norm_rms_epsilon", math.NaN()))}
	b.Output.Norm = b.Norm.As(OutputNorm)
}

// LN makes layer norms with the model's epsilon, with biases or without.
func (b *Base) LN(bias Need) {
	b.Norm = Norm{Kind: LN, Eps: float32(b.Float("attention.layer_norm_epsilon", math.NaN())), Bias: bias}
	b.Output.Norm = b.Norm.As(OutputNorm)
}

// QKNorm normalizes the heads of q and k.
func (b *Base) QKNorm(over Over) {
	b.Attn.QNorm = HeadNorm{b.Norm.As("attn_q_norm"), over}
	b.Attn.KNorm = HeadNorm{b.Norm.As("attn_k_norm"), over}
}

// inverseRoot is 1/√n.
func inverseRoot(n int) float32 { return float32(1 / math.Sqrt(float64(n))) }
