package engine

import (
	"context"

	kernels "straw"
	"straw/engine/arch"
)

// lightning is the op of arch.Lightning: linearAttention with q, k and v = silu(product) and one constant decay a head,
// then out(sigmoid(gate) ∘ norm(y)), where the norm goes over all heads.
type lightning struct {
	*arch.Lightning
	memory
	qkv, gate, out linear
	norm           norm
	decays         []float32 // [Heads]
	state          region    // [Heads, Dim, Dim]
	width          int

	p        *pass
	products []float32 // [n, Heads, 3, Dim]: q, k, v
	gates    []float32 // [n, width]
	y        []float32 // [n, width]

	headStep, endStep func(worker, i int)
}

func newLightning(v *arch.Lightning, w *layerWeights, s *machine, layer int) (op, error) {
	m, err := s.newMemory(v, layer)
	if err != nil {
		return nil, err
	}
	o := &lightning{
		Lightning: v, memory: m, width: v.Heads * v.Dim,
		qkv: w.linear("attn_qkv"), gate: w.linear("attn_gate"), out: w.linear("attn_output"), norm: w.norm(v.Norm),
	}
	o.state = o.take(m.size)
	// Slopes are ALiBi's: powers of 2^(-8/Heads), here times v.Slope.
	start := kernels.Pow(2, -8/float64(v.Heads))
	for h := range v.Heads {
		o.decays = append(o.decays, kernels.Exp(float32(-float64(v.Slope)*kernels.Pow(start, float64(h+1)))))
	}
	o.headStep, o.endStep = o.head, o.end
	return o, nil
}

func (o *lightning) floats() int { return 5 * o.width }

func (o *lightning) run(ctx context.Context, p *pass, h, out []float32) error {
	embd := p.s.model.Embd
	o.p = p
	o.products, o.gates, o.y = p.arena.take(p.n*3*o.width), p.arena.take(p.n*o.width), p.arena.take(p.n*o.width)
	p.load(h, embd)
	if err := p.apply(ctx, o.products, 3*o.width, o.qkv); err != nil {
		return err
	}
	if err := p.apply(ctx, o.gates, o.width, o.gate); err != nil {
		return err
	}
	p.s.each(o.Heads, o.headStep)
	p.s.each(p.n-p.first, o.endStep)
	p.load(o.y[p.first*o.width:], o.width)
	return p.apply(ctx, out[p.first*embd:], embd, o.out)
}

// head runs all columns through one head.
func (o *lightning) head(_, h int) {
	for c := range o.p.n {
		state := o.state.of(o.p.lane(c))[h*o.Dim*o.Dim:][:o.Dim*o.Dim]
		qkv := o.products[c*3*o.width+h*3*o.Dim:][:3*o.Dim]
		for i, v := range qkv {
			qkv[i] = kernels.SiLU(v)
		}
		linearAttention(o.y[c*o.width+h*o.Dim:][:o.Dim], state, qkv[:o.Dim], qkv[o.Dim:2*o.Dim], qkv[2*o.Dim:], o.decays[h:h+1])
	}
}

func (o *lightning) end(_, i int) {
	c := o.p.first + i
	y := o.y[c*o.width:][:o.width]
	o.norm.apply(y, y)
	for i, g := range o.gates[c*o.width:][:o.width] {
		y[i] *= kernels.Sigmoid(g)
	}
}
