package engine

import (
	"math"

	kernels "straw"
	"straw/engine/arch"
)

// rotation turns heads by their position. Its table grows by pages as positions are reached; a row that is there never
// changes, so rows may be read by several goroutines while none calls grow.
type rotation struct {
	pairing arch.Pairing
	freq    []float64   // angle of each pair at position 1 [Dim/2]
	scale   float64     // of sine and cosine
	pages   [][]float32 // [ropePage, cosines and then sines]
}

const ropePage = 64 // positions in a page

// newRotation is the rotation r with the divisors of a tensor, or nil.
func newRotation(r *arch.Rope, factors []float32) *rotation {
	t := &rotation{pairing: r.Pairing, freq: make([]float64, r.Dim/2), scale: r.Attn}
	y := r.Yarn
	low, high := yarnRange(r)
	base := r.Base
	if r.Alpha > 0 {
		base *= kernels.Pow(r.Alpha, float64(r.Head)/float64(r.Head-2))
	}
	step := kernels.Pow(base, -2/float64(r.Dim))
	extrapolated := 1.0
	for i := range t.freq {
		f := extrapolated
		if factors != nil {
			f /= float64(factors[i])
		}
		// Pairs before low keep f, those after high have it divided, those between are mixed.
		mix := y.Ext * (1 - min(1, max(0, (float64(i)-low)/max(0.001, high-low))))
		t.freq[i] = float64(f/r.Factor*(1-mix)) + float64(f*mix)
		if still(r, i) {
			t.freq[i] = 0
		}
		extrapolated *= step
	}
	if y.Ext != 0 {
		// The magnitude follows from the model's factor; where a layer's own differs, its logarithm is exchanged.
		t.scale *= magnitude(y.Factor, 1)
		if y.LogMultiplier != 0 && !y.SameMultiplier {
			t.scale /= magnitude(y.Factor, y.LogMultiplier)
		}
		if y.LogMultiplier != 0 && y.SameMultiplier {
			t.scale /= magnitude(y.Factor, 1)
		}
		if r.Factor != y.Factor {
			t.scale *= (1 + float64(0.1*kernels.Log(r.Factor))) / (1 + float64(0.1*kernels.Log(y.Factor)))
		}
	}
	return t
}

// still tells whether pair i belongs to a position that text does not have: of the four of rope.dimension_sections the
// first three are a token's position, the fourth is 0.
func still(r *arch.Rope, i int) bool {
	s := r.Sections
	all := s[0] + s[1] + s[2] + s[3]
	if all == 0 {
		return false
	}
	i %= all
	if r.Interleaved {
		return i >= 3*s[i%3]
	}
	return i >= s[0]+s[1]+s[2]
}

// magnitude is YaRN's correction of the length of q and k for a context that was stretched by factor.
func magnitude(factor, multiplier float64) float64 {
	if factor <= 1 {
		return 1
	}
	return 1 + float64(0.1*multiplier*kernels.Log(factor))
}

// magnitudeWithMultiplier is the length of q and k that DeepSeek's scores are scaled for: what the rotation would give them
// without its correction, times YaRN's with the multiplier.
func magnitudeWithMultiplier(r *arch.Rope) float64 {
	log := kernels.Log(r.Factor)
	m := r.Attn
	if y := r.Yarn; y.Ext == 0 {
		m *= 1 + float64(0.1*log)
	} else {
		m *= magnitude(y.Factor, 1)
		if y.LogMultiplier != 0 && !y.SameMultiplier {
			m /= magnitude(y.Factor, y.LogMultiplier)
		}
		if y.LogMultiplier != 0 && y.SameMultiplier {
			m /= magnitude(y.Factor, 1)
		}
	}
	return m * (1 + float64(0.1*r.Yarn.LogMultiplier*log))
}

// yarnRange is the range of pairs over which YaRN goes from keeping angles to dividing them: the pair that turns n times
// within the original context is Dim * ln(context / (2πn)) / (2 ln Base).
func yarnRange(r *arch.Rope) (low, high float64) {
	if r.Yarn.Ext == 0 {
		return 0, 0
	}
	pair := func(turns float64) float64 {
		return float64(r.Dim) * kernels.Log(float64(r.Yarn.OrigContext)/(turns*2*math.Pi)) / (2 * kernels.Log(r.Base))
	}
	low = max(0, math.Floor(pair(r.Yarn.BetaFast)))
	high = min(float64(r.Dim-1), math.Ceil(pair(r.Yarn.BetaSlow)))
	return low, high
}

// grow makes the table hold positions below n.
func (t *rotation) grow(n int) {
	for have := len(t.pages) * ropePage; have < n; have += ropePage {
		half := len(t.freq)
		page := make([]float32, ropePage*2*half)
		for pos := have; pos < have+ropePage; pos++ {
			row := page[pos%ropePage*2*half:][:2*half]
			for i, f := range t.freq {
				sin, cos := kernels.SinCos(float64(pos) * f)
				row[i], row[half+i] = float32(float64(cos)*t.scale), float32(float64(sin)*t.scale)
			}
		}
		t.pages = append(t.pages, page)
	}
}

// apply turns the first Dim elements of a head by pos.
func (t *rotation) apply(head []float32, pos int) {
	half := len(t.freq)
	table := t.pages[pos/ropePage][pos%ropePage*2*half:][:2*half]
	if t.pairing == arch.Halves {
		kernels.RotateHalves(head, table[:half], table[half:])
		return
	}
	kernels.RotatePairs(head, table[:half], table[half:])
}
