package arch

import (
	"math"
	"slices"
	"strconv"
)

// Limits on what a file may say. They are far above any model and keep products within an int64 and tables small.
const (
	maxLayers = 4096
	maxWidth  = 1 << 24
)

// Base is the part of a model that most architectures share, read from the generic keys (ARCHITECTURES.md D3 lists
// them). An architecture changes its fields; then every layer gets a copy of Attn and FFN with its own head counts and
// width. Reading a key notes that it was read: a key that changes results and that nobody read is refused in the end.
type Base struct {
	Norm       Norm // all norms of the model
	Attn       Attn // of every layer, but for the counts that may differ
	Act        Act
	OutputBias bool

	src    Source
	name   string
	embd   int
	ctx    int
	heads  []int // by layer, and so below
	kv     []int
	hidden []int

	read        map[string]bool
	problems    []string
	unsupported *UnsupportedError
	failure     error // of the source
}

func newBase(src Source, name string) *Base {
	b := &Base{src: src, name: name, read: map[string]bool{}}
	n := b.Int("block_count", 0, 1, maxLayers)
	b.ctx = b.Int("context_length", 0, 1, math.MaxInt32)
	b.embd = b.Int("embedding_length", 0, 1, maxWidth)
	if b.failed() {
		return b
	}
	b.heads = b.Ints("attention.head_count", n, nil)
	b.kv = b.Ints("attention.head_count_kv", n, b.heads)
	b.hidden = b.Ints("feed_forward_length", n, nil)
	b.Norm.Eps = float32(b.Float("attention.layer_norm_rms_epsilon", math.NaN()))
	if b.failed() {
		return b
	}
	for i := range n {
		if b.heads[i]%b.kv[i] != 0 {
			b.problem("attention.head_count", "layer "+strconv.Itoa(i)+" has "+strconv.Itoa(b.heads[i])+
				" heads, which "+strconv.Itoa(b.kv[i])+" key/value heads cannot share")
			return b
		}
	}
	a := &b.Attn
	a.KeyDim = b.Int("attention.key_length", b.embd/b.heads[0], 1, maxWidth)
	a.ValueDim = b.Int("attention.value_length", b.embd/b.heads[0], 1, maxWidth)
	a.Scale = float32(b.Float("attention.scale", 0))
	if a.Scale == 0 {
		a.Scale = float32(1 / math.Sqrt(float64(a.KeyDim)))
	}
	b.readRope(&a.Rope)
	return b
}

// readRope reads the rope keys with llama.cpp's defaults.
func (b *Base) readRope(r *Rope) {
	r.Dim = b.Int("rope.dimension_count", b.Attn.KeyDim, 2, maxWidth)
	if r.Dim%2 != 0 || r.Dim > b.Attn.KeyDim {
		b.problem("rope.dimension_count", strconv.Itoa(r.Dim)+" is odd, or more than the "+strconv.Itoa(b.Attn.KeyDim)+" elements of a head")
	}
	r.Base = b.Float("rope.freq_base", 10000)
	if !(r.Base > 0) {
		b.problem("rope.freq_base", "must be above 0")
	}
	kind := b.String("rope.scaling.type", "linear")
	r.Factor = b.Float("rope.scaling.factor", 0)
	if old := b.Float("rope.scale_linear", 0); r.Factor == 0 { // the key's older name
		r.Factor = old
	}
	if r.Factor == 0 || kind == "none" {
		r.Factor = 1
	}
	if !(r.Factor > 0) {
		b.problem("rope.scaling.factor", "must be above 0")
	}
	r.Attn = b.Float("rope.scaling.attn_factor", 1)
	y := &r.Yarn
	y.OrigContext = b.Int("rope.scaling.original_context_length", b.ctx, 1, math.MaxInt32)
	ext := 0.0
	switch kind {
	case "none", "linear":
	case "yarn":
		ext = 1
	default:
		b.Unsupported("rope.scaling.type", "scaling "+quote(kind)+" cannot be run; known are none, linear, yarn")
	}
	if y.Ext = b.Float("rope.scaling.yarn_ext_factor", ext); y.Ext < 0 { // negative: as the type says
		y.Ext = ext
	}
	y.BetaFast = b.Float("rope.scaling.yarn_beta_fast", 32)
	y.BetaSlow = b.Float("rope.scaling.yarn_beta_slow", 1)
	y.LogMultiplier = b.Float("rope.scaling.yarn_log_multiplier", 0)
	if attn := b.Float("rope.scaling.yarn_attn_factor", 1); y.Ext == 0 { // YaRN computes its own
		r.Attn *= attn
	}
	if y.Ext != 0 && (!(y.BetaFast > 0) || !(y.BetaSlow > 0) || r.Base == 1) {
		b.problem("rope.scaling", "yarn needs betas above 0 and a frequency base that is not 1")
	}
}

