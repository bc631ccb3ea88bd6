package quantize

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"straw/gguf"
	"straw/quant"
)

// Mix is a rule for the types of a model's tensors, by the name users know.
type Mix struct {
	Name     string
	FileType uint32 // general.file_type
	Base     quant.Type
}

// Mixes are those that need no importance matrix, in the order of their size.
var Mixes = []Mix{
	{"TQ1_0", 36, quant.TQ1_0}, {"TQ2_0", 37, quant.TQ2_0},
	{"Q2_K", 10, quant.Q2_K},
	{"Q3_K_S", 11, quant.Q3_K}, {"Q3_K_M", 12, quant.Q3_K}, {"Q3_K_L", 13, quant.Q3_K},
	{"IQ4_XS", 30, quant.IQ4_XS}, {"IQ4_NL", 25, quant.IQ4_NL}, {"MXFP4_MOE", 38, quant.MXFP4},
	{"Q4_0", 2, quant.Q4_0}, {"Q4_1", 3, quant.Q4_1}, {"Q4_K_S", 14, quant.Q4_K}, {"Q4_K_M", 15, quant.Q4_K},
	{"Q5_0", 8, quant.Q5_0}, {"Q5_1", 9, quant.Q5_1}, {"Q5_K_S", 16, quant.Q5_K}, {"Q5_K_M", 17, quant.Q5_K},
	{"Q6_K", 18, quant.Q6_K}, {"Q8_0", 7, quant.Q8_0},
	{"F16", 1, quant.F16}, {"BF16", 32, quant.BF16}, {"F32", 0, quant.F32},
}

// aliases are what llama-quantize takes too.
var aliases = map[string]string{"Q3_K": "Q3_K_M", "Q4_K": "Q4_K_M", "Q5_K": "Q5_K_M"}

// ParseMix is the mix of that name, in letters of any case.
func ParseMix(name string) (Mix, bool) {
	name = strings.ToUpper(name)
	if full, ok := aliases[name]; ok {
		name = full
	}
	for _, m := range Mixes {
		if m.Name == name {
			return m, true
		}
	}
	return Mix{}, false
}

// The rules are those of llama.cpp v0.5.0 (src/llama-quant.cpp), without an importance matrix, so that the files have
// the types that people know under these names. They go by a tensor's role, and for values and down projections by how
// deep in the model it stands: the first and last eighth and every third layer between get more bits.

// role is what a tensor is for, by its name.
type role int

const (
	other role = iota
	embedding
	output
	query
	key
	value // also fused with others
	attentionOutput
	down
)

func roleOf(name string) role {
	switch {
	case name == "output.weight":
		return output
	case name == "token_embd.weight", name == "per_layer_token_embd.weight":
		return embedding
	}
	for _, part := range []struct {
		name string
		role role
	}{
		{"attn_qkv.weight", value}, {"attn_kv_b.weight", value}, {"attn_v.weight", value}, {"attn_k.weight", key}, {"attn_q.weight", query},
		{"attn_output.weight", attentionOutput}, {"ffn_up", other}, {"ffn_gate", other}, {"ffn_down", down},
	} {
		if strings.Contains(name, part.name) {
			return part.role
		}
	}
	return other
}

// kept are parts of the names of matrices that stay as they are: routers, small or sensitive ones.
var kept = []string{
	"_norm.weight", "ffn_gate_inp.weight", "ffn_gate_tid2eid.weight", "altup", "laurel", "per_layer_model_proj", "ssm_conv1d", "shortconv.conv.weight",
	"indexer.k_proj.weight", "indexer.q_proj.weight",
	"time_mix_first.weight", "time_mix_w0.weight", "time_mix_w1.weight", "time_mix_w2.weight", "time_mix_v0.weight", "time_mix_v1.weight",
	"time_mix_v2.weight", "time_mix_a0.weight", "time_mix_a1.weight", "time_mix_a2.weight", "time_mix_g1.weight", "time_mix_g2.weight",
	"time_mix_decay_w1.weight", "time_mix_decay_w2.weight", "time_mix_lerp_fused.weight", "attn_rel_b.weight",
	".position_embd", "sam.pos_embd", "sam.neck.", "sam.net_", ".rel_pos", ".patch_embd", ".patch_merger", "a.rvq.codebook", "mm.a.code_embd",
}

