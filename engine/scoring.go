package engine

import (
	"math"

	kernels "straw"
	"straw/engine/arch"
)

// scoring turns the products of a query with keys into weights.
type scoring struct {
	scale  float32
	cap    float32
	slopes []float32                                // of each head's linear bias, or nil
	sinks  []float32                                // a logit for each head, or nil
	bias   func(row []float32, head, pos, from int) // added to the scaled scores, or nil
	pos    int                                      // of the query
}

func newScoring(a *arch.Attn, w *layerWeights) scoring {
	r := scoring{scale: a.Scale, cap: a.Softcap, sinks: w.vector("attn_sinks", arch.Weight)}
	if r.scale == 0 {
		r.scale = inverseRoot(a.KeyDim)
	}
	if a.Alibi > 0 {
		r.slopes = alibi(a.Heads, float64(a.Alibi))
	}
	return r
}

// inverseRoot is 1/√n.
func inverseRoot(n int) float32 { return float32(1 / math.Sqrt(float64(n))) }

// alibi is the slopes of heads (Press et al. 2022): powers of 2^(-steepest/n), n being the largest power of two among
// the heads; the other heads have every second power for twice as many.
func alibi(heads int, steepest float64) []float32 {
	n := 1
	for 2*n <= heads {
		n *= 2
	}
	slopes := make([]float32, heads)
	for h := range slopes {
		power := -steepest * float64(h+1) / float64(n)
		if h >= n {
			power = -steepest / 2 * float64(2*(h-n)+1) / float64(n)
		}
		slopes[h] = float32(kernels.Pow(2, power))
	}
	return slopes
}

// weigh makes weights of row: the products of a query of head with the keys from position from on, and one element more.
func (r *scoring) weigh(row []float32, head, from int) {
	n := len(row) - 1
	scores := row[:n]
	multiply(scores, r.scale)
	if r.cap != 0 {
		softcap(scores, r.cap)
	}
	if r.slopes != nil {
		for j := range scores {
			distance := r.pos - from - j
			scores[j] -= r.slopes[head] * float32(max(distance, -distance))
		}
	}
	if r.bias != nil {
		r.bias(scores, head, r.pos, from)
	}
	if r.sinks != nil {
		row[n] = r.sinks[head]
		kernels.Softmax(row)
		return
	}
	kernels.Softmax(scores)
}
