package engine

import (
	"context"

	kernels "straw"
	"straw/engine/arch"
)

// ssm is the op of arch.SSM: a product gives the gate z and the inputs x of a convolution; scan mixes the tokens with
// steps dt and vectors B and C that depend on the token; then out(norm((y + D x) ∘ silu(z))). In Mamba 1 and PLaMo 2
// dt, B and C are products of the convolution's result, in Mamba 2 they come from the first product, B and C through the
// convolution.
type ssm struct {
	*arch.SSM
	memory
	in, x, dt, out      linear
	conv                convolution
	a, d, dtBias        []float32
	dtNorm, bNorm, norm norm
	cNorm               norm
	state               region // [Heads, dim, State]
	dim                 int    // of a head

	// Widths of rows, and where in them things are.
	width, gateAt, convAt int // of products
	bc                    int // of the rows that hold B and C
	bAt, cAt              int
	block                 int // heads that one worker does at a time

	p        *pass
	products []float32 // [n, width]
	mixed    []float32 // [n, channels]: what the convolution gives, x first
	params   []float32 // [n, bc]: rows with B and C
	low      []float32 // [n, Rank]
	steps    []float32 // [n, stepWidth]: dt of each head
	stepW    int
	y        []float32 // [n, Inner]
	scratch  []float32 // [n, 2*Inner], for interleaved products

	splitStep, convStep, paramStep, scanStep, endStep func(worker, i int)
}

func newSSM(v *arch.SSM, w *layerWeights, s *machine, layer int) (op, error) {
	o := &ssm{
		SSM: v,
		in:  w.linear("ssm_in"), x: w.linear("ssm_x"), dt: w.linear("ssm_dt"), out: w.linear("ssm_out"),
		a: w.vector("ssm_a", arch.Bare), d: w.vector("ssm_d", arch.Bare),
		dtNorm: w.norm(v.StepNorm), bNorm: w.norm(v.BNorm), cNorm: w.norm(v.CNorm), norm: w.norm(v.Norm),
		dim: v.Inner / v.Heads,
	}
	channels := v.Channels()
	switch v.Form {
	case arch.Mamba1:
		o.width, o.convAt, o.gateAt = 2*v.Inner, 0, v.Inner
		o.bc, o.bAt, o.cAt = v.Rank+2*v.State, v.Rank, v.Rank+v.State
	case arch.Plamo2:
		o.width, o.convAt, o.gateAt = 2*v.Inner, v.Inner, 0
		o.bc, o.bAt, o.cAt = v.Rank+2*v.State, 0, v.State
	case arch.Mamba2:
		o.width, o.convAt, o.gateAt = v.Inner+channels+v.Heads, v.Inner, 0
		o.bc, o.bAt, o.cAt = channels, v.Inner, v.Inner+v.Groups*v.State
		o.dtBias = w.vector("ssm_dt", arch.Bias)
	}
	var err error
	past := (v.Kernel - 1) * channels
	if o.memory, err = s.newMemory(v, layer); err != nil {
		return nil, err
	}
	o.conv = newConvolution(v.Kernel, w.vector("ssm_conv1d", arch.Bias), o.take(past), w.vector("ssm_conv1d", arch.Weight))
	o.state = o.take(v.Inner * v.State)
	o.block = max(1, 64/o.dim)
	o.splitStep, o.convStep, o.paramStep, o.scanStep, o.endStep = o.split, o.convolve, o.param, o.scan, o.end
	return o, nil
}

func (o *ssm) floats() int { return 2*o.width + 2*o.conv.channels + o.bc + o.Rank + o.Inner + o.Heads }

func (o *ssm) run(ctx context.Context, p *pass, h, out []float32) error {
	embd := p.s.model.Embd
	o.p = p
	o.products = p.arena.take(p.n * o.width)
	p.load(h, embd)
	if err := p.apply(ctx, o.products, o.width, o.in); err != nil {
		return err
	}
	if o.Form == arch.Plamo2 {
		o.scratch = p.arena.take(p.n * o.width)
		p.s.each(p.n, o.splitStep)
		o.products, o.scratch = o.scratch, nil
	}
	o.mixed = p.arena.take(p.n * o.conv.channels)
	p.s.each(p.n, o.convStep)
	o.conv.advance(p, o.products[o.convAt:], o.width)
	if err := o.parameters(ctx, p); err != nil {
		return err
	}
	o.y = p.arena.take(p.n * o.Inner)
	p.s.each((o.Heads+o.block-1)/o.block, o.scanStep)
	p.s.each(p.n-p.first, o.endStep)
	p.load(o.y[p.first*o.Inner:], o.Inner)
	return p.apply(ctx, out[p.first*embd:], embd, o.out)
}

