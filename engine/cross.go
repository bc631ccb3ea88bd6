package engine

import (
	"context"

	"straw/engine/arch"
)

// cross is the op of arch.Cross: attention to the encoder's result. Its cache is not of the timeline: it holds the keys
// and values of the encoder's positions.
type cross struct {
	*arch.Cross
	q, k, v, out linear
	rule         scoring
	slot         int // of the cache

	p                  *pass
	cache              *kvCache  // that look fills
	keys, values       []float32 // [positions, KVHeads * KeyDim], of ValueDim
	queries, mixed     []float32 // [n, Heads * KeyDim], of ValueDim
	attending          attending
	storeStep, attStep func(worker, i int)
	qWidth, kWidth     int
	mixedWidth, vWidth int
}

func (s *machine) newCross(v *arch.Cross, w *layerWeights) (op, error) {
	c := &cross{
		Cross: v,
		q:     w.linear("cross_attn_q"), k: w.linear("cross_attn_k"), v: w.linear("cross_attn_v"), out: w.linear("cross_attn_o"),
		rule:   scoring{scale: v.Scale},
		qWidth: v.Heads * v.KeyDim, kWidth: v.KVHeads * v.KeyDim,
		mixedWidth: v.Heads * v.ValueDim, vWidth: v.KVHeads * v.ValueDim,
	}
	var err error
	if c.slot, err = s.newCache(v.KVHeads, v.KeyDim, v.ValueDim); err != nil {
		return nil, err
	}
	c.attending = attending{slot: c.slot, heads: v.Heads, rule: &c.rule, span: func(l *lane, _ int) span { return span{0, l.encoded.n} }}
	c.storeStep, c.attStep = c.store, c.attending.piece
	return c, nil
}

func (*cross) mixes() bool   { return false }
func (c *cross) floats() int { return c.qWidth + c.mixedWidth }

func (c *cross) run(ctx context.Context, p *pass, h, out []float32) error {
	embd := p.s.model.Embd
	n := p.n - p.first
	c.p = p
	for i := range p.lanes {
		if err := c.look(ctx, p, p.lanes[i].timeline); err != nil {
			return err
		}
	}
	c.queries, c.mixed = p.arena.take(n*c.qWidth), p.arena.take(n*c.mixedWidth)
	p.load(h[p.first*embd:], embd)
	if err := p.apply(ctx, c.queries, c.qWidth, c.q); err != nil {
		return err
	}
	p.s.each(c.attending.begin(p, c.queries, c.mixed), c.attStep)
	p.load(c.mixed, c.mixedWidth)
	return p.apply(ctx, out[p.first*embd:], embd, c.out)
}

// look makes keys and values of what the encoder has seen for t, once for each text.
func (c *cross) look(ctx context.Context, p *pass, t *timeline) error {
	e := &t.encoded
	if e.seen[c.slot] {
		return nil
	}
	c.keys, c.values = p.arena.take(e.n*c.kWidth), p.arena.take(e.n*c.vWidth)
	p.load(e.rows, p.s.model.Embd)
	if err := p.apply(ctx, c.keys, c.kWidth, c.k); err != nil {
		return err
	}
	if err := p.apply(ctx, c.values, c.vWidth, c.v); err != nil {
		return err
	}
	c.cache = &t.caches[c.slot]
	c.cache.grow(0, e.n)
	p.s.each(e.n, c.storeStep)
	e.seen[c.slot] = true
	return nil
}

func (c *cross) store(_, pos int) {
	c.cache.store(pos, c.keys[pos*c.kWidth:][:c.kWidth], c.values[pos*c.vWidth:][:c.vWidth])
}