// quantizable reports whether a tensor is a matrix that the mixes may convert.
func quantizable(t *gguf.Tensor) bool {
	if len(t.Dims) < 2 || !slices.ContainsFunc(t.Dims[1:], func(n uint64) bool { return n > 1 }) {
		return false
	}
	switch t.Type {
	case quant.I8, quant.I16, quant.I32, quant.I64:
		return false
	}
	name := t.Name
	return strings.HasSuffix(name, "weight") && name != "position_embd.weight" && name != "token_types.weight" &&
		!slices.ContainsFunc(kept, func(part string) bool { return strings.Contains(name, part) })
}

// model is what the rules want to know of a model.
type model struct {
	arch    string
	layers  int
	experts int
	group   int  // query heads for each key and value head of the first layer
	large   bool // a 70B model: its few value heads are small
	tied    bool // no output.weight: the embedding is used instead
	values  int  // number of tensors in the role value
}

func describe(f *gguf.File) model {
	arch := f.Architecture()
	m := model{arch: arch, tied: true, layers: integer(f, arch+".block_count", 0), experts: integer(f, arch+".expert_count", 0)}
	heads := integer(f, arch+".attention.head_count", 0)
	kvHeads := integer(f, arch+".attention.head_count_kv", heads)
	if kvHeads > 0 {
		m.group = heads / kvHeads
	}
	switch arch {
	case "llama", "llama-embed":
		m.large = m.layers == 80 && heads != kvHeads
	case "qwen2", "deci", "olmo":
		m.large = m.layers == 80
	case "jais2":
		m.large = m.layers == 68
	}
	for i := range f.Tensors {
		switch roleOf(f.Tensors[i].Name) {
		case value:
			m.values++
		case output:
			m.tied = false
		}
	}
	return m
}

// integer is an integer key, or the first of an array of integers.
func integer(f *gguf.File, key string, absent int) int {
	v, err := f.Get(key)
	if err != nil {
		return absent
	}
	switch v := v.(type) {
	case int64:
		return int(v)
	case []int64:
		if len(v) > 0 {
			return int(v[0])
		}
	}
	return absent
}

// wanted is the type the mix asks for, for each tensor of f.
func wanted(f *gguf.File, o Options) []quant.Type {
	m, mixed := describe(f), o.Mix.Base.BlockElems() > 1 && !o.Pure
	types := make([]quant.Type, len(f.Tensors))
	var nth counts
	for _, i := range byLayer(f) {
		t := &f.Tensors[i]
		r := roleOf(t.Name)
		switch {
		case !quantizable(t):
			types[i] = t.Type
		case r == embedding && o.Embedding != quant.F32:
			types[i] = o.Embedding
		case (r == output || r == embedding && m.tied && mixed) && o.Output != quant.F32:
			types[i] = o.Output
		case mixed:
			types[i] = o.Mix.choose(m, t, r, &nth)
		default:
			types[i] = o.Mix.Base
		}
	}
	return types
}

// byLayer is the order in which the rules count tensors: those of no layer, then layer by layer, by name in each.
func byLayer(f *gguf.File) []int {
	order := make([]int, len(f.Tensors))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := f.Tensors[i].Name, f.Tensors[j].Name
		return cmp.Or(cmp.Compare(layerOf(a), layerOf(b)), cmp.Compare(a, b))
	})
	return order
}

// layerOf is N of blk.N., -1 for other names.
func layerOf(name string) int {
	rest, ok := strings.CutPrefix(name, "blk.")
	digits, _, dot := strings.Cut(rest, ".")
	n, err := strconv.ParseUint(digits, 10, 31)
	if !ok || !dot || err != nil {
		return -1
	}
	return int(n)
}

// counts are how many tensors of a role came before.
type counts struct{ values, downs int }

// more reports whether layer i of n is one of those that get more bits.
func more(i, n int) bool { return i < n/8 || i >= 7*n/8 || (i-n/8)%3 == 2 }