// model is the model of what b holds now.
func (b *Base) model() *Model {
	m := &Model{Name: b.name, Embd: b.embd, Context: b.ctx, Norm: b.Norm, Bias: b.OutputBias}
	if dims, ok := b.src.Dims("token_embd.weight"); ok && len(dims) >= 2 && dims[1] > 0 && dims[1] <= math.MaxInt32 {
		m.Vocab = int(dims[1])
	}
	for i := range b.heads {
		a := b.Attn
		a.Heads, a.KVHeads = b.heads[i], b.kv[i]
		_, a.Fused = b.src.Dims(LayerPrefix(i) + "attn_qkv.weight")
		m.Layers = append(m.Layers, Layer{
			Norm: b.Norm, Mixer: &a,
			FFNNorm: b.Norm, FFN: &Dense{Hidden: b.hidden[i], Act: b.Act},
		})
	}
	return m
}

// get is the value of the architecture's own key, nil if absent; it counts as read.
func (b *Base) get(key string) any {
	b.read[key] = true
	v, err := b.src.Get(b.name + "." + key)
	if err != nil && b.failure == nil {
		b.failure = err
	}
	return v
}

// Int is the integer under key, def if absent. A def of 0 makes the key required unless least is below 1.
func (b *Base) Int(key string, def, least, most int) int {
	v := b.get(key)
	if v == nil {
		if def < least {
			b.problem(key, "missing")
		}
		return def
	}
	n, ok := integer(v)
	if !ok || n < int64(least) || n > int64(most) {
		b.problem(key, show(v)+" is no whole number from "+strconv.Itoa(least)+" to "+strconv.Itoa(most))
		return def
	}
	return int(n)
}

// Ints is a count for each of n layers: one integer for all, or an array of n. Without a def the key is required.
func (b *Base) Ints(key string, n int, def []int) []int {
	v := b.get(key)
	if v == nil && def == nil {
		b.problem(key, "missing")
	}
	if v == nil {
		return def
	}
	var list []int64
	switch v := v.(type) {
	case []int64:
		list = v
	case []any:
		for _, e := range v {
			if i, ok := integer(e); ok {
				list = append(list, i)
			}
		}
	default:
		if i, ok := integer(v); ok {
			list = slices.Repeat([]int64{i}, n)
		}
	}
	if len(list) != n {
		b.problem(key, "is neither a whole number nor an array of "+strconv.Itoa(n)+", one a layer")
		return def
	}
	counts := make([]int, n)
	for i, c := range list {
		if c < 1 || c > maxWidth {
			b.problem(key, strconv.FormatInt(c, 10)+" in layer "+strconv.Itoa(i)+" is not from 1 to "+strconv.Itoa(maxWidth))
			return def
		}
		counts[i] = int(c)
	}
	return counts
}

// Float is the number under key, def if absent; a def of NaN makes the key required. It is finite.
func (b *Base) Float(key string, def float64) float64 {
	v := b.get(key)
	if v == nil {
		if math.IsNaN(def) {
			b.problem(key, "missing")
		}
		return def
	}
	f, ok := number(v)
	if !ok || math.IsNaN(f) || math.IsInf(f, 0) {
		b.problem(key, show(v)+" is no finite number")
		return def
	}
	return f
}

// String is the string under key, def if absent.
func (b *Base) String(key, def string) string {
	switch v := b.get(key).(type) {
	case nil:
	case string:
		return v
	default:
		b.problem(key, show(v)+" is no string")
	}
	return def
}

// Unsupported refuses the file for what its key says.
func (b *Base) Unsupported(key, reason string) {
	if b.unsupported == nil {
		b.unsupported = &UnsupportedError{Field: b.name + "." + key, Reason: reason}
	}
}

func (b *Base) problem(key, text string) { b.problems = append(b.problems, b.name+"."+key+": "+text) }

func (b *Base) failed() bool { return b.err() != nil }

func (b *Base) err() error {
	switch {
	case b.failure != nil:
		return b.failure
	case b.problems != nil:
		return &FormatError{Problems: b.problems}
	case b.unsupported != nil:
		return b.unsupported
	}
	return nil
}

func integer(v any) (int64, bool) {
	n, ok := v.(int64)
	return n, ok
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	}
	return 0, false
}

// show is a scalar for an error message.
func show(v any) string {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return quote(v)
	}
	return "an array"
}

// quote is a string from a file, short and with everything that is not printable escaped.
func quote(s string) string {
	const most = 64
	if len(s) > most {
		s = s[:most] + "..."
	}
	return strconv.QuoteToASCII(s)
}
