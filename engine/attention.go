package engine

import (
	"context"
	"math"

	kernels "straw"
	"straw/engine/arch"
)

// attention is the op of arch.Attn.
type attention struct {
	*arch.Attn
	q, k, v, qkv, gate, out linear
	qNorm, kNorm            headNorm
	vNorm, mixedNorm        norm
	rotation                *rotation
	slot                    int // of the cache: its own, or that of the layer whose keys and values are used
	rule                    scoring

	// Widths of a column's products, which lie side by side: queries (with their gates), keys, values.
	qWidth, kWidth, vWidth, width int
	kAt, vAt                      int // where keys and values begin

	// What the steps work on.
	p                              *pass
	products                       []float32 // [n, width]
	queries                        []float32 // [n, heads, keyDim], where they are not the first of the products
	gates                          []float32 // [n, gateWidth]
	mixed                          []float32 // [n, heads, valueDim]
	gateWidth                      int
	attending                      attending
	qkvStep, attendStep, mixedStep func(worker, i int)
}

func (s *machine) newAttention(v *arch.Attn, w *layerWeights, layer int) (op, error) {
	a := &attention{
		Attn: v,
		q:    w.linear("attn_q"), k: w.linear("attn_k"), v: w.linear("attn_v"), qkv: w.linear("attn_qkv"),
		gate: w.linear("attn_gate"), out: w.linear(v.OutRole()),
		qNorm: newHeadNorm(w, v.QNorm, v.KeyDim), kNorm: newHeadNorm(w, v.KNorm, v.KeyDim),
		vNorm: w.norm(v.ValueNorm), mixedNorm: w.norm(v.MixedNorm),
		rotation: s.newRotation(&v.Rope),
		rule:     newScoring(v, w),
	}
	a.qWidth, a.kWidth, a.vWidth = v.Heads*v.KeyDim, v.KVHeads*v.KeyDim, v.KVHeads*v.ValueDim
	switch v.Gate {
	case arch.GateQuery:
		a.qWidth *= 2
		a.gateWidth = v.Heads * v.ValueDim
	case arch.GateElement:
		a.gateWidth = v.Heads * v.ValueDim
	case arch.GateHead:
		a.gateWidth = v.Heads
	}
	a.kAt, a.vAt = a.qWidth, a.qWidth+a.kWidth
	a.width = a.vAt + a.vWidth
	if v.Padded {
		a.vAt, a.width = 2*a.qWidth, 3*a.qWidth
	}
	if v.Relative.Buckets > 0 {
		a.rule.bias = s.relativeBias(v, w)
	}
	var err error
	if v.SharedKV > 0 {
		var ok bool
		if a.slot, ok = s.slotOf(v.SharedKV - 1); !ok || s.shapes[a.slot] != (kvShape{s.kv, v.KVHeads, v.KeyDim, v.ValueDim}) {
			return nil, &FormatError{Problems: []string{arch.LayerPrefix(layer) + "attn_q: the layer whose keys it shares has none that fit"}}
		}
	} else if a.slot, err = s.newCache(v.KVHeads, v.KeyDim, v.ValueDim); err != nil {
		return nil, err
	}
	a.attending = attending{slot: a.slot, heads: v.Heads, rule: &a.rule, span: a.span}
	a.qkvStep, a.attendStep, a.mixedStep = a.finishQKV, a.attending.piece, a.finishMixed
	return a, nil
}

// slotOf is the slot of an earlier layer's cache; ok is false if it has none.
func (s *machine) slotOf(layer int) (slot int, ok bool) {
	for _, st := range s.layers[layer].steps {
		for _, b := range st.branches {
			if a, ok := b.op.(*attention); ok {
				return a.slot, true
			}
		}
	}
	return 0, false
}

func (a *attention) mixes() bool { return true }
func (a *attention) floats() int { return a.width + 2*a.Heads*max(a.KeyDim, a.ValueDim) + a.gateWidth }

func (a *attention) run(ctx context.Context, p *pass, h, out []float32) error {
	embd := p.s.model.Embd
	if a.rotation != nil {
		a.rotation.grow(p.end)
	}
	if a.SharedKV == 0 {
		p.growCaches(a.slot)
	}
	a.p = p
	a.products = p.arena.take(p.n * a.width)
	p.load(h, embd)
	if err := a.multiply(ctx, p); err != nil {
		return err
	}
	a.gates = p.arena.take(p.n * a.gateWidth)
	a.queries = p.arena.take(p.n * a.Heads * a.KeyDim)
	a.mixed = p.arena.take(p.n * a.Heads * a.ValueDim)
	if a.gate.present() {
		if err := p.apply(ctx, a.gates, a.gateWidth, a.gate); err != nil {
			return err
		}
	}
	p.s.each(p.n, a.qkvStep)
	pieces := a.attending.begin(p, a.queries[p.first*a.Heads*a.KeyDim:], a.mixed[p.first*a.Heads*a.ValueDim:])
	p.s.each(pieces, a.attendStep)
	if a.gateWidth > 0 || a.mixedNorm.Kind != arch.NoNorm {
		p.s.each(p.n-p.first, a.mixedStep)
	}
	width := a.Heads * a.ValueDim
	if !a.out.present() {
		copy(out, a.mixed)
		return nil
	}
	p.load(a.mixed[p.first*width:], width)
	return p.apply(ctx, out[p.first*embd:], embd, a.out)
}

