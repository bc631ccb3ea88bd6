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
	cache        kvCache
	text         int // the encoded text that the cache is of

	p                  *pass
	keys, values       []float32 // [positions, KVHeads * KeyDim], of ValueDim
	queries, mixed     []float32 // [n, Heads * KeyDim], of ValueDim
	positions          int
	storeStep, attStep func(worker, i int)
	qWidth, kWidth     int
	mixedWidth, vWidth int
}

func (s *Session) newCross(v *arch.Cross, w *layerWeights) (op, error) {
	c := &cross{
		Cross: v,
		q:     w.linear("cross_attn_q"), k: w.linear("cross_attn_k"), v: w.linear("cross_attn_v"), out: w.linear("cross_attn_o"),
		rule:   scoring{scale: v.Scale},
		qWidth: v.Heads * v.KeyDim, kWidth: v.KVHeads * v.KeyDim,
		mixedWidth: v.Heads * v.ValueDim, vWidth: v.KVHeads * v.ValueDim,
	}
	var err error
	if c.cache, err = s.newCache(v.KVHeads, v.KeyDim, v.ValueDim); err != nil {
		return nil, err
	}
	c.storeStep, c.attStep = c.store, c.attend
	return c, nil
}

func (*cross) mixes() bool    { return false }
func (c *cross) floats() int  { return c.qWidth + c.mixedWidth }
func (c *cross) bytes() int64 { return c.cache.bytes() }

func (c *cross) run(ctx context.Context, p *pass, h, out []float32) error {
	embd := p.s.model.Embd
	n := p.n - p.first
	c.p = p
	if c.text != p.s.encoded.text {
		if err := c.look(ctx, p); err != nil {
			return err
		}
	}
	c.queries, c.mixed = p.arena.take(n*c.qWidth), p.arena.take(n*c.mixedWidth)
	p.load(h[p.first*embd:], embd)
	if err := p.apply(ctx, c.queries, c.qWidth, c.q); err != nil {
		return err
	}
	p.s.each(n*c.KVHeads, c.attStep)
	p.load(c.mixed, c.mixedWidth)
	return p.apply(ctx, out[p.first*embd:], embd, c.out)
}

// look makes keys and values of what the encoder has seen.
func (c *cross) look(ctx context.Context, p *pass) error {
	e := &p.s.encoded
	c.positions = e.n
	c.keys, c.values = p.arena.take(e.n*c.kWidth), p.arena.take(e.n*c.vWidth)
	p.load(e.rows, p.s.model.Embd)
	if err := p.apply(ctx, c.keys, c.kWidth, c.k); err != nil {
		return err
	}
	if err := p.apply(ctx, c.values, c.vWidth, c.v); err != nil {
		return err
	}
	c.cache.grow(e.n)
	p.s.each(e.n, c.storeStep)
	c.text = e.text
	return nil
}

func (c *cross) store(_, pos int) {
	c.cache.store(pos, c.keys[pos*c.kWidth:][:c.kWidth], c.values[pos*c.vWidth:][:c.vWidth])
}

// attend is the attention of the queries of one column that share a key/value head.
func (c *cross) attend(worker, i int) {
	column, h := i/c.KVHeads, i%c.KVHeads
	group := c.Heads / c.KVHeads
	q := c.queries[(column*c.Heads+h*group)*c.KeyDim:][:group*c.KeyDim]
	dst := c.mixed[(column*c.Heads+h*group)*c.ValueDim:][:group*c.ValueDim]
	c.cache.attend(dst, q, h, 0, c.positions, &c.rule, &c.p.work[worker])
}
