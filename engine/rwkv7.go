package engine

import (
	"context"
	"math"

	kernels "straw"
	"straw/engine/arch"
)

// rwkv7 is the op of arch.RWKV7: mixtures of each column with the one before it give receptance, decay, key, value, the
// rate a of learning in context, and a gate; wkv7 mixes the tokens. Values are drawn towards those of the first layer.
type rwkv7 struct {
	*arch.RWKV7
	memory
	shift                               shift
	receptance, key, value, out         linear
	w1, w2, v1, v2, a1, a2, g1, g2      linear
	w0, v0, a0, keyScale, keyRate, self []float32 // [embd]
	lerps                               [][]float32
	norm                                norm
	state                               region // [heads, HeadSize, HeadSize]
	heads                               int
	first                               *rwkv7    // of the first layer
	values                              []float32 // [n, embd]: this layer's values, kept for later layers in the same pass

	p                *pass
	h                []float32
	x                []float32 // [n, embd]: columns of the product at hand
	low              []float32 // [n, lowWidth]: between two matrices of low rank
	lowWidth         int
	lowRows          int       // of lowWidth, those in use
	r, w, k, a, g, y []float32 // [n, embd]
	drawn            []float32 // [n, embd]: how much values are drawn
	kk, ka           []float32 // [embd] each: of the heads at work
	part             int
	bend             func(float32) float32

	lerpStep, bendStep, headStep, endStep func(worker, i int)
}

func newRWKV7(v *arch.RWKV7, w *layerWeights, s *machine, layer int) (op, error) {
	embd := s.model.Embd
	m, err := s.newMemory(v, layer)
	if err != nil {
		return nil, err
	}
	vector := func(r arch.Role) []float32 { return w.vector(r, arch.Weight) }
	o := &rwkv7{
		RWKV7: v, memory: m, heads: embd / v.HeadSize,
		receptance: w.linear("time_mix_receptance"), key: w.linear("time_mix_key"), value: w.linear("time_mix_value"),
		out: w.linear("time_mix_output"),
		w1:  w.linear("time_mix_w1"), w2: w.linear("time_mix_w2"), v1: w.linear("time_mix_v1"), v2: w.linear("time_mix_v2"),
		a1: w.linear("time_mix_a1"), a2: w.linear("time_mix_a2"), g1: w.linear("time_mix_g1"), g2: w.linear("time_mix_g2"),
		w0: vector("time_mix_w0"), v0: vector("time_mix_v0"), a0: vector("time_mix_a0"),
		keyScale: vector("time_mix_k_k"), keyRate: vector("time_mix_k_a"), self: vector("time_mix_r_k"),
		norm: norm{Norm: arch.Norm{Kind: arch.LN, Eps: wkvEps}, weight: vector("time_mix_ln"), bias: w.vector("time_mix_ln", arch.Bias)},
	}
	all := vector("time_mix_lerp_fused")
	for ; len(all) > 0; all = all[embd:] {
		o.lerps = append(o.lerps, all[:embd])
	}
	o.shift.region, o.state = o.take(embd), o.take(embd*v.HeadSize)
	o.lowWidth = max(v.Decay, v.Rate, v.Value, v.Gate)
	if v.Value > 0 {
		o.first = s.layers[0].steps[0].branches[0].op.(*rwkv7)
	}
	o.lerpStep, o.bendStep, o.headStep, o.endStep = o.mixPart, o.bendLow, o.head, o.end
	return o, nil
}

func (o *rwkv7) floats() int { return 8*o.shift.n + o.lowWidth }

func (o *rwkv7) run(ctx context.Context, p *pass, h, out []float32) error {
	embd := o.shift.n
	o.p, o.h = p, h
	o.x, o.low = p.arena.take(p.n*embd), p.arena.take(p.n*o.lowWidth)
	o.r, o.w, o.k = p.arena.take(p.n*embd), p.arena.take(p.n*embd), p.arena.take(p.n*embd)
	o.a, o.y = p.arena.take(p.n*embd), p.arena.take(p.n*embd)
	o.g, o.drawn = p.arena.take(p.n*embd), p.arena.take(p.n*embd)
	o.kk, o.ka = p.arena.take(embd), p.arena.take(embd)
	if len(o.values) < p.n*embd {
		o.values = make([]float32, p.n*embd)
	}
	if err := o.products(ctx, p); err != nil {
		return err
	}
	o.shift.advance(p, h)
	p.s.each(o.heads, o.headStep)
	p.s.each(p.n-p.first, o.endStep)
	p.load(o.y[p.first*embd:], embd)
	return p.apply(ctx, out[p.first*embd:], embd, o.out)
}

