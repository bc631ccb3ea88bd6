package engine

import (
	"context"

	"straw/engine/arch"
)

// shortConv is the op of arch.ShortConv: out(c ∘ conv(b ∘ x)), where b, c and x [embd] are products of the input (LFM2).
type shortConv struct {
	*arch.ShortConv
	memory
	in, out linear
	conv    convolution

	p        *pass
	products []float32 // [n, 3*embd]: b, c, x
	gated    []float32 // [n, embd]: b ∘ x
	mixed    []float32 // [n, embd]
	first    int

	gateStep, mixStep func(worker, i int)
}

func newShortConv(v *arch.ShortConv, w *layerWeights, s *machine, layer int) (op, error) {
	m, err := s.newMemory(v, layer)
	if err != nil {
		return nil, err
	}
	o := &shortConv{ShortConv: v, memory: m, in: w.linear("shortconv.in_proj"), out: w.linear("shortconv.out_proj")}
	o.conv = newConvolution(v.Kernel, nil, o.take(m.size), w.vector("shortconv.conv", arch.Weight))
	o.gateStep, o.mixStep = o.gate, o.mix
	return o, nil
}

func (o *shortConv) floats() int { return 5 * o.conv.channels }

func (o *shortConv) run(ctx context.Context, p *pass, h, out []float32) error {
	embd := o.conv.channels
	o.p, o.first = p, p.first
	o.products, o.gated, o.mixed = p.arena.take(p.n*3*embd), p.arena.take(p.n*embd), p.arena.take(p.n*embd)
	p.load(h, embd)
	if err := p.apply(ctx, o.products, 3*embd, o.in); err != nil {
		return err
	}
	p.s.each(p.n, o.gateStep)
	p.s.each(p.n-p.first, o.mixStep)
	o.conv.advance(p, o.gated, embd)
	p.load(o.mixed[p.first*embd:], embd)
	return p.apply(ctx, out[p.first*embd:], embd, o.out)
}

func (o *shortConv) gate(_, c int) {
	embd := o.conv.channels
	row := o.products[c*3*embd:][:3*embd]
	dst := o.gated[c*embd:][:embd]
	for i, b := range row[:embd] {
		dst[i] = b * row[2*embd+i]
	}
}

func (o *shortConv) mix(_, i int) {
	c, embd := o.first+i, o.conv.channels
	dst := o.mixed[c*embd:][:embd]
	o.conv.column(o.p, dst, o.gated, embd, c)
	for i, v := range o.products[c*3*embd+embd:][:embd] {
		dst[i] *= v
	}
}