// parameters makes dt, B and C of all columns.
func (o *ssm) parameters(ctx context.Context, p *pass) error {
	if o.Form == arch.Mamba2 {
		o.params = o.mixed
		o.steps, o.stepW = o.products[o.width-o.Heads:], o.width
		return nil
	}
	o.params, o.low = p.arena.take(p.n*o.bc), p.arena.take(p.n*o.Rank)
	o.steps, o.stepW = p.arena.take(p.n*o.Heads), o.Heads
	p.load(o.mixed, o.Inner)
	if err := p.apply(ctx, o.params, o.bc, o.x); err != nil {
		return err
	}
	p.s.each(p.n, o.paramStep)
	p.load(o.low, o.Rank)
	return p.apply(ctx, o.steps, o.Heads, o.dt)
}

// split puts a column's products in order that come head by head, z before x.
func (o *ssm) split(_, c int) {
	from, to := o.products[c*o.width:][:o.width], o.scratch[c*o.width:][:o.width]
	for h := range o.Heads {
		copy(to[o.gateAt+h*o.dim:][:o.dim], from[2*h*o.dim:])
		copy(to[o.convAt+h*o.dim:][:o.dim], from[(2*h+1)*o.dim:])
	}
}

func (o *ssm) convolve(_, c int) {
	o.conv.silu(o.p, o.mixed[c*o.conv.channels:][:o.conv.channels], o.products[o.convAt:], o.width, c)
}

// param normalizes a column's dt, B and C.
func (o *ssm) param(_, c int) {
	row := o.params[c*o.bc:][:o.bc]
	b, v := row[o.bAt:][:o.State], row[o.cAt:][:o.State]
	o.bNorm.apply(b, b)
	o.cNorm.apply(v, v)
	at := 0
	if o.bAt == 0 {
		at = 2 * o.State
	}
	o.dtNorm.apply(o.low[c*o.Rank:][:o.Rank], row[at:][:o.Rank])
}

// scan runs all columns through some heads.
func (o *ssm) scan(_, i int) {
	for h := i * o.block; h < min((i+1)*o.block, o.Heads); h++ {
		a := o.a[h*len(o.a)/o.Heads:][:len(o.a)/o.Heads]
		group := h / (o.Heads / o.Groups)
		for c := range o.p.n {
			state := o.state.of(o.p.lane(c))[h*o.dim*o.State:][:o.dim*o.State]
			dt := o.steps[c*o.stepW+h]
			if o.dtBias != nil {
				dt += o.dtBias[h]
			}
			row := o.params[c*o.bc:][:o.bc]
			scan(o.y[c*o.Inner+h*o.dim:][:o.dim], state, o.mixed[c*o.conv.channels+h*o.dim:][:o.dim],
				row[o.bAt+group*o.State:][:o.State], row[o.cAt+group*o.State:][:o.State], a, kernels.Softplus(dt))
		}
	}
}

// end adds D x, and applies the gate and the norm of groups.
func (o *ssm) end(_, i int) {
	c := o.p.first + i
	y, x := o.y[c*o.Inner:][:o.Inner], o.mixed[c*o.conv.channels:][:o.Inner]
	for i, z := range o.products[c*o.width+o.gateAt:][:o.Inner] {
		y[i] = kernels.SiLU(z) * (y[i] + float32(x[i]*o.d[i/o.dim]))
	}
	if o.norm.Kind == arch.NoNorm {
		return
	}
	size := o.Inner / o.Groups
	for g := range o.Groups {
		n := o.norm
		n.weight = o.norm.weight[g*size:][:size]
		n.apply(y[g*size:][:size], y[g*size:][:size])
	}
}
