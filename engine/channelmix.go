package engine

import (
	"context"

	kernels "straw"
	"straw/engine/arch"
)

// channelMix is the op of arch.ChannelMix: value(relu(key(x))²), times sigmoid(receptance(x)) where there is one, with x
// mixed from each column and the one before it.
type channelMix struct {
	*arch.ChannelMix
	memory
	shift                  shift
	key, receptance, value linear
	lerpK, lerpR           []float32

	p          *pass
	h, out     []float32
	x, k, r    []float32
	rate       []float32
	lerpStep   func(worker, i int)
	squareStep func(worker, i int)
	gateStep   func(worker, i int)
}

func newChannelMix(v *arch.ChannelMix, w *layerWeights, s *machine, layer int) (op, error) {
	m, err := s.newMemory(v, layer)
	if err != nil {
		return nil, err
	}
	o := &channelMix{
		ChannelMix: v, memory: m,
		key: w.linear("channel_mix_key"), receptance: w.linear("channel_mix_receptance"), value: w.linear("channel_mix_value"),
		lerpK: w.vector("channel_mix_lerp_k", arch.Weight), lerpR: w.vector("channel_mix_lerp_r", arch.Weight),
	}
	o.shift.region = o.take(s.model.Embd)
	o.lerpStep, o.squareStep, o.gateStep = o.mix, o.square, o.gate
	return o, nil
}

func (o *channelMix) floats() int { return 2*o.shift.n + o.Hidden }

func (o *channelMix) run(ctx context.Context, p *pass, h, out []float32) error {
	embd := o.shift.n
	n := p.n - p.first
	o.p, o.h, o.out = p, h, out
	o.x, o.k, o.r = p.arena.take(n*embd), p.arena.take(n*o.Hidden), p.arena.take(n*embd)
	o.rate = o.lerpK
	p.s.each(n, o.lerpStep)
	p.load(o.x, embd)
	if err := p.apply(ctx, o.k, o.Hidden, o.key); err != nil {
		return err
	}
	if o.Receptance {
		o.rate = o.lerpR
		p.s.each(n, o.lerpStep)
		p.load(o.x, embd)
		if err := p.apply(ctx, o.r, embd, o.receptance); err != nil {
			return err
		}
	}
	o.shift.advance(p, h)
	p.s.each(n, o.squareStep)
	p.load(o.k, o.Hidden)
	if err := p.apply(ctx, out[p.first*embd:], embd, o.value); err != nil || !o.Receptance {
		return err
	}
	p.s.each(n, o.gateStep)
	return nil
}

func (o *channelMix) mix(_, i int) {
	embd, c := o.shift.n, o.p.first+i
	lerp(o.x[i*embd:][:embd], o.h[c*embd:][:embd], o.shift.before(o.p, o.h, c), o.rate, nil)
}

func (o *channelMix) square(_, i int) {
	k := o.k[i*o.Hidden:][:o.Hidden]
	for j, v := range k {
		v = max(v, 0)
		k[j] = v * v
	}
}

func (o *channelMix) gate(_, i int) {
	embd := o.shift.n
	dst := o.out[(o.p.first+i)*embd:][:embd]
	for j, v := range o.r[i*embd:][:embd] {
		dst[j] *= kernels.Sigmoid(v)
	}
}
