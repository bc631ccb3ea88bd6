package arch

import (
	"math"
	"slices"
	"strconv"
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
	return b
}

// readRope reads the rope keys with llama.cpp's defaults.
func (b *Base) readRope(r *Rope) {
	r.Dim = b.Int("rope.dimension_count", b.Attn.KeyDim, 0, maxWidth)
	r.Base = b.Float("rope.freq_base", 10000)
	if !(r.Base > 0) {
		b.Problem("rope.freq_base", "must be above 0")
	}
	kind := b.String("rope.scaling.type", "linear")
	r.Factor = b.Float("rope.scaling.factor", 0)
	if old := b.Float("rope.scale_linear", 0); b.get("rope.scaling.factor") == nil { // the key's older name
		r.Factor = old
	}
	if r.Factor == 0 || kind == "none" {
		r.Factor = 1
	}
	if !(r.Factor > 0) {
		b.Problem("rope.scaling.factor", "must be above 0")
	}
	r.Attn = b.Float("rope.scaling.attn_factor", 1)
	y := &r.Yarn
	y.Factor = r.Factor
	y.OrigContext = b.Int("rope.scaling.original_context_length", b.Context, 1, math.MaxInt32)
	y.BetaFast, y.BetaSlow = 32, 1
	switch kind {
	case "none", "linear", "longrope":
	case "yarn":
		y.Ext = 1
		if r.Base == 1 {
			b.Problem("rope.freq_base", "yarn needs a base that is not 1")
		}
	default:
		b.Unsupported("rope.scaling.type", "scaling "+quote(kind)+" cannot be run; known are none, linear, yarn, longrope")
	}
}

// ReadYarn reads the keys that only some architectures know: how many turns are many and few, and the multiplier.
func (b *Base) ReadYarn() {
	y := &b.Attn.Rope.Yarn
	y.BetaFast = b.Float("rope.scaling.yarn_beta_fast", y.BetaFast)
	y.BetaSlow = b.Float("rope.scaling.yarn_beta_slow", y.BetaSlow)
	y.LogMultiplier = b.Float("rope.scaling.yarn_log_multiplier", 0)
	if !(y.BetaFast > 0) || !(y.BetaSlow > 0) {
		b.Problem("rope.scaling", "yarn needs betas above 0")
	}
}

