package arch

// Model is an architecture's values for one file. Nothing in it changes once it is built.
type Model struct {
	Name     string // general.architecture
	Embd     int    // embedding_length: elements of the residual stream
	Vocab    int    // rows of token_embd
	Context  int    // context_length: positions the model was trained for
	Input    Input
	Layers   []Layer
	Output   Output
	Encoder  Encoder
	Findings []Finding // keys of the file that have no say

	// Whole says that all tokens are evaluated at once: attention looks ahead, so a batch cannot be divided.
	Whole bool
	// Spare are the prefixes of tensors that are known and not needed, such as those of layers that only draft tokens.
	Spare []string
}

// Input is how tokens become the residual stream.
type Input struct {
	Scale     float32 // of the embeddings; 0 is 1
	Norm      Norm    // of the embeddings
	Positions int     // rows of position_embd, which are added; 0 if there are none
	Types     int     // rows of token_types, of which the first is added; 0 if there are none
	PerLayer  PerLayer
	Streams   int // residual streams that a layer has, if more than one
}

// Output is how the residual stream becomes logits.
type Output struct {
	Norm    Norm
	Tied    bool    // the matrix is token_embd even if there is an output; else where there is none
	Need    bool    // there must be an own matrix
	Bias    Need    // of the matrix
	Scale   float32 // of the logits; 0 is 1
	Softcap float32 // logits become Softcap * tanh(logits / Softcap); 0 is none
	None    bool    // there are no logits: the rows of the stream are the result
	Pooling Pooling // of those rows into an embedding
	Stages  []Stage // what pooled rows go through, one after the other
	Scores  bool    // what comes out is scores of classes or of relevance, not an embedding
}

// Pooling is how the rows of all tokens become one embedding; the values are those of the key pooling_type.
type Pooling int

const (
	PoolNone Pooling = iota // one row a token
	PoolMean
	PoolCLS  // the first token's row
	PoolLast // the last token's row
)

// Stage is a linear layer of a head behind the pooling, with what follows it.
type Stage struct {
	Role Role
	Rows int
	Bias Need
	Act  StageAct
	Norm Norm // after Act
}

// StageAct is what is done to a stage's products.
type StageAct uint8

const (
	NoAct StageAct = iota
	TanhAct
	GELUAct
	SoftmaxAct // over all of them
)

// Encoder is the part of an encoder-decoder model that reads a whole text at once, for the decoder to look at. A model
// that is nothing but an encoder has none.
type Encoder struct {
	Layers int  // the first ones of the model's are the encoder's, the others the decoder's; 0 if there is no encoder
	Norm   Norm // of its result
	Start  int  // the token that the decoder begins with
}

// Layer is one block: steps, one after the other, that each change the residual stream x.
type Layer struct {
	Prefix string // of its tensors' names, "blk.N." if empty
	Steps  []Step
}

// Step is x = After(Keep*x + Post(sum of the branches)).
type Step struct {
	Branches []Branch
	Keep     float32 // of x; 0 is 1
	KeepNorm bool    // what is kept is the first branch's normalized x
	Replace  bool    // x is not kept
	Post     Norm    // of the sum of the branches
	After    Norm    // of the sum
	Scale    Role    // a tensor of one number that multiplies the result, "" if there is none
}

// Branch is Scale * Post(Op(Norm(x))). Branches of a step see the same x; neighbours with the same Norm share its result.
type Branch struct {
	Norm      Norm
	Op        Op
	Post      Norm
	Scale     float32 // 0 is 1
	FromLayer bool    // x is what came into the layer, not into the step
}

// Op is the working part of a branch: attention, a feed-forward network, a recurrence. An Op is a plain value here, and
// code in package engine.
type Op interface {
	// tensors adds the op's rows to the table, in the order in which a pass needs them.
	tensors(t *table)
}

// Remembering is an Op with a state that does not grow with the number of positions.
type Remembering interface {
	Op
	// Memory is the numbers of the state, in a stream of embd elements.
	Memory(embd int) int64
}

// Norm is a normalization of a vector. The zero value does nothing.
type Norm struct {
	Kind   NormKind
	Eps    float32 // added to the mean square or to the variance
	Role   Role    // of its weights, "" if it has none
	Bias   Need    // whether there is a bias beside the weights
	Bare   bool    // the name of its weights has no last part
	Global bool    // the weights are the model's, not the layer's
}

// NormKind is the kind of a normalization.
type NormKind uint8

const (
	NoNorm NormKind = iota
	RMS             // x / rms(x)
	LN              // (x - mean) / deviation
)

// As is n with the weights of role r.
func (n Norm) As(r Role) Norm {
	n.Role = r
	return n
}

// Part is the last part of the name of n's weights.
func (n Norm) Part() Part {
	if n.Bare {
		return Bare
	}
	return Weight
}

// Plain is n without weights.
func (n Norm) Plain() Norm { return Norm{Kind: n.Kind, Eps: n.Eps} }

// Need is whether a tensor must be there.
type Need uint8

const (
	Never Need = iota
	Optional
	Required
)
