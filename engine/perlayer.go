package engine

import (
	"context"

	kernels "straw"
	"straw/engine/arch"
)

// perLayer are the inputs of layers of the columns at hand: of column c and layer l at values[(c*layers+l)*dim].
type perLayer struct {
	dim, layers int
	table       *matrix
	project     linear
	norm        norm
	values      []float32
}

func (s *machine) newPerLayer() perLayer {
	v := &s.model.Input.PerLayer
	g := &s.weights.global
	return perLayer{
		dim: v.Dim, layers: len(s.layers),
		table: g.matrices["per_layer_token_embd"], project: g.linear("per_layer_model_proj"), norm: g.norm(v.Norm),
	}
}

// make computes the inputs from the tokens and their embeddings x [n, embd]: (norm(project(x)/√embd) + row*√dim) / √2.
func (l *perLayer) make(ctx context.Context, p *pass, x []float32) error {
	if l.dim == 0 {
		return nil
	}
	embd, width := p.s.model.Embd, l.dim*l.layers
	if len(l.values) < p.n*width {
		l.values = make([]float32, p.n*width)
	}
	values := l.values[:p.n*width]
	p.load(x, embd)
	if err := p.apply(ctx, values, width, l.project); err != nil {
		return err
	}
	p.arena.reset()
	row := p.arena.take(width)
	fromToken := 1 / inverseRoot(l.dim)
	for c := range p.n {
		t := p.lane(c)
		id := t.ids[c-t.from]
		if err := p.s.weights.lookup(row, l.table, id); err != nil {
			return err
		}
		mixed := values[c*width:][:width]
		multiply(mixed, inverseRoot(embd))
		for i := 0; i < width; i += l.dim {
			l.norm.apply(mixed[i:][:l.dim], mixed[i:][:l.dim])
		}
		kernels.Axpy(mixed, fromToken, row)
		multiply(mixed, inverseRoot(2))
	}
	return nil
}

// of is the input of layer for column c.
func (l *perLayer) of(c, layer int) []float32 {
	return l.values[(c*l.layers+layer)*l.dim:][:l.dim]
}

// inject is the op of arch.Inject.
type inject struct {
	dim, layer int
	gate, proj linear

	p     *pass
	inner []float32 // [n, dim]
	step  func(worker, i int)
}

func newInject(v *arch.Inject, w *layerWeights, layer int) *inject {
	o := &inject{dim: v.Dim, layer: layer, gate: w.linear("inp_gate"), proj: w.linear("proj")}
	o.step = o.mix
	return o
}

func (*inject) mixes() bool   { return false }
func (o *inject) floats() int { return o.dim }

func (o *inject) run(ctx context.Context, p *pass, h, out []float32) error {
	embd := p.s.model.Embd
	n := p.n - p.first
	o.p, o.inner = p, p.arena.take(n*o.dim)
	p.load(h[p.first*embd:], embd)
	if err := p.apply(ctx, o.inner, o.dim, o.gate); err != nil {
		return err
	}
	p.s.each(n, o.step)
	p.load(o.inner, o.dim)
	return p.apply(ctx, out[p.first*embd:], embd, o.proj)
}

func (o *inject) mix(_, c int) {
	inner := o.inner[c*o.dim:][:o.dim]
	kernels.GELUMul(inner, inner, o.p.perLayer.of(o.p.first+c, o.layer))
}