// Turn sets the pairing of the rotation, and the tensors that slow it down where the file has them: longrope's or
// Llama 3's.
func (b *Base) Turn(p Pairing, factors bool) {
	b.Attn.Rope.Pairing = p
	if factors {
		b.Attn.Rope.Factors = Freqs
		if b.String("rope.scaling.type", "") == "longrope" {
			b.Attn.Rope.Factors = LongShort
		}
	}
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

// Windows reads which layers have a window of the size of attention.sliding_window: the key
// attention.sliding_window_pattern has a flag a layer, or a number n, of which pattern is the default: then all layers
// have one but each n-th, the last of n or, with first, the first of n.
func (b *Base) Windows(kind WindowKind, pattern int, first bool) {
	b.Attn.Window = Window{b.Int("attention.sliding_window", 0, 0, math.MaxInt32), kind}
	flags, n := b.Flags("attention.sliding_window_pattern", pattern)
	for i := range b.Window {
		switch {
		case flags != nil:
			b.Window[i] = flags[i]
		case first:
			b.Window[i] = n == 0 || i%n != 0
		default:
			b.Window[i] = n == 0 || i%n < n-1
		}
	}
}

// NeedWindows is Windows of a file that must have a flag for each layer.
func (b *Base) NeedWindows() {
	b.Windows(Sliding, 1, false)
	if flags, _ := b.Flags("attention.sliding_window_pattern", 0); flags == nil {
		b.Problem("attention.sliding_window_pattern", "missing, or no array")
	}
}

// Flags is a truth value a layer under key, or else a number, def if absent.
func (b *Base) Flags(key string, def int) (flags []bool, n int) {
	switch v := b.get(key).(type) {
	case nil:
		return nil, def
	case []bool:
		flags = v
	case []int64:
		for _, x := range v {
			flags = append(flags, x != 0)
		}
	default:
		return nil, b.Int(key, def, 0, maxLayers)
	}
	if len(flags) < b.N {
		b.Problem(key, "is an array of "+strconv.Itoa(len(flags))+", must be of "+strconv.Itoa(b.N)+", one a layer")
		return nil, def
	}
	return flags, 0
}

// LocalRope is the rotation of layers with a window: with rope.freq_base_swa, def if absent, and without scaling.
func (b *Base) LocalRope(def float64) Rope {
	r := b.LocalBase(def)
	r.Factor = 1
	return r
}

// LocalBase is LocalRope with the model's scaling.
func (b *Base) LocalBase(def float64) Rope {
	r := b.Attn.Rope
	if r.Base = b.Float("rope.freq_base_swa", def); !(r.Base > 0) {
		b.Problem("rope.freq_base_swa", "must be above 0")
	}
	return r
}

// LocalDim is rope.dimension_count_swa: elements of a head that turn in layers with a window.
func (b *Base) LocalDim() int {
	return b.Int("rope.dimension_count_swa", b.Attn.Rope.Dim, 0, maxWidth)
}

// Sections reads rope.dimension_sections and tells whether the file has any.
func (b *Base) Sections() bool {
	r := &b.Attn.Rope
	switch v := b.get("rope.dimension_sections").(type) {
	case nil:
		return false
	case []int64:
		for i, n := range v[:min(len(v), 4)] {
			if n < 0 || n > maxWidth {
				b.Problem("rope.dimension_sections", strconv.FormatInt(n, 10)+" pairs")
				return false
			}
			r.Sections[i] = int(n)
		}
	default:
		b.Problem("rope.dimension_sections", "is no array of integers")
	}
	return r.Sections[0] > 0 && r.Sections[1] > 0
}

// At is layer i's attention, b.Attn with the layer's head counts and its window.
func (b *Base) At(i int) *Attn {
	a := b.Attn
	a.Heads, a.KVHeads = b.Heads[i], b.KV[i]
	switch {
	case a.Heads == 0:
		b.Problem("attention.head_count", "0 heads in layer "+strconv.Itoa(i))
	case a.KVHeads == 0 || a.Heads%a.KVHeads != 0:
		b.Problem("attention.head_count", "layer "+strconv.Itoa(i)+" has "+strconv.Itoa(a.Heads)+
			" heads, which "+strconv.Itoa(a.KVHeads)+" key/value heads cannot share")
	}
	if !b.Window[i] {
		a.Window = Window{}
	}
	a.Fused = b.HasIn(i, "attn_qkv.weight")
	return &a
}

// Net is layer i's feed-forward network, b.Dense with the layer's width.
func (b *Base) Net(i int) *Dense {
	d := b.Dense
	d.Hidden = b.Hidden[i]
	if d.Hidden == 0 {
		b.Problem("feed_forward_length", "missing")
	}
	return &d
}

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

// Each adds a layer for each i.
func (b *Base) Each(layer func(i int) Layer) {
	for i := range b.N {
		b.Layers = append(b.Layers, layer(i))
	}
}

// Pre is a layer of the usual kind: x + attn(norm(x)), then x + ffn(norm(x)).
func (b *Base) Pre(attn, ffn Op) Layer {
	return Layer{Steps: []Step{
		{Branches: []Branch{{Norm: b.Norm.As("attn_norm"), Op: attn}}},
		{Branches: []Branch{{Norm: b.Norm.As("ffn_norm"), Op: ffn}}},
	}}
}

// Post is a layer whose norms come after: x + norm(attn(x)), then x + norm(ffn(x)).
func (b *Base) Post(attn, ffn Op) Layer {
	return Layer{Steps: []Step{
		{Branches: []Branch{{Op: attn, Post: b.Norm.As("post_attention_norm")}}},
		{Branches: []Branch{{Op: ffn, Post: b.Norm.As("post_ffw_norm")}}},
	}}
}

// Sandwich is a layer with norms before and after.
func (b *Base) Sandwich(attn, ffn Op) Layer {
	l := b.Pre(attn, ffn)
	l.Steps[0].Branches[0].Post = b.Norm.As("post_attention_norm")
	l.Steps[1].Branches[0].Post = b.Norm.As("post_ffw_norm")
	return l
}

// Parallel is a layer of one step: x + attn(norm(x)) + ffn(norm(x)), with the same norm or two.
func (b *Base) Parallel(attn, ffn Op, attnNorm, ffnNorm Role) Layer {
	return Layer{Steps: []Step{{Branches: []Branch{
		{Norm: b.Norm.As(attnNorm), Op: attn},
		{Norm: b.Norm.As(ffnNorm), Op: ffn},
	}}}}
}

// inverseRoot is 1/√n.
func inverseRoot(n int) float32 { return float32(1 / math.Sqrt(float64(n))) }

// Has tells whether the file has a tensor.
func (b *Base) Has(name string) bool {
	_, ok := b.src.Dims(name)
	return ok
}

// HasIn tells whether the file has a tensor in layer i.
func (b *Base) HasIn(i int, name string) bool { return b.Has(LayerPrefix(i) + name) }

// Dim is dim i of a tensor, the row length being dim 0; 0 if there is no such tensor.
func (b *Base) Dim(name string, i int) int {
	dims, ok := b.src.Dims(name)
	if !ok || i >= len(dims) || dims[i] < 0 || dims[i] > math.MaxInt32 {
		return 0
	}
	return int(dims[i])
}

// check looks for values that no model can have.
func (b *Base) check() {
	for i := range b.Layers {
		for _, s := range b.Layers[i].Steps {
			for _, br := range s.Branches {
				if a, ok := br.Op.(*Attn); ok && a != nil {
					b.checkAttn(i, a)
				}
			}
		}
	}
}

func (b *Base) checkAttn(i int, a *Attn) {
	layer := " in layer " + strconv.Itoa(i)
	if width := max(a.KeyDim, a.ValueDim, 1); a.Heads > maxWidth/width || a.KVHeads > maxWidth/width {
		b.Problem("attention.head_count", strconv.Itoa(a.Heads)+" heads of "+strconv.Itoa(width)+" elements"+layer)
	}
	if a.KeyDim < 1 || a.ValueDim < 1 {
		b.Problem("attention.key_length", "heads of no elements"+layer)
	}
	if r := a.Rope; r.Pairing != NoRope && (r.Dim < 2 || r.Dim%2 != 0 || r.Dim > a.KeyDim) {
		b.Problem("rope.dimension_count", strconv.Itoa(r.Dim)+" is below 2, odd, or more than the "+strconv.Itoa(a.KeyDim)+" elements of a head"+layer)
	}
	if r := a.Rope; r.Alpha > 0 && r.Head <= 2 {
		b.Problem("rope.scaling.alpha", "needs heads of more than 2 elements")
	}
	if a.SharedKV > i {
		b.Problem("attention.shared_kv_layers", "no earlier layer has keys"+layer)
	}
}

// get is the value of the architecture's own key, nil if absent; it counts as read.
func (b *Base) get(key string) any {
	b.read[key] = true
	v, err := b.src.Get(b.Name + "." + key)
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
			b.Problem(key, "missing")
		}
		return def
	}
	n, ok := integer(v)
	if !ok || n < int64(least) || n > int64(most) {
		b.Problem(key, show(v)+" is no whole number from "+strconv.Itoa(least)+" to "+strconv.Itoa(most))
		return def
	}
	return int(n)
}

