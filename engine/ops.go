package engine

import (
	"context"
	"fmt"

	"straw/engine/arch"
)

// op is the code of an arch.Op with its weights. What it keeps of a timeline is in the timeline: caches of keys and values
// by position, and states, which are no list of positions.
type op interface {
	// run computes the op for the columns of h [p.n, embd] and writes the result to out [p.n, embd]. Columns before
	// p.first are not wanted: an op that mixes columns needs them for those that follow, the others leave them out. h is
	// not loaded, and neither h nor out may be kept.
	run(ctx context.Context, p *pass, h, out []float32) error
	// mixes tells whether a column's result depends on other columns.
	mixes() bool
	// floats is how much of the pass's scratch memory a column takes, about.
	floats() int
}

// newOp is the code for v, an op of layer i.
func (s *machine) newOp(v arch.Op, i int) (op, error) {
	w := &s.weights.layers[i]
	switch v := v.(type) {
	case *arch.Attn:
		return s.newAttention(v, w, i)
	case *arch.ChannelMix:
		return newChannelMix(v, w, s, i)
	case *arch.Correct:
		return newCorrect(v, w, i), nil
	case *arch.Cross:
		return s.newCross(v, w)
	case *arch.Delta:
		return newDelta(v, w, s, i)
	case *arch.Dense:
		return newDense(v, w), nil
	case *arch.Inject:
		return newInject(v, w, i), nil
	case *arch.Laurel:
		return newLaurel(v, w), nil
	case *arch.Lightning:
		return newLightning(v, w, s, i)
	case *arch.Linear:
		return &product{w.linear(v.Role)}, nil
	case *arch.MLA:
		return s.newLatent(v, w)
	case *arch.MoE:
		return newMoE(v, w), nil
	case *arch.Predict:
		return newPredict(v, w), nil
	case *arch.RWKV6:
		return newRWKV6(v, w, s, i)
	case *arch.RWKV7:
		return newRWKV7(v, w, s, i)
	case *arch.Same:
		return &same{}, nil
	case *arch.ShortConv:
		return newShortConv(v, w, s, i)
	case *arch.Skip:
		s.keepInput = true
		return &skip{w.vector(v.Role, arch.Weight)[0]}, nil
	case *arch.SSM:
		return newSSM(v, w, s, i)
	}
	return nil, &UnsupportedError{Field: arch.LayerPrefix(i), Reason: fmt.Sprintf("kind of layer %T cannot be run", v)}
}

// arena is memory for one op's activations: taken piece by piece, given back as a whole.
type arena struct {
	slab floats
	used int
	old  []floats // too small, but in use until the next reset
}

// take is n floats of any value, valid until the next reset.
func (a *arena) take(n int) []float32 {
	a.used += n
	a.grow(a.used)
	return a.slab.x[a.used-n : a.used : a.used]
}

// grow makes room for n floats.
func (a *arena) grow(n int) {
	if have := len(a.slab.x); n > have {
		a.old = append(a.old, a.slab)
		a.slab = newFloats(max(n, 2*have))
	}
}

func (a *arena) reset() {
	a.used = 0
	for i := range a.old {
		a.old[i].free()
	}
	a.old = a.old[:0]
}

// free gives the memory back.
func (a *arena) free() {
	a.reset()
	a.slab.free()
}
