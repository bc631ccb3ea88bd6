package stats

import "math"

// Histogram counts numbers in bins of one width, side by side. The width is a power of two and Low a multiple of it, so
// that the edges are round and do not depend on the order in which the numbers came.
type Histogram struct {
	Low    float64 // where the first bin starts
	Width  float64 // of a bin; 0 if there are none
	Counts []int64
}

// histogram is one that grows: while it covers too little, its width doubles and neighbours become one bin.
type histogram struct {
	counts []int64
	width  float64
	first  int64 // the first bin starts at first*width
}

func newHistogram(bins int) histogram { return histogram{counts: make([]int64, bins)} }

// cover widens the bins until all from low to high fit; what was counted before stays counted.
func (h *histogram) cover(low, high float64) {
	if h.width == 0 {
		// 2^-23 of the larger end is the distance of float32 numbers there: nothing finer tells them apart
		_, exp := math.Frexp(max(math.Abs(low), math.Abs(high)))
		h.width = math.Ldexp(1, max(exp-24, -149))
		h.first = cell(low, h.width)
	}
	from, to := cell(low, h.width), cell(high, h.width)
	for to-from >= int64(len(h.counts)) {
		h.double()
		from, to = cell(low, h.width), cell(high, h.width)
	}
	if shift := h.first - from; shift != 0 { // the counted ones lie between from and to
		moved := make([]int64, len(h.counts))
		for i, n := range h.counts {
			if n > 0 {
				moved[int64(i)+shift] = n
			}
		}
		h.counts, h.first = moved, from
	}
}

func (h *histogram) double() {
	merged := make([]int64, len(h.counts))
	first := h.first >> 1
	for i, n := range h.counts {
		if n > 0 {
			merged[(h.first+int64(i))>>1-first] += n
		}
	}
	h.counts, h.first = merged, first
	h.width *= 2
}

// add counts numbers that are covered.
func (h *histogram) add(x []float32) {
	inverse := 1 / h.width
	for _, v := range x {
		h.counts[int64(math.Floor(float64(v)*inverse))-h.first]++
	}
}

// done is the histogram from the bin of low to that of high.
func (h *histogram) done(low, high float64) Histogram {
	from, to := cell(low, h.width), cell(high, h.width)
	return Histogram{Low: float64(from) * h.width, Width: h.width, Counts: h.counts[from-h.first : to-h.first+1]}
}

// cell is the number of the bin that x is in, of those of this width. Both are exact: width is a power of two.
func cell(x, width float64) int64 { return int64(math.Floor(x / width)) }
