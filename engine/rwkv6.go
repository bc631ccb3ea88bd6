package engine

import (
	"context"
	"math"

	kernels "straw"
	"straw/engine/arch"
)

// rwkv6 is the op of arch.RWKV6: five mixtures of each column with the one before it, in proportions that depend on
// both, give decay, key, value, receptance and gate; wkv6 mixes the tokens, or linearAttention in the gated form.
type rwkv6 struct {
	*arch.RWKV6
	memory
	shift                  shift
	w1                     linear
	w2                     experts // [5][embd, Extra]
	decay1, decay2         linear
	key, value, receptance linear
	gate, out              linear
	lerpX                  []float32
	lerps                  [5][]float32 // w, k, v, r, g
	decay, bonus           []float32
	norm                   norm
	state                  region // [heads, HeadSize, HeadSize]
	heads                  int

	p             *pass
	h             []float32
	x             []float32 // [n, embd]: columns of the product at hand
	more          []float32 // [n, embd]: what is added to the rates of mixing
	low           []float32 // [n, 5*Extra], and then [5, n, Extra]
	lowDecay      []float32 // [n, DecayExtra]
	w, k, v, r, g []float32 // [n, embd], k and v [n, kvWidth]
	y             []float32 // [n, embd]
	part          int
	kvWidth       int
	keys          []float32 // [heads, HeadSize]: keys of the gated form

	firstStep, lowStep, lerpStep, decayStep, headStep, endStep func(worker, i int)
}

// wkvEps is RWKV's epsilon of the norm of heads: 64 times PyTorch's.
const wkvEps = 64e-5

func newRWKV6(v *arch.RWKV6, w *layerWeights, s *machine, layer int) (op, error) {
	embd := s.model.Embd
	m, err := s.newMemory(v, layer)
	if err != nil {
		return nil, err
	}
	o := &rwkv6{
		RWKV6: v, memory: m, heads: embd / v.HeadSize,
		w1: w.linear("time_mix_w1"), w2: newExperts(w, "time_mix_w2", "", 5),
		decay1: w.linear("time_mix_decay_w1"), decay2: w.linear("time_mix_decay_w2"),
		key: w.linear("time_mix_key"), value: w.linear("time_mix_value"), receptance: w.linear("time_mix_receptance"),
		gate: w.linear("time_mix_gate"), out: w.linear("time_mix_output"),
		lerpX: w.vector("time_mix_lerp_x", arch.Weight),
		decay: w.vector("time_mix_decay", arch.Weight), bonus: w.vector("time_mix_first", arch.Weight),
		norm: norm{Norm: arch.Norm{Kind: arch.LN, Eps: wkvEps}, weight: w.vector("time_mix_ln", arch.Weight), bias: w.vector("time_mix_ln", arch.Bias)},
	}
	if all := w.vector("time_mix_lerp_fused", arch.Weight); all != nil {
		for i := range o.lerps {
			o.lerps[i] = all[i*embd:][:embd]
		}
	} else {
		for i, r := range arch.RWKV6Lerps {
			o.lerps[i] = w.vector(r, arch.Weight)
		}
	}
	o.shift.region, o.state = o.take(embd), o.take(embd*v.HeadSize)
	o.kvWidth = v.KVHeads * v.HeadSize
	o.firstStep, o.lowStep, o.lerpStep = o.mixFirst, o.squash, o.mixPart
	o.decayStep, o.headStep, o.endStep = o.squashDecay, o.head, o.end
	return o, nil
}

func (o *rwkv6) floats() int { return 7*o.shift.n + 10*o.Extra + o.DecayExtra + 2*o.kvWidth }

