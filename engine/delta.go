package engine

import (
	"context"

	kernels "straw"
	"straw/engine/arch"
)

// delta is the op of arch.Delta: q, k and v come through a convolution, q and k are made of unit length; deltaRule mixes
// the tokens; then out(norm(y) ∘ gate(z)), with a norm for each head.
type delta struct {
	*arch.Delta
	memory
	q, k, v, qkv, z, packed linear
	ba, beta, alpha         linear
	f1, f2, g1, g2, out     linear
	conv                    convolution
	norm                    norm
	a, dt                   []float32
	state                   region // [Heads, Dim, Dim]
	keyWidth, width, rates  int    // of q and of k; of v and z; of decay

	p     *pass
	raw   []float32 // products whose parts lie head by head
	in    []float32 // [n, 2*keyWidth + width]: q, k, v
	mixed []float32 // the same, after the convolution
	gates []float32 // [n, width]: z
	low   []float32 // [n, Dim]
	rate  []float32 // [n, Heads]: beta
	decay []float32 // [n, rates]
	y     []float32 // [n, width]

	unpackStep, convStep, headStep, endStep func(worker, i int)
}

func newDelta(v *arch.Delta, w *layerWeights, s *machine, layer int) (op, error) {
	o := &delta{
		Delta: v, keyWidth: v.KeyHeads * v.Dim, width: v.Heads * v.Dim, rates: v.Heads,
		q: w.linear("attn_q"), k: w.linear("attn_k"), v: w.linear("attn_v"), qkv: w.linear("attn_qkv"),
		z: w.linear("attn_gate"), packed: w.linear("ssm_in"),
		ba: w.linear("ssm_ba"), beta: w.linear("ssm_beta"), alpha: w.linear("ssm_alpha"),
		f1: w.linear("ssm_f_a"), f2: w.linear("ssm_f_b"), g1: w.linear("ssm_g_a"), g2: w.linear("ssm_g_b"),
		norm: w.norm(v.Norm), a: w.vector("ssm_a", arch.Bare), dt: w.vector("ssm_dt", arch.Bias),
	}
	weights := [][]float32{w.vector("ssm_conv1d", arch.Weight)}
	o.out = w.linear("ssm_out")
	if v.Form == arch.KDA {
		o.rates = o.width
		weights = [][]float32{w.vector("ssm_conv1d_q", arch.Weight), w.vector("ssm_conv1d_k", arch.Weight), w.vector("ssm_conv1d_v", arch.Weight)}
		o.out = w.linear("attn_output")
	}
	past := (v.Kernel - 1) * (2*o.keyWidth + o.width)
	var err error
	if o.memory, err = s.newMemory(v, layer); err != nil {
		return nil, err
	}
	o.conv = newConvolution(v.Kernel, nil, o.take(past), weights...)
	o.state = o.take(o.width * v.Dim)
	o.unpackStep, o.convStep, o.headStep, o.endStep = o.unpack, o.convolve, o.head, o.end
	return o, nil
}

func (o *delta) floats() int {
	return 3*o.conv.channels + 2*o.width + o.rates + 4*o.Heads + o.Dim
}

func (o *delta) run(ctx context.Context, p *pass, h, out []float32) error {
	embd := p.s.model.Embd
	o.p = p
	o.in, o.mixed = p.arena.take(p.n*o.conv.channels), p.arena.take(p.n*o.conv.channels)
	o.gates, o.y = p.arena.take(p.n*o.width), p.arena.take(p.n*o.width)
	o.rate, o.decay = p.arena.take(p.n*o.Heads), p.arena.take(p.n*o.rates)
	p.load(h, embd)
	if err := o.products(ctx, p, h); err != nil {
		return err
	}
	p.s.each(p.n, o.convStep)
	o.conv.advance(p, o.in, o.conv.channels)
	p.s.each(o.Heads, o.headStep)
	p.s.each(p.n-p.first, o.endStep)
	p.load(o.y[p.first*o.width:], o.width)
	return p.apply(ctx, out[p.first*embd:], embd, o.out)
}

// products makes in, gates, rate and decay of the loaded columns h, the latter two as they come from the product.
func (o *delta) products(ctx context.Context, p *pass, h []float32) error {
	width := o.conv.channels
	if o.packed.present() {
		o.raw = p.arena.take(p.n * o.packed.rows)
		if err := p.apply(ctx, o.raw, o.packed.rows, o.packed); err != nil {
			return err
		}
		p.s.each(p.n, o.unpackStep)
	} else if o.qkv.present() {
		if err := p.apply(ctx, o.in, width, o.qkv); err != nil {
			return err
		}
	} else {
		for i, l := range [...]linear{o.q, o.k, o.v} {
			if err := p.apply(ctx, o.in[i*o.keyWidth:], width, l); err != nil {
				return err
			}
		}
	}
	switch o.Form {
	case arch.KDA:
		return o.perElement(ctx, p, h)
	case arch.DeltaPaired:
		if !o.packed.present() {
			if err := p.apply(ctx, o.gates, o.width, o.z); err != nil {
				return err
			}
		}
		o.raw = p.arena.take(p.n * 2 * o.Heads)
		if err := p.apply(ctx, o.raw, 2*o.Heads, o.ba); err != nil {
			return err
		}
		o.unpair()
		return nil
	}
	if err := p.apply(ctx, o.gates, o.width, o.z); err != nil {
		return err
	}
	if err := p.apply(ctx, o.rate, o.Heads, o.beta); err != nil {
		return err
	}
	return p.apply(ctx, o.decay, o.Heads, o.alpha)
}