// choose is the type of one matrix.
func (x Mix) choose(m model, t *gguf.Tensor, r role, nth *counts) quant.Type {
	if r == output || r == embedding && m.tied {
		switch {
		case x.Name == "MXFP4_MOE", m.arch == "falcon", t.Dims[0]%uint64(x.Base.BlockElems()) != 0, x.Base == quant.Q8_0:
			return quant.Q8_0
		}
		return quant.Q6_K
	}
	if x.Name == "MXFP4_MOE" { // the experts, which have a third dimension
		expert := len(t.Dims) > 2 && t.Dims[2] > 1
		if m.arch == "bailingmoe3" { // its attention has such matrices too
			expert = expert && strings.Contains(t.Name, "ffn_")
		}
		if expert {
			return quant.MXFP4
		}
		return quant.Q8_0
	}
	switch r {
	case embedding:
		if x.Base == quant.TQ1_0 || x.Base == quant.TQ2_0 {
			return quant.Q4_K
		}
	case value:
		i := nth.values
		nth.values++
		return x.value(m, t, i)
	case key:
		if m.experts == 8 {
			return quant.Q8_0
		}
	case down:
		i := nth.downs
		nth.downs++
		if l := layerOf(t.Name); m.experts > 1 && l >= 0 {
			i = l // experts in tensors of their own are in no order
		}
		return x.down(m, i)
	case attentionOutput:
		return x.attentionOutput(m)
	}
	return x.Base
}

// value is the type of the i-th value projection.
func (x Mix) value(m model, t *gguf.Tensor, i int) quant.Type {
	to := x.Base
	switch {
	case x.Name == "Q2_K":
		to = quant.Q3_K
		if m.group >= 4 {
			to = quant.Q4_K
		}
	case x.Name == "Q3_K_M":
		to = quant.Q4_K
		if i < 2 {
			to = quant.Q5_K
		}
	case x.Name == "Q3_K_L",
		x.Name == "Q4_K_S" && i < 4,
		(x.Name == "IQ4_NL" || x.Name == "IQ4_XS") && m.group >= 4:
		to = quant.Q5_K
	case (x.Name == "Q4_K_M" || x.Name == "Q5_K_M") && more(i, m.values):
		to = quant.Q6_K
	}
	if m.large && (to == quant.Q3_K || to == quant.Q4_K) {
		to = quant.Q5_K
	}
	if m.experts == 8 {
		to = quant.Q8_0
	}
	return to
}

// down is the type of the i-th down projection of the feed-forward part.
func (x Mix) down(m model, i int) quant.Type {
	n, falcon := m.layers, m.arch == "falcon"
	switch x.Name {
	case "Q2_K":
		return quant.Q3_K
	case "Q3_K_M":
		switch {
		case i < n/16:
			return quant.Q5_K
		case !falcon || more(i, n):
			return quant.Q4_K
		}
	case "Q3_K_L":
		if falcon {
			return quant.Q4_K
		}
		return quant.Q5_K
	case "Q4_K_S":
		if !falcon && i < n/8 {
			return quant.Q5_K
		}
	case "Q4_K_M":
		switch {
		case falcon && i < n/16, !falcon && more(i, n):
			return quant.Q6_K
		case falcon && more(i, n):
			return quant.Q5_K
		}
	case "Q5_K_M":
		if more(i, n) {
			return quant.Q6_K
		}
	case "IQ4_NL", "IQ4_XS":
		if i < n/8 {
			return quant.Q5_K
		}
	}
	return x.Base
}

// attentionOutput is the type of an output projection of attention.
func (x Mix) attentionOutput(m model) quant.Type {
	switch {
	case m.arch == "falcon":
		if x.Name == "Q3_K_L" {
			return quant.Q4_K
		}
	case m.experts == 8:
		switch x.Name {
		case "Q2_K", "Q3_K_S", "Q3_K_M", "Q4_K_S", "Q4_K_M", "IQ4_NL", "IQ4_XS":
			return quant.Q5_K
		}
	case x.Name == "Q2_K":
		return quant.Q3_K
	case x.Name == "Q3_K_M":
		return quant.Q4_K
	case x.Name == "Q3_K_L":
		return quant.Q5_K
	}
	return x.Base
}

// fitting is the type for a tensor whose rows may not fit the blocks of the one that is wanted: another of smaller
// blocks and no fewer bits, F16 in the end.
func fitting(t *gguf.Tensor, want quant.Type) quant.Type {
	fits := func(q quant.Type) bool { return t.Dims[0]%uint64(q.BlockElems()) == 0 }
	if want == t.Type || fits(want) {
		return want
	}
	smaller := map[quant.Type]quant.Type{
		quant.IQ4_XS: quant.IQ4_NL, quant.Q2_K: quant.Q4_0, quant.Q3_K: quant.Q4_0, quant.TQ1_0: quant.Q4_0, quant.TQ2_0: quant.Q4_0,
		quant.Q4_K: quant.Q5_0, quant.Q5_K: quant.Q5_1, quant.Q6_K: quant.Q8_0,
	}
	if q, ok := smaller[want]; ok && fits(q) {
		return q
	}
	return quant.F16
}