func (o *rwkv6) run(ctx context.Context, p *pass, h, out []float32) error {
	embd := o.shift.n
	o.p, o.h = p, h
	o.x, o.more = p.arena.take(p.n*embd), p.arena.take(p.n*embd)
	o.low, o.lowDecay = p.arena.take(p.n*10*o.Extra), p.arena.take(p.n*o.DecayExtra)
	o.w, o.r, o.g, o.y = p.arena.take(p.n*embd), p.arena.take(p.n*embd), p.arena.take(p.n*embd), p.arena.take(p.n*embd)
	o.k, o.v = p.arena.take(p.n*o.kvWidth), p.arena.take(p.n*o.kvWidth)
	o.keys = p.arena.take(embd)
	p.s.each(p.n, o.firstStep)
	p.load(o.x, embd)
	if err := p.apply(ctx, o.low[:p.n*5*o.Extra], 5*o.Extra, o.w1); err != nil {
		return err
	}
	p.s.each(p.n, o.lowStep)
	for i, use := range [...]struct {
		dst    []float32
		stride int
		l      linear
	}{{o.lowDecay, o.DecayExtra, o.decay1}, {o.k, o.kvWidth, o.key}, {o.v, o.kvWidth, o.value}, {o.r, embd, o.receptance}, {o.g, embd, o.gate}} {
		o.part = i
		p.load(o.low[(5+i)*p.n*o.Extra:][:p.n*o.Extra], o.Extra)
		if err := p.apply(ctx, o.more, embd, o.w2.linear(i)); err != nil {
			return err
		}
		p.s.each(p.n, o.lerpStep)
		p.load(o.x, embd)
		if err := p.apply(ctx, use.dst, use.stride, use.l); err != nil {
			return err
		}
		if i == 0 {
			p.s.each(p.n, o.decayStep)
			p.load(o.lowDecay, o.DecayExtra)
			if err := p.apply(ctx, o.w, embd, o.decay2); err != nil {
				return err
			}
		}
	}
	o.shift.advance(p, h)
	p.s.each(o.heads, o.headStep)
	p.s.each(p.n-p.first, o.endStep)
	p.load(o.y[p.first*embd:], embd)
	return p.apply(ctx, out[p.first*embd:], embd, o.out)
}

func (o *rwkv6) mixFirst(_, c int) {
	embd := o.shift.n
	lerp(o.x[c*embd:][:embd], o.h[c*embd:][:embd], o.shift.before(o.p, o.h, c), o.lerpX, nil)
}

// squash bends a column's part of low and sorts it by what it is for.
func (o *rwkv6) squash(_, c int) {
	n, e := o.p.n, o.Extra
	for i, v := range o.low[c*5*e:][:5*e] {
		o.low[(5+i/e)*n*e+c*e+i%e] = kernels.Tanh(v)
	}
}

func (o *rwkv6) mixPart(_, c int) {
	embd := o.shift.n
	lerp(o.x[c*embd:][:embd], o.h[c*embd:][:embd], o.shift.before(o.p, o.h, c), o.lerps[o.part], o.more[c*embd:][:embd])
}

func (o *rwkv6) squashDecay(_, c int) {
	for i, v := range o.lowDecay[c*o.DecayExtra:][:o.DecayExtra] {
		o.lowDecay[c*o.DecayExtra+i] = kernels.Tanh(v)
	}
}

// head runs all columns through one head.
func (o *rwkv6) head(_, h int) {
	embd, size := o.shift.n, o.HeadSize
	kv := h / (o.heads / o.KVHeads) * size
	scale := 1 / float32(math.Sqrt(float64(size)))
	for c := range o.p.n {
		state := o.state.of(o.p.lane(c))[h*size*size:][:size*size]
		w := o.w[c*embd+h*size:][:size]
		for i, v := range w {
			w[i] = kernels.Exp(-kernels.Exp(v + o.decay[h*size+i]))
		}
		y, r := o.y[c*embd+h*size:][:size], o.r[c*embd+h*size:][:size]
		k, v := o.k[c*o.kvWidth+kv:][:size], o.v[c*o.kvWidth+kv:][:size]
		if !o.Gated {
			wkv6(y, state, r, k, v, w, o.bonus[h*size:][:size])
			continue
		}
		keys := o.keys[h*size:][:size] // heads may share k, and their decays differ
		for i, x := range k {
			keys[i] = x - float32(x*w[i])
		}
		multiply(r, scale)
		linearAttention(y, state, r, keys, v, w)
	}
}

// end normalizes the heads and applies the gate.
func (o *rwkv6) end(_, i int) {
	embd := o.shift.n
	c := o.p.first + i
	y, g := o.y[c*embd:][:embd], o.g[c*embd:][:embd]
	if o.Gated {
		for i, v := range g {
			y[i] *= kernels.Sigmoid(v)
		}
		return
	}
	normHeads(&o.norm, y, o.HeadSize)
	for i, v := range g {
		y[i] *= kernels.SiLU(v)
	}
}

// normHeads normalizes each size elements of x with their own weights.
func normHeads(n *norm, x []float32, size int) {
	for at := 0; at < len(x); at += size {
		one := norm{Norm: n.Norm, weight: n.weight[at:][:size]}
		if n.bias != nil {
			one.bias = n.bias[at:][:size]
		}
		one.apply(x[at:][:size], x[at:][:size])
	}
}