// multiply makes the products of all columns.
func (a *attention) multiply(ctx context.Context, p *pass) error {
	if a.qkv.present() {
		l := a.qkv
		if err := p.apply(ctx, a.products, a.width, l); err != nil || l.bias != nil {
			return err
		}
	}
	for _, part := range [...]struct {
		l         linear
		at, width int
	}{{a.q, 0, a.qWidth}, {a.k, a.kAt, a.kWidth}, {a.v, a.vAt, a.vWidth}} {
		if a.qkv.present() { // its products, with the parts' own biases
			for c := 0; c < p.n && part.l.bias != nil; c++ {
				addTo(a.products[c*a.width+part.at:][:part.width], part.l.bias)
			}
		} else if part.l.present() {
			if err := p.apply(ctx, a.products[part.at:], a.width, part.l); err != nil {
				return err
			}
		}
	}
	return nil
}

// finishQKV makes a column's products into queries, keys and values, and stores the latter two.
func (a *attention) finishQKV(_, c int) {
	products := a.products[c*a.width:][:a.width]
	if a.Clamp > 0 {
		clamp(products, -a.Clamp, a.Clamp)
	}
	q := a.queries[c*a.Heads*a.KeyDim:][:a.Heads*a.KeyDim]
	if a.Gate == arch.GateQuery {
		for h := range a.Heads {
			both := products[h*2*a.KeyDim:][:2*a.KeyDim]
			copy(q[h*a.KeyDim:], both[:a.KeyDim])
			copy(a.gates[(c*a.Heads+h)*a.ValueDim:][:a.ValueDim], both[a.KeyDim:])
		}
	} else {
		copy(q, products)
	}
	k, v := products[a.kAt:][:a.kWidth], products[a.vAt:][:a.vWidth]
	if a.ValueIsKey {
		copy(v, k)
	}
	l := a.p.lane(c)
	pos := l.at(c)
	a.turn(q, &a.qNorm, pos)
	if t := &a.Temperature; t.Scale != 0 {
		multiply(q, temperature(t, pos))
	}
	if a.SharedKV > 0 {
		return
	}
	a.turn(k, &a.kNorm, pos)
	if a.vNorm.Kind != arch.NoNorm {
		for x := v; len(x) > 0; x = x[a.ValueDim:] {
			a.vNorm.apply(x[:a.ValueDim], x[:a.ValueDim])
		}
	}
	l.caches[a.slot].store(pos, k, v)
}

// turn normalizes and rotates the heads of q or k.
func (a *attention) turn(x []float32, n *headNorm, pos int) {
	if !a.NormAfterRope {
		n.apply(x)
	}
	if a.rotation != nil {
		for head := x; len(head) > 0; head = head[a.KeyDim:] {
			a.rotation.apply(head[:a.KeyDim], pos)
		}
	}
	if a.NormAfterRope {
		n.apply(x)
	}
}

// temperature is how much longer queries at pos are.
func temperature(t *arch.Temperature, pos int) float32 {
	steps := math.Floor((float64(pos) + t.Offset) / t.Length)
	return float32(1 + float64(t.Scale*kernels.Log(steps+1)))
}

// span is the positions that column c of l sees.
func (a *attention) span(l *lane, c int) span {
	pos := l.at(c)
	s := span{0, pos + 1}
	if a.Ahead {
		s.to = l.at(l.to)
	}
	if w := a.Window; w.Size > 0 {
		switch w.Kind {
		case arch.Sliding:
			s.from = max(0, pos-w.Size+1)
		case arch.Chunked:
			s.from = pos / w.Size * w.Size
		case arch.Symmetric:
			s = span{max(0, pos-w.Size/2), min(s.to, pos+w.Size/2+1)}
		}
	}
	return s
}

// finishMixed applies the gate and the norm to a column's result.
func (a *attention) finishMixed(_, i int) {
	c := a.p.first + i
	width := a.Heads * a.ValueDim
	x := a.mixed[c*width:][:width]
	if a.gateWidth > 0 {
		gate := a.gates[c*a.gateWidth:][:a.gateWidth]
		per := width / a.gateWidth
		for j, g := range gate {
			if a.GateSoftplus {
				g = kernels.Softplus(g)
			} else {
				g = kernels.Sigmoid(g)
			}
			multiply(x[j*per:][:per], g)
		}
	}
	if a.mixedNorm.Kind != arch.NoNorm {
		a.mixedNorm.apply(x, x)
	}
}

func clamp(x []float32, low, high float32) {
	for i, v := range x {
		x[i] = min(max(v, low), high)
	}
}
