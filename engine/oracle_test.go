package engine_test

import (
	"math"
	"strings"

	"straw/engine"
	"straw/quant"
)

// oracle is a textbook forward pass: float64, plain loops, all weights decoded, every position computed again for every
// call. It shares no arithmetic and no reading of metadata with the engine. It stands for what the architectures llama,
// qwen2 and qwen3 mean.
type oracle struct {
	src     engine.WeightSource
	decoded map[string][]float64
}

func newOracle(src engine.WeightSource) oracle { return oracle{src, map[string][]float64{}} }

func (o oracle) arch() string {
	v, _ := o.src.Get("general.architecture")
	return v.(string)
}

func (o oracle) number(key string, def float64) float64 {
	switch v, _ := o.src.Get(o.arch() + "." + key); v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	}
	return def
}

func (o oracle) text(key string) string {
	v, _ := o.src.Get(o.arch() + "." + key)
	s, _ := v.(string)
	return s
}

// tensor is a tensor's values, nil if it is not there.
func (o oracle) tensor(name string) []float64 {
	typ, dims, ok := o.src.TensorInfo(name)
	if v := o.decoded[name]; !ok || v != nil {
		return v
	}
	n := 1
	for _, d := range dims {
		n *= int(d)
	}
	packed := make([]byte, typ.Bytes(n))
	if err := o.src.ReadTensorAt(name, packed, 0); err != nil {
		panic(err)
	}
	values := make([]float32, n)
	quant.Dequantize(typ, values, packed)
	wide := make([]float64, n)
	for i, v := range values {
		wide[i] = float64(v)
	}
	o.decoded[name] = wide
	return wide
}

// linear is name.weight · x, times name.scale, plus name.bias.
func (o oracle) linear(name string, x []float64) []float64 {
	y := product(o.tensor(name+".weight"), x)
	if s := o.tensor(name + ".scale"); s != nil {
		for i := range y {
			y[i] *= s[0]
		}
	}
	return sum(y, o.tensor(name+".bias"))
}

func product(w, x []float64) []float64 {
	y := make([]float64, len(w)/len(x))
	for r := range y {
		for i, v := range x {
			y[r] += w[r*len(x)+i] * v
		}
	}
	return y
}

func sum(x, y []float64) []float64 {
	z := append([]float64(nil), x...)
	for i, v := range y {
		z[i] += v
	}
	return z
}

func rms(x, weight []float64, eps float64) []float64 {
	squares := 0.0
	for _, v := range x {
		squares += v * v
	}
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = v / math.Sqrt(squares/float64(len(x))+eps) * weight[i]
	}
	return y
}

// rope turns one head by its position.
func (o oracle) rope(x []float64, pos int) {
	dim := int(o.number("rope.dimension_count", float64(len(x))))
	base := o.number("rope.freq_base", 10000)
	factor := o.number("rope.scaling.factor", o.number("rope.scale_linear", 1))
	length := o.number("rope.scaling.attn_factor", 1)
	divisors := o.tensor("rope_freqs.weight")
	for i := range dim / 2 {
		whole := float64(pos) * math.Pow(base, -2*float64(i)/float64(dim))
		if divisors != nil {
			whole /= divisors[i]
		}
		angle, stretch := whole/factor, length
		switch o.text("rope.scaling.type") {
		case "none":
			angle = whole
		case "yarn":
			context := o.number("rope.scaling.original_context_length", o.number("context_length", 0))
			border := func(turns float64) float64 {
				return float64(dim) * math.Log(context/(2*math.Pi*turns)) / (2 * math.Log(base))
			}
			low := math.Max(0, math.Floor(border(o.number("rope.scaling.yarn_beta_fast", 32))))
			high := math.Min(float64(dim-1), math.Ceil(border(o.number("rope.scaling.yarn_beta_slow", 1))))
			slow := math.Min(1, math.Max(0, (float64(i)-low)/math.Max(0.001, high-low)))
			angle = whole/factor*slow + whole*(1-slow)
			stretch *= 1 + 0.1*math.Log(factor)
			if m := o.number("rope.scaling.yarn_log_multiplier", 0); m != 0 {
				stretch /= 1 + 0.1*m*math.Log(factor)
			}
		}
		a, b := i, i+dim/2
		if !strings.HasPrefix(o.arch(), "qwen") {
			a, b = 2*i, 2*i+1
		}
		sin, cos := math.Sincos(angle)
		x[a], x[b] = stretch*(x[a]*cos-x[b]*sin), stretch*(x[a]*sin+x[b]*cos)
	}
}

