// Package stats describes the numbers of a tensor: range, moments, zeros, what is no number, and a histogram, in one pass
// over all of it or over a sample spread evenly, and in bounded memory.
package stats

import (
	"context"
	"math"

	"straw/gguf"
	"straw/internal/values"
)

// Options says how much to read and how finely to count.
type Options struct {
	Sample   int64                   // elements to read at most, rounded up to pieces of 4,096; 0: all
	Bins     int                     // of the histogram at most, 2 at least; 0: 32
	Progress func(done, total int64) // elements; may be nil
}

// Stats is what is known of a tensor's numbers. Min to Std are over the finite ones, and NaN where there is none.
type Stats struct {
	Elements int64 // of the tensor
	Sampled  int64 // that were read: all, or fewer if a sample was asked for

	Min, Max  float64
	Mean, Std float64 // Std is the population's

	Zeros  int64
	NaN    int64
	PosInf int64
	NegInf int64

	Histogram Histogram
}

const defaultBins = 32

// Of reads t, or a sample of it. It fails if the type cannot be decoded, with a read's error, or with ctx's.
func Of(ctx context.Context, f *gguf.File, t *gguf.Tensor, o Options) (*Stats, error) {
	r, err := values.NewReader(f, t)
	if err != nil {
		return nil, err
	}
	if o.Bins <= 0 {
		o.Bins = defaultBins
	}
	a := newAccumulator(max(o.Bins, 2)) // no single bin can hold both signs
	n := int64(t.Elements)
	sample := values.Spread(n, o.Sample)
	err = r.Some(ctx, sample, func(_ int64, x []float32) error {
		a.add(x)
		if o.Progress != nil {
			o.Progress(a.n, sample.Elements())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s := a.stats()
	s.Elements = n
	return s, nil
}

// accumulator takes numbers a piece at a time.
type accumulator struct {
	n       int64 // all
	finite  int64
	mean    float64
	squares float64 // of the distances from the mean
	min     float64
	max     float64
	zeros   int64
	nan     int64
	inf     [2]int64 // positive, negative
	counts  histogram
	buf     []float32 // the finite numbers of a piece that has others too
}

func newAccumulator(bins int) *accumulator {
	return &accumulator{min: math.Inf(1), max: math.Inf(-1), counts: newHistogram(bins)}
}

// add takes a piece in. Moments are of the piece first and then merged (Chan, Golub and LeVeque 1979), so that they stay
// exact where numbers are many or far from zero.
func (a *accumulator) add(x []float32) {
	a.n += int64(len(x))
	x = a.finiteOnly(x)
	if len(x) == 0 {
		return
	}
	sum, low, high := 0.0, x[0], x[0]
	for _, v := range x {
		sum += float64(v)
		low, high = min(low, v), max(high, v)
		if v == 0 {
			a.zeros++
		}
	}
	n := float64(len(x))
	mean, squares := sum/n, 0.0
	for _, v := range x {
		d := float64(v) - mean
		squares += float64(d * d)
	}
	before := float64(a.finite)
	d := mean - a.mean
	a.mean += d * (n / (before + n))
	a.squares += squares + float64(d*d)*(before*n/(before+n))
	a.finite += int64(len(x))
	a.min, a.max = min(a.min, float64(low)), max(a.max, float64(high))
	a.counts.cover(a.min, a.max)
	a.counts.add(x)
}

// finiteOnly counts what is no number and gives the rest: x itself, as a rule.
func (a *accumulator) finiteOnly(x []float32) []float32 {
	odd := false
	for _, v := range x {
		odd = odd || v-v != 0
	}
	if !odd {
		return x
	}
	a.buf = a.buf[:0]
	for _, v := range x {
		switch w := float64(v); {
		case math.IsNaN(w):
			a.nan++
		case math.IsInf(w, 1):
			a.inf[0]++
		case math.IsInf(w, -1):
			a.inf[1]++
		default:
			a.buf = append(a.buf, v)
		}
	}
	return a.buf
}

func (a *accumulator) stats() *Stats {
	s := &Stats{Sampled: a.n, Zeros: a.zeros, NaN: a.nan, PosInf: a.inf[0], NegInf: a.inf[1]}
	if a.finite == 0 {
		s.Min, s.Max, s.Mean, s.Std = math.NaN(), math.NaN(), math.NaN(), math.NaN()
		return s
	}
	s.Min, s.Max, s.Mean = a.min, a.max, a.mean
	s.Std = math.Sqrt(a.squares / float64(a.finite))
	s.Histogram = a.counts.done(a.min, a.max)
	return s
}