// products makes everything that depends on one column and the one before.
func (o *rwkv7) products(ctx context.Context, p *pass) error {
	o.part = -1
	if err := o.full(ctx, 0, o.r, o.receptance); err != nil {
		return err
	}
	if err := o.lowRank(ctx, 1, o.w, o.w1, o.w2, kernels.Tanh); err != nil {
		return err
	}
	if err := o.full(ctx, 2, o.k, o.key); err != nil {
		return err
	}
	if err := o.full(ctx, 3, o.values[:len(o.k)], o.value); err != nil {
		return err
	}
	if o.Value > 0 {
		if err := o.lowRank(ctx, 3, o.drawn, o.v1, o.v2, nil); err != nil {
			return err
		}
	}
	if err := o.lowRank(ctx, 4, o.a, o.a1, o.a2, nil); err != nil || o.Gate == 0 {
		return err
	}
	return o.lowRank(ctx, 5, o.g, o.g1, o.g2, kernels.Sigmoid)
}

// load sets the columns of a product to those of one mixture.
func (o *rwkv7) load(part int) {
	if part != o.part {
		o.part = part
		o.p.s.each(o.p.n, o.lerpStep)
	}
	o.p.load(o.x, o.shift.n)
}

// full is dst [n, embd] = l(x), with x the mixture part.
func (o *rwkv7) full(ctx context.Context, part int, dst []float32, l linear) error {
	o.load(part)
	return o.p.apply(ctx, dst, o.shift.n, l)
}

// lowRank is dst [n, embd] = up(bend(down(x))).
func (o *rwkv7) lowRank(ctx context.Context, part int, dst []float32, down, up linear, bend func(float32) float32) error {
	o.load(part)
	o.bend, o.lowRows = bend, down.rows
	low := o.low[:o.p.n*down.rows]
	if err := o.p.apply(ctx, low, down.rows, down); err != nil {
		return err
	}
	if bend != nil {
		o.p.s.each(o.p.n, o.bendStep)
	}
	o.p.load(low, down.rows)
	return o.p.apply(ctx, dst, o.shift.n, up)
}

func (o *rwkv7) mixPart(_, c int) {
	embd := o.shift.n
	lerp(o.x[c*embd:][:embd], o.h[c*embd:][:embd], o.shift.before(o.p, o.h, c), o.lerps[o.part], nil)
}

func (o *rwkv7) bendLow(_, c int) {
	low := o.low[c*o.lowRows:][:o.lowRows]
	for i, v := range low {
		low[i] = o.bend(v)
	}
}

// head runs all columns through one head.
func (o *rwkv7) head(_, h int) {
	embd, size := o.shift.n, o.HeadSize
	at := h * size
	kk, ka := o.kk[at:][:size], o.ka[at:][:size]
	for c := range o.p.n {
		state := o.state.of(o.p.lane(c))[at*size:][:size*size]
		r, w, k := o.r[c*embd+at:][:size], o.w[c*embd+at:][:size], o.k[c*embd+at:][:size]
		v, a, y := o.values[c*embd+at:][:size], o.a[c*embd+at:][:size], o.y[c*embd+at:][:size]
		if o.first != nil {
			drawn := o.drawn[c*embd+at:][:size]
			for i, f := range o.first.values[c*embd+at:][:size] {
				v[i] += float32((f - v[i]) * kernels.Sigmoid(drawn[i]+o.v0[at+i]))
			}
		}
		squares := float32(0)
		for i, x := range k {
			// The slowest decay is exp(-exp(-0.5)).
			w[i] = kernels.Exp(float32(-0.606531 * kernels.Sigmoid(w[i]+o.w0[at+i])))
			a[i] = kernels.Sigmoid(a[i] + o.a0[at+i])
			kk[i] = x * o.keyScale[at+i]
			squares += float32(kk[i] * kk[i])
			rate := x * o.keyRate[at+i]
			k[i] = x + (float32(a[i]*rate) - rate)
		}
		length := max(float32(math.Sqrt(float64(squares))), 1e-12)
		for i, x := range kk {
			x *= 1 / length
			kk[i], ka[i] = -x, x*a[i]
		}
		wkv7(y, state, r, k, v, w, kk, ka)
	}
}

// end normalizes the heads, adds what each token has from itself, and applies the gate.
func (o *rwkv7) end(_, i int) {
	embd, size := o.shift.n, o.HeadSize
	c := o.p.first + i
	y := o.y[c*embd:][:embd]
	if o.norm.weight != nil {
		normHeads(&o.norm, y, size)
	}
	for at := 0; at < embd; at += size {
		own := float32(0)
		r := o.r[c*embd+at:][:size]
		for i, k := range o.k[c*embd+at:][:size] {
			own += float32(float32(k*r[i]) * o.self[at+i])
		}
		kernels.Axpy(y[at:][:size], own, o.values[c*embd+at:][:size])
	}
	if o.Gate > 0 {
		for i, g := range o.g[c*embd:][:embd] {
			y[i] *= g
		}
	}
}