// perElement makes KDA's decay, rate and gate, two of them through vectors of Dim elements unless Direct.
func (o *delta) perElement(ctx context.Context, p *pass, h []float32) error {
	embd := p.s.model.Embd
	if err := p.apply(ctx, o.rate, o.Heads, o.beta); err != nil {
		return err
	}
	if o.Direct {
		if err := p.apply(ctx, o.decay, o.width, o.f1); err != nil {
			return err
		}
		return p.apply(ctx, o.gates, o.width, o.g1)
	}
	o.low = p.arena.take(p.n * o.Dim)
	for _, c := range [...]struct {
		dst      []float32
		down, up linear
	}{{o.decay, o.f1, o.f2}, {o.gates, o.g1, o.g2}} {
		p.load(h, embd)
		if err := p.apply(ctx, o.low, o.Dim, c.down); err != nil {
			return err
		}
		p.load(o.low, o.Dim)
		if err := p.apply(ctx, c.dst, o.width, c.up); err != nil {
			return err
		}
	}
	return nil
}

// unpack sorts a column's products that come key head by key head: q, k, then the values and gates of its heads.
func (o *delta) unpack(_, c int) {
	values := o.width / o.KeyHeads
	size := 2*o.Dim + 2*values
	dst, z := o.in[c*o.conv.channels:][:o.conv.channels], o.gates[c*o.width:][:o.width]
	for h := range o.KeyHeads {
		src := o.raw[c*o.packed.rows+h*size:][:size]
		copy(dst[h*o.Dim:], src[:o.Dim])
		copy(dst[o.keyWidth+h*o.Dim:], src[o.Dim:2*o.Dim])
		copy(dst[2*o.keyWidth+h*values:], src[2*o.Dim:][:values])
		copy(z[h*values:], src[2*o.Dim+values:])
	}
}

// unpair sorts rate and decay, which come key head by key head.
func (o *delta) unpair() {
	per := o.Heads / o.KeyHeads
	for i := range o.rate {
		c, h := i/o.Heads, i%o.Heads
		pair := o.raw[c*2*o.Heads+h/per*2*per:][:2*per]
		o.rate[i], o.decay[i] = pair[h%per], pair[per+h%per]
	}
}

// convolve makes a column's q, k and v, rate and decay.
func (o *delta) convolve(_, c int) {
	row := o.mixed[c*o.conv.channels:][:o.conv.channels]
	o.conv.silu(o.p, row, o.in, o.conv.channels, c)
	for qk := row[:2*o.keyWidth]; len(qk) > 0; qk = qk[o.Dim:] {
		unitLength(qk[:o.Dim], o.Norm.Eps)
	}
	scale := inverseRoot(o.Dim)
	multiply(row[:o.keyWidth], scale)
	rate, decay := o.rate[c*o.Heads:][:o.Heads], o.decay[c*o.rates:][:o.rates]
	for i, v := range rate {
		rate[i] = kernels.Sigmoid(v)
	}
	per := o.rates / o.Heads
	for i, v := range decay {
		if o.Bound != 0 {
			decay[i] = kernels.Exp(o.Bound * kernels.Sigmoid((v+o.dt[i])*o.a[i/per]))
		} else {
			decay[i] = kernels.Exp(kernels.Softplus(v+o.dt[i]) * o.a[i/per])
		}
	}
}

// head runs all columns through one head of values.
func (o *delta) head(_, h int) {
	key := h / (o.Heads / o.KeyHeads)
	if o.Form == arch.DeltaSplit {
		key = h % o.KeyHeads
	}
	per := o.rates / o.Heads
	for c := range o.p.n {
		state := o.state.of(o.p.lane(c))[h*o.Dim*o.Dim:][:o.Dim*o.Dim]
		row := o.mixed[c*o.conv.channels:][:o.conv.channels]
		deltaRule(o.y[c*o.width+h*o.Dim:][:o.Dim], state,
			row[key*o.Dim:][:o.Dim], row[o.keyWidth+key*o.Dim:][:o.Dim], row[2*o.keyWidth+h*o.Dim:][:o.Dim],
			o.decay[c*o.rates+h*per:][:per], o.rate[c*o.Heads+h])
	}
}

// end normalizes the heads and applies the gate.
func (o *delta) end(_, i int) {
	c := o.p.first + i
	y := o.y[c*o.width:][:o.width]
	for head := y; len(head) > 0; head = head[o.Dim:] {
		o.norm.apply(head[:o.Dim], head[:o.Dim])
	}
	for i, z := range o.gates[c*o.width:][:o.width] {
		if o.Form == arch.KDA {
			y[i] *= kernels.Sigmoid(z)
		} else {
			y[i] *= kernels.SiLU(z)
		}
	}
}
