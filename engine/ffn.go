package engine

import (
	"context"
	"math"

	kernels "straw"
	"straw/engine/arch"
)

// dense is the op of arch.Dense.
type dense struct {
	*arch.Dense
	gate, up, down linear
	norm           norm
	unit           unit

	p      *pass
	hidden []float32 // [n, width]: the gate's products, then up's
	inner  []float32 // [n, Hidden]: what goes into down
	width  int
	step   func(worker, i int)
}

func newDense(v *arch.Dense, w *layerWeights) *dense {
	d := &dense{
		Dense: v, norm: w.norm(v.Norm),
		gate: w.linear("ffn_gate" + v.Suffix), up: w.linear("ffn_up" + v.Suffix), down: w.linear("ffn_down" + v.Suffix),
		unit: unit{act: v.Act, gated: v.Gate != arch.NoGateFFN, limit: v.Limit, curve: v.Curve, sparsity: v.Sparsity},
	}
	if v.ActDiv {
		d.unit.divisor = w.vector("ffn_act", "scales")
	}
	d.width = v.Hidden
	if d.unit.gated {
		d.width *= 2
	}
	d.step = d.activate
	return d
}

func (d *dense) mixes() bool { return false }
func (d *dense) floats() int { return d.width + d.Hidden }

func (d *dense) run(ctx context.Context, p *pass, h, out []float32) error {
	embd := p.s.model.Embd
	n := p.n - p.first
	d.p = p
	d.hidden, d.inner = p.arena.take(n*d.width), p.arena.take(n*d.Hidden)
	p.load(h[p.first*embd:], embd)
	at := 0
	if d.Gate == arch.OwnGate {
		if err := p.apply(ctx, d.hidden, d.width, d.gate); err != nil {
			return err
		}
		at = d.Hidden
	}
	if err := p.apply(ctx, d.hidden[at:], d.width, d.up); err != nil {
		return err
	}
	p.s.each(n, d.step)
	p.load(d.inner, d.Hidden)
	return p.apply(ctx, out[p.first*embd:], embd, d.down)
}

func (d *dense) activate(_, c int) {
	inner := d.inner[c*d.Hidden:][:d.Hidden]
	d.unit.apply(inner, d.hidden[c*d.width:][:d.width])
	if d.norm.Kind != arch.NoNorm {
		d.norm.apply(inner, inner)
	}
}

// unit is what stands between the first products of a feed-forward network and the last.
type unit struct {
	act      arch.Act
	gated    bool
	limit    arch.Limit
	curve    arch.Curve
	sparsity float32
	divisor  []float32 // [hidden], or nil
}

// apply is dst [hidden] = act(x), or of a gated unit act(first half of x) * second half.
func (u *unit) apply(dst, x []float32) {
	gate, up := x[:len(dst)], x[len(x)-len(dst):]
	if u.sparsity > 0 {
		sparsify(gate, u.sparsity)
	}
	switch {
	case u.gated && u.limit.Top > 0 && u.limit.Gate:
		for i, g := range gate {
			dst[i] = kernels.SiLU(min(g, u.limit.Top)) * min(max(up[i], -u.limit.Top), u.limit.Top)
		}
	case u.gated && u.limit.Top > 0:
		for i, g := range gate {
			dst[i] = min(kernels.SiLU(g), u.limit.Top) * min(max(up[i], -u.limit.Top), u.limit.Top)
		}
	case u.gated && u.act == arch.SiLU:
		kernels.SiLUMul(dst, gate, up)
	case u.gated && u.act == arch.GELU:
		kernels.GELUMul(dst, gate, up)
	case u.act == arch.SwiGLUOAI:
		const limit = 7
		for i, g := range gate {
			g, v := min(g, limit), min(max(up[i], -limit), limit)
			dst[i] = float32(kernels.GELUQuick(g) * (1 + v))
		}
	default:
		for i, g := range gate {
			dst[i] = u.one(g)
		}
		if u.gated {
			for i := range dst {
				dst[i] *= up[i]
			}
		}
	}
	for i, d := range u.divisor {
		dst[i] /= d
	}
}

// one is the activation of one number.
func (u *unit) one(x float32) float32 {
	switch u.act {
	case arch.GELU:
		return kernels.GELU(x)
	case arch.GELUErf:
		return kernels.GELUErf(x)
	case arch.GELUQuick:
		return kernels.GELUQuick(x)
	case arch.ReLU:
		return max(x, 0)
	case arch.ReLU2:
		x = max(x, 0)
		return x * x
	case arch.XIELU:
		return xielu(x, &u.curve)
	}
	return kernels.SiLU(x)
}

// xielu is a parabola above 0 and the integral of an ELU below (Huang and Schlag 2025).
func xielu(x float32, c *arch.Curve) float32 {
	if x > 0 {
		return float32(float32(kernels.Softplus(c.AlphaP)*x)*x) + float32(c.Beta*x)
	}
	e := kernels.Exp(min(x, c.Eps)) - 1
	return float32((e-x)*(c.Beta+kernels.Softplus(c.AlphaN))) + float32(c.Beta*x)
}

// sparsify cuts x off at deviations above its mean.
func sparsify(x []float32, deviations float32) {
	mean := kernels.Sum(x) / float32(len(x))
	squares := float32(0)
	for _, v := range x {
		d := v - mean
		squares += float32(d * d)
	}
	least := mean + float32(deviations*float32(math.Sqrt(float64(squares/float32(len(x)-1)))))
	for i, v := range x {
		x[i] = max(v-least, 0)
	}
}
