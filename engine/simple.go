package engine

import "context"

// product is the op of arch.Linear.
type product struct{ linear }

func (*product) mixes() bool { return false }
func (*product) floats() int { return 0 }

func (o *product) run(ctx context.Context, p *pass, h, out []float32) error {
	embd := p.s.model.Embd
	p.load(h[p.first*embd:], embd)
	return p.apply(ctx, out[p.first*embd:], embd, o.linear)
}

// skip is the op of arch.Skip.
type skip struct{ scale float32 }

func (*skip) mixes() bool { return false }
func (*skip) floats() int { return 0 }

func (o *skip) run(_ context.Context, p *pass, _, out []float32) error {
	copy(out, p.origin[:len(out)])
	multiply(out, o.scale)
	return nil
}

// same is the op of arch.Same.
type same struct{}

func (*same) mixes() bool { return false }
func (*same) floats() int { return 0 }

func (*same) run(_ context.Context, _ *pass, h, out []float32) error {
	copy(out, h)
	return nil
}
