package engine

import (
	"context"

	kernels "straw"
	"straw/engine/arch"
)

// latent is the op of arch.MLA.
type latent struct {
	*arch.MLA
	qa, qb, q, kva, kvb, out linear
	gate                     linear
	kb, vb                   []*matrix // of each head
	qaNorm, kvNorm           norm
	rotation                 *rotation
	slot                     int // of the cache
	rule                     scoring

	heads, keyDim, valueDim int // of the cache

	p                                         *pass
	attending                                 attending
	low                                       []float32 // [n, QRank]
	latents                                   []float32 // [n, KVRank + RopeDim]: the latent, then the part that rotates
	q0                                        []float32 // [n, Heads, KeyDim]
	made                                      []float32 // [n, Heads, plain + ValueDim], if heads are made from latents
	queries                                   []float32 // [n, Heads, keyDim] as the cache has keys
	mixed                                     []float32 // [n, Heads, valueDim]
	results                                   []float32 // [n, Heads, ValueDim]
	qaStep, latentStep, storeStep, attendStep func(worker, i int)
}

func (s *machine) newLatent(v *arch.MLA, w *layerWeights) (op, error) {
	a := &latent{
		MLA: v,
		qa:  w.linear("attn_q_a"), qb: w.linear("attn_q_b"), q: w.linear("attn_q"), kva: w.linear("attn_kv_a_mqa"),
		kvb: w.linear("attn_kv_b"), gate: w.linear("attn_gate"), out: w.linear("attn_output"),
		kb: w.heads["attn_k_b"], vb: w.heads["attn_v_b"],
		qaNorm: w.norm(v.QNorm), kvNorm: w.norm(v.KVNorm),
		rotation: s.newRotation(&v.Rope),
		rule:     scoring{scale: v.Scale},
	}
	if v.Scale == 0 {
		a.rule.scale = inverseRoot(v.KeyDim)
	}
	if v.MagnitudeScale {
		m := float32(magnitudeWithMultiplier(&v.Rope))
		a.rule.scale *= m * m
	}
	a.heads, a.keyDim, a.valueDim = v.CacheDims()
	var err error
	if a.slot, err = s.newCache(a.heads, a.keyDim, a.valueDim); err != nil {
		return nil, err
	}
	a.attending = attending{slot: a.slot, heads: v.Heads, rule: &a.rule, span: func(l *lane, c int) span {
		if s.model.Whole {
			c = l.to - 1
		}
		return span{0, l.at(c) + 1}
	}}
	a.qaStep, a.latentStep, a.storeStep, a.attendStep = a.normQuery, a.finishLatent, a.store, a.attending.piece
	return a, nil
}

func (a *latent) mixes() bool { return true }

func (a *latent) floats() int {
	return a.QRank + a.KVRank + a.RopeDim + a.Heads*(1+2*a.KeyDim+2*a.ValueDim+a.keyDim+a.valueDim)
}

func (a *latent) run(ctx context.Context, p *pass, h, out []float32) error {
	embd := p.s.model.Embd
	n := p.n
	if a.rotation != nil {
		a.rotation.grow(p.end)
	}
	p.growCaches(a.slot)
	a.p = p
	a.latents = p.arena.take(n * (a.KVRank + a.RopeDim))
	a.q0 = p.arena.take(n * a.Heads * a.KeyDim)
	a.queries = p.arena.take(n * a.Heads * a.keyDim)
	a.mixed = p.arena.take(n * a.Heads * a.valueDim)
	if err := a.products(ctx, p, h); err != nil {
		return err
	}
	if err := a.makeHeads(ctx, p); err != nil {
		return err
	}
	p.s.each(n, a.storeStep)
	pieces := a.attending.begin(p, a.queries[p.first*a.Heads*a.keyDim:], a.mixed[p.first*a.Heads*a.valueDim:])
	p.s.each(pieces, a.attendStep)
	a.results = a.mixed
	if a.Absorbed {
		a.results = p.arena.take(n * a.Heads * a.ValueDim)
		from := p.first * a.Heads
		if err := a.perHead(ctx, p, a.results[from*a.ValueDim:], a.Heads*a.ValueDim, a.ValueDim, a.vb, a.mixed[from*a.valueDim:], a.valueDim, a.valueDim); err != nil {
			return err
		}
	}
	width := a.Heads * a.ValueDim
	if a.gate.present() {
		gates := p.arena.take((n - p.first) * a.Heads)
		p.load(h[p.first*embd:], embd)
		if err := p.apply(ctx, gates, a.Heads, a.gate); err != nil {
			return err
		}
		for i, g := range gates {
			multiply(a.results[p.first*width+i*a.ValueDim:][:a.ValueDim], kernels.Sigmoid(g))
		}
	}
	p.load(a.results[p.first*width:n*width], width)
	return p.apply(ctx, out[p.first*embd:], embd, a.out)
}

