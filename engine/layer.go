package engine

import (
	"context"

	"straw/engine/arch"
)

// layer is one block of the model, ready to run.
type layer struct {
	steps     []step
	fromLayer bool // something in it wants what came into the layer
}

// step changes the residual stream once.
type step struct {
	values   *arch.Step
	branches []branch
	post     norm
	after    norm
	scale    []float32 // one number, or nil
	mixes    bool      // some branch does
}

// branch is one op with its norms.
type branch struct {
	values *arch.Branch
	norm   norm
	post   norm
	op     op
	same   bool // the norm is the one of the branch before
}

// newLayers joins what the architecture says with the weights.
func (s *machine) newLayers() error {
	s.layers = make([]layer, len(s.model.Layers))
	for i := range s.model.Layers {
		l, w := &s.layers[i], &s.weights.layers[i]
		for j := range s.model.Layers[i].Steps {
			v := &s.model.Layers[i].Steps[j]
			st := step{values: v, post: w.norm(v.Post), after: w.norm(v.After)}
			if v.Scale != "" {
				st.scale = w.vector(v.Scale, arch.Weight)
			}
			for k := range v.Branches {
				b := &v.Branches[k]
				op, err := s.newOp(b.Op, i)
				if err != nil {
					return err
				}
				same := k > 0 && b.Norm == v.Branches[k-1].Norm && b.FromLayer == v.Branches[k-1].FromLayer
				st.branches = append(st.branches, branch{b, w.norm(b.Norm), w.norm(b.Post), op, same})
				st.mixes = st.mixes || op.mixes()
				l.fromLayer = l.fromLayer || b.FromLayer
				if m, ok := b.Op.(*arch.MoE); ok {
					l.fromLayer = l.fromLayer || m.RouteLayer
				}
			}
			l.steps = append(l.steps, st)
		}
	}
	return nil
}

// lastMixing is the last step in which columns look at each other.
func lastMixing(layers []layer) *step {
	for i := len(layers) - 1; i >= 0; i-- {
		for j := len(layers[i].steps) - 1; j >= 0; j-- {
			if st := &layers[i].steps[j]; st.mixes {
				return st
			}
		}
	}
	return nil
}

// runStep is x = after(keep*x + post(sum of the branches)).
func (p *pass) runStep(ctx context.Context) error {
	st := p.step
	embd := p.s.model.Embd
	for k := range st.branches {
		b := &st.branches[k]
		p.branch = b
		if !b.same {
			p.s.each(p.n, p.normStep)
		}
		p.arena.reset()
		out := p.out
		if k == 0 {
			out = p.sum
		}
		if err := b.op.run(ctx, p, p.h[:p.n*embd], out[:p.n*embd]); err != nil {
			return err
		}
		p.branch = b
		p.s.each(p.n-p.first, p.postStep)
	}
	p.s.each(p.n-p.first, p.sumStep)
	return nil
}

// norm normalizes a column for a branch. Columns that are not wanted are needed where columns mix.
func (p *pass) norm(_, c int) {
	if c < p.first && !p.step.mixes {
		return
	}
	embd := p.s.model.Embd
	x := p.x
	if p.branch.values.FromLayer {
		x = p.entry
	}
	p.branch.norm.apply(p.h[c*embd:][:embd], x[c*embd:][:embd])
}

// post finishes a column of a branch's result, and adds it to the step's sum.
func (p *pass) post(_, c int) {
	c += p.first
	embd := p.s.model.Embd
	b := p.branch
	sum := p.sum[c*embd:][:embd]
	out := sum
	if b != &p.step.branches[0] {
		out = p.out[c*embd:][:embd]
	}
	if b.post.Kind != arch.NoNorm {
		b.post.apply(out, out)
	}
	scale(out, b.values.Scale)
	if b != &p.step.branches[0] {
		addTo(sum, out)
	}
}

// sumUp adds the branches' sum to the residual stream.
func (p *pass) sumUp(_, c int) {
	c += p.first
	embd := p.s.model.Embd
	st := p.step
	x := p.x[c*embd:][:embd]
	if st.values.KeepNorm {
		st.branches[0].norm.apply(x, x)
	}
	sum := p.sum[c*embd:][:embd]
	if st.post.Kind != arch.NoNorm {
		st.post.apply(sum, sum)
	}
	if st.values.Replace {
		copy(x, sum)
	} else {
		scale(x, st.values.Keep)
		addTo(x, sum)
	}
	if st.after.Kind != arch.NoNorm {
		st.after.apply(x, x)
	}
	if st.scale != nil {
		multiply(x, st.scale[0])
	}
}
