package engine

import (
	"context"
	"math"

	kernels "straw"
	"straw/engine/arch"
)

// streams are the residual streams of a model that has several: stream s of column c at values[(c*count+s)*embd]. The first
// is also the pass's x.
type streams struct {
	count  int // 0 if there is but one
	values []float32
}

// of is stream s of column c.
func (a *streams) of(p *pass, c, s int) []float32 {
	embd := p.s.model.Embd
	return a.values[(c*a.count+s)*embd:][:embd]
}

// split makes the other streams from x: products of it, as long as it is.
func (a *streams) split(ctx context.Context, p *pass) error {
	if a.count == 0 {
		return nil
	}
	embd := p.s.model.Embd
	if len(a.values) < p.n*a.count*embd {
		a.values = make([]float32, p.n*a.count*embd)
	}
	x := p.x[:p.n*embd]
	for c := range p.n {
		copy(a.of(p, c, 0), x[c*embd:][:embd])
	}
	p.load(x, embd)
	for s, m := range p.s.weights.global.heads["altup_proj"] {
		dst := a.values[(s+1)*embd : p.n*a.count*embd]
		if err := p.apply(ctx, dst, a.count*embd, linear{matrix: m}); err != nil {
			return err
		}
		for c := range p.n {
			resize(a.of(p, c, s+1), length(x[c*embd:][:embd]))
		}
	}
	return nil
}

// merge makes x the mean of the streams, the others brought back by products and made as long as the first.
func (a *streams) merge(ctx context.Context, p *pass) error {
	if a.count == 0 {
		return nil
	}
	embd := p.s.model.Embd
	n := p.n - p.first
	p.arena.reset()
	in, out := p.arena.take(n*embd), p.arena.take(n*embd)
	for s, m := range p.s.weights.global.heads["altup_unembd_proj"] {
		for c := range n {
			copy(in[c*embd:][:embd], a.of(p, p.first+c, s+1))
		}
		p.load(in, embd)
		if err := p.apply(ctx, out, embd, linear{matrix: m}); err != nil {
			return err
		}
		for c := range n {
			first := a.of(p, p.first+c, 0)
			x := p.x[(p.first+c)*embd:][:embd]
			if s == 0 {
				copy(x, first)
			}
			resize(out[c*embd:][:embd], length(first))
			addTo(x, out[c*embd:][:embd])
		}
	}
	for c := range n {
		multiply(p.x[(p.first+c)*embd:][:embd], 1/float32(a.count))
	}
	return nil
}

// length is the Euclidean norm of x.
func length(x []float32) float32 { return float32(math.Sqrt(float64(kernels.Dot(x, x)))) }

// resize makes x as long as wanted.
func resize(x []float32, wanted float32) {
	own := length(x)
	for i, v := range x {
		x[i] = float32(v*wanted) / own
	}
}

// altRouter tells how much each stream has a say: tanh(router · norm(x)/embd).
type altRouter struct {
	norm   norm
	matrix []float32 // [streams, embd]
}

// route writes the streams' say to dst [streams]; scratch is [embd].
func (r *altRouter) route(dst, x, scratch []float32) {
	r.norm.apply(scratch, x)
	multiply(scratch, 1/float32(len(x)))
	for s := range dst {
		dst[s] = kernels.Tanh(kernels.Dot(r.matrix[s*len(x):][:len(x)], scratch))
	}
}

// predict is the op of arch.Predict: it changes the streams to their predictions.
type predict struct {
	router altRouter
	coef   []float32 // [streams of the prediction, streams that it is made of, router]
}

func newPredict(v *arch.Predict, w *layerWeights) *predict {
	return &predict{altRouter{w.norm(v.Norm), w.vector("altup_router", arch.Weight)}, w.vector("altup_predict_coef", arch.Weight)}
}

func (*predict) mixes() bool { return false }
func (*predict) floats() int { return 0 }

func (o *predict) run(_ context.Context, p *pass, _, out []float32) error {
	a := &p.streams
	embd, n := p.s.model.Embd, a.count
	scratch, say := p.arena.take(embd), p.arena.take(n)
	old := p.arena.take(n * embd)
	for c := p.first; c < p.n; c++ {
		copy(old, a.values[c*n*embd:][:n*embd])
		o.router.route(say, old[:embd], scratch)
		for s := range n {
			x := a.of(p, c, s)
			for from := range n {
				kernels.Axpy(x, kernels.Dot(o.coef[(s*n+from)*n:][:n], say), old[from*embd:][:embd])
			}
		}
		copy(out[c*embd:][:embd], a.of(p, c, 0))
	}
	return nil
}

// correct is the op of arch.Correct.
type correct struct {
	router altRouter
	coef   []float32 // [streams, router]
	scale  []float32 // [embd]
	norm   norm
	inject *inject
}

func newCorrect(v *arch.Correct, w *layerWeights, layer int) *correct {
	return &correct{
		router: altRouter{w.norm(v.Router), w.vector("altup_router", arch.Weight)},
		coef:   w.vector("altup_correct_coef", arch.Weight),
		scale:  w.vector("altup_correct_scale", arch.Weight),
		norm:   w.norm(v.Norm),
		inject: newInject(&arch.Inject{Dim: v.Dim}, w, layer),
	}
}

func (*correct) mixes() bool   { return false }
func (o *correct) floats() int { return o.inject.floats() + 3*len(o.scale) }

func (o *correct) run(ctx context.Context, p *pass, h, out []float32) error {
	a := &p.streams
	embd, n := p.s.model.Embd, a.count
	scratch, say := p.arena.take(embd), p.arena.take(n)
	first := p.arena.take(p.n * embd)
	for c := p.first; c < p.n; c++ {
		x := h[c*embd:][:embd]
		o.router.route(say, x, scratch)
		for i, v := range a.of(p, c, 0) {
			scratch[i] = x[i] - v
		}
		for s := range n {
			kernels.Axpy(a.of(p, c, s), kernels.Dot(o.coef[s*n:][:n], say)+1, scratch)
		}
		for i, v := range a.of(p, c, 0) {
			first[c*embd+i] = v * o.scale[i]
		}
	}
	brought := p.arena.take(p.n * embd)
	if err := o.inject.run(ctx, p, first, brought); err != nil {
		return err
	}
	for c := p.first; c < p.n; c++ {
		b := brought[c*embd:][:embd]
		o.norm.apply(b, b)
		for s := 1; s < n; s++ {
			addTo(a.of(p, c, s), b)
		}
		copy(out[c*embd:][:embd], a.of(p, c, 0))
	}
	return nil
}

// laurel is the op of arch.Laurel.
type laurel struct {
	l, r linear
	norm norm
}

func newLaurel(v *arch.Laurel, w *layerWeights) *laurel {
	return &laurel{w.linear("laurel_l"), w.linear("laurel_r"), w.norm(v.Norm)}
}

func (*laurel) mixes() bool   { return false }
func (o *laurel) floats() int { return o.l.rows }

func (o *laurel) run(ctx context.Context, p *pass, h, out []float32) error {
	embd := p.s.model.Embd
	low := p.arena.take((p.n - p.first) * o.l.rows)
	p.load(h[p.first*embd:], embd)
	if err := p.apply(ctx, low, o.l.rows, o.l); err != nil {
		return err
	}
	p.load(low, o.l.rows)
	if err := p.apply(ctx, out[p.first*embd:], embd, o.r); err != nil {
		return err
	}
	for c := p.first; c < p.n; c++ {
		x := out[c*embd:][:embd]
		o.norm.apply(x, x)
		addTo(x, h[c*embd:][:embd])
	}
	return nil
}