// products makes queries and latents of all columns.
func (a *latent) products(ctx context.Context, p *pass, h []float32) error {
	p.load(h, p.s.model.Embd)
	if a.QRank > 0 {
		a.low = p.arena.take(p.n * a.QRank)
		if err := p.apply(ctx, a.low, a.QRank, a.qa); err != nil {
			return err
		}
	}
	if err := p.apply(ctx, a.latents, a.KVRank+a.RopeDim, a.kva); err != nil {
		return err
	}
	p.s.each(p.n, a.latentStep)
	if a.QRank == 0 {
		return p.apply(ctx, a.q0, a.Heads*a.KeyDim, a.q)
	}
	p.s.each(p.n, a.qaStep)
	p.load(a.low, a.QRank)
	return p.apply(ctx, a.q0, a.Heads*a.KeyDim, a.qb)
}

// makeHeads brings queries into the space of the latents, or latents into that of the heads.
func (a *latent) makeHeads(ctx context.Context, p *pass) error {
	plain := a.KeyDim - a.RopeDim
	if a.Absorbed {
		return a.perHead(ctx, p, a.queries, a.Heads*a.keyDim, a.keyDim, a.kb, a.q0, a.KeyDim, plain)
	}
	packed := p.arena.take(p.n * a.KVRank)
	for c := range p.n {
		copy(packed[c*a.KVRank:][:a.KVRank], a.latents[c*(a.KVRank+a.RopeDim):])
	}
	a.made = p.arena.take(p.n * a.Heads * (plain + a.ValueDim))
	p.load(packed, a.KVRank)
	return p.apply(ctx, a.made, a.Heads*(plain+a.ValueDim), a.kvb)
}

// perHead multiplies each head's matrix with the first k elements of that head in x [n, Heads, width]: dst has rows of
// stride, in which head h begins at h*to.
func (a *latent) perHead(ctx context.Context, p *pass, dst []float32, stride, to int, m []*matrix, x []float32, width, k int) error {
	n := len(x) / (a.Heads * width)
	in := p.arena.take(n * k)
	for h := range a.Heads {
		for c := range n {
			copy(in[c*k:][:k], x[(c*a.Heads+h)*width:])
		}
		p.load(in, k)
		if err := p.apply(ctx, dst[h*to:], stride, linear{matrix: m[h]}); err != nil {
			return err
		}
	}
	return nil
}

// normQuery normalizes a column's way to its queries.
func (a *latent) normQuery(_, c int) {
	x := a.low[c*a.QRank:][:a.QRank]
	a.qaNorm.apply(x, x)
}

// finishLatent normalizes a column's latent and rotates the part beside it.
func (a *latent) finishLatent(_, c int) {
	x := a.latents[c*(a.KVRank+a.RopeDim):][:a.KVRank+a.RopeDim]
	a.kvNorm.apply(x[:a.KVRank], x[:a.KVRank])
	if a.rotation != nil {
		a.rotation.apply(x[a.KVRank:], a.p.lane(c).at(c))
	}
}

// store finishes a column's queries and stores its keys and values.
func (a *latent) store(_, c int) {
	l := a.p.lane(c)
	pos := l.at(c)
	plain := a.KeyDim - a.RopeDim
	latent := a.latents[c*(a.KVRank+a.RopeDim):][:a.KVRank+a.RopeDim]
	q0 := a.q0[c*a.Heads*a.KeyDim:][:a.Heads*a.KeyDim]
	q := a.queries[c*a.Heads*a.keyDim:][:a.Heads*a.keyDim]
	for h := range a.Heads {
		turning := q0[h*a.KeyDim+plain:][:a.RopeDim]
		if a.rotation != nil {
			a.rotation.apply(turning, pos)
		}
		head := q[h*a.keyDim:][:a.keyDim]
		if !a.Absorbed {
			copy(head, q0[h*a.KeyDim:][:plain])
		}
		copy(head[a.keyDim-a.RopeDim:], turning)
	}
	if t := &a.Temperature; t.Scale != 0 {
		multiply(q, temperature(t, pos))
	}
	if a.Absorbed {
		l.caches[a.slot].store(pos, latent, latent[:a.KVRank])
		return
	}
	// Keys and values are put together where the column's queries were and its result will be.
	made := a.made[c*a.Heads*(plain+a.ValueDim):][:a.Heads*(plain+a.ValueDim)]
	for h := range a.Heads {
		key := q0[h*a.KeyDim:][:a.KeyDim]
		copy(key, made[h*(plain+a.ValueDim):][:plain])
		copy(key[plain:], latent[a.KVRank:])
	}
	values := a.mixed[c*a.Heads*a.ValueDim:][:a.Heads*a.ValueDim]
	for h := range a.Heads {
		copy(values[h*a.ValueDim:][:a.ValueDim], made[h*(plain+a.ValueDim)+plain:])
	}
	l.caches[a.slot].store(pos, q0, values)
}