// Ints is a count for each block: one integer for all, or an array of as many; def if absent.
func (b *Base) Ints(key string, def []int) []int {
	n := b.blocks
	v := b.get(key)
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
		b.Problem(key, "is neither a whole number nor an array of "+strconv.Itoa(n)+", one a layer")
		return def
	}
	counts := make([]int, n)
	for i, c := range list {
		if c < 0 || c > maxWidth {
			b.Problem(key, strconv.FormatInt(c, 10)+" in layer "+strconv.Itoa(i)+" is not from 0 to "+strconv.Itoa(maxWidth))
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
			b.Problem(key, "missing")
		}
		return def
	}
	f, ok := number(v)
	if !ok || math.IsNaN(f) || math.IsInf(f, 0) {
		b.Problem(key, show(v)+" is no finite number")
		return def
	}
	return f
}

// Bool is the truth value under key, def if absent.
func (b *Base) Bool(key string, def bool) bool {
	switch v := b.get(key).(type) {
	case nil:
	case bool:
		return v
	default:
		b.Problem(key, show(v)+" is no truth value")
	}
	return def
}

// Floats is a number for each layer under key: one for all, or an array; 0 if absent.
func (b *Base) Floats(key string) []float32 {
	list := make([]float32, b.N)
	v := b.get(key)
	many, _ := v.([]float64)
	one, single := number(v)
	for i := range list {
		switch {
		case i < len(many):
			list[i] = float32(many[i])
		case single:
			list[i] = float32(one)
		case v != nil:
			b.Problem(key, "is neither a number nor an array of one a layer")
			return list
		}
	}
	return list
}

// String is the string under key, def if absent.
func (b *Base) String(key, def string) string {
	switch v := b.get(key).(type) {
	case nil:
	case string:
		return v
	default:
		b.Problem(key, show(v)+" is no string")
	}
	return def
}

// Unsupported refuses the file for what its key says.
func (b *Base) Unsupported(key, reason string) {
	if b.unsupported == nil {
		b.unsupported = &UnsupportedError{Field: b.Name + "." + key, Reason: reason}
	}
}

// Problem notes what is wrong with a key.
func (b *Base) Problem(key, text string) { b.problems = append(b.problems, b.Name+"."+key+": "+text) }

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