// logits is the logits after each of ids.
func (o oracle) logits(ids []int) [][]float64 {
	embd := int(o.number("embedding_length", 0))
	heads := int(o.number("attention.head_count", 0))
	kvHeads := int(o.number("attention.head_count_kv", float64(heads)))
	keyDim := int(o.number("attention.key_length", float64(embd/heads)))
	valueDim := int(o.number("attention.value_length", float64(embd/heads)))
	eps := o.number("attention.layer_norm_rms_epsilon", 0)
	scale := o.number("attention.scale", 1/math.Sqrt(float64(keyDim)))
	table := o.tensor("token_embd.weight")
	var x [][]float64
	for _, id := range ids {
		x = append(x, table[id*embd:(id+1)*embd])
	}
	for l := range int(o.number("block_count", 0)) {
		blk := "blk." + string(rune('0'+l)) + "."
		var q, k, v [][]float64
		for pos := range x {
			h := rms(x[pos], o.tensor(blk+"attn_norm.weight"), eps)
			var all []float64
			if o.tensor(blk+"attn_qkv.weight") != nil {
				all = o.linear(blk+"attn_qkv", h)
			} else {
				all = append(append(o.linear(blk+"attn_q", h), o.linear(blk+"attn_k", h)...), o.linear(blk+"attn_v", h)...)
			}
			qv, kv, vv := all[:heads*keyDim], all[heads*keyDim:(heads+kvHeads)*keyDim], all[(heads+kvHeads)*keyDim:]
			for i, part := range [][]float64{qv, kv} {
				for head := 0; head < len(part); head += keyDim {
					if w := o.tensor(blk + []string{"attn_q_norm.weight", "attn_k_norm.weight"}[i]); w != nil {
						copy(part[head:], rms(part[head:head+keyDim], w, eps))
					}
					o.rope(part[head:head+keyDim], pos)
				}
			}
			q, k, v = append(q, qv), append(k, kv), append(v, vv)
		}
		for pos := range x {
			mixed := make([]float64, heads*valueDim)
			for head := range heads {
				shared := head / (heads / kvHeads)
				weights, total := make([]float64, pos+1), 0.0
				for j := range weights {
					score := 0.0
					for i := range keyDim {
						score += q[pos][head*keyDim+i] * k[j][shared*keyDim+i]
					}
					weights[j] = math.Exp(score * scale)
					total += weights[j]
				}
				for j, w := range weights {
					for i := range valueDim {
						mixed[head*valueDim+i] += w / total * v[j][shared*valueDim+i]
					}
				}
			}
			y := sum(x[pos], o.linear(blk+"attn_output", mixed))
			h := rms(y, o.tensor(blk+"ffn_norm.weight"), eps)
			gate, up := o.linear(blk+"ffn_gate", h), o.linear(blk+"ffn_up", h)
			for i, g := range gate {
				gate[i] = g / (1 + math.Exp(-g)) * up[i]
			}
			x[pos] = sum(y, o.linear(blk+"ffn_down", gate))
		}
	}
	var rows [][]float64
	for pos := range x {
		h := rms(x[pos], o.tensor("output_norm.weight"), eps)
		if o.tensor("output.weight") != nil {
			rows = append(rows, o.linear("output", h))
		} else {
			rows = append(rows, product(table, h))
		}
	}
	return rows
}
