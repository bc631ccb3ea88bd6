package sample

import (
	"cmp"
	"math"
	"slices"

	kernels "straw"
)

type candidate struct {
	id    int32
	logit float32
}

var lowest = float32(math.Inf(-1))

// before is the order of candidates: the likely first.
func before(a, b candidate) int {
	if c := cmp.Compare(b.logit, a.logit); c != 0 {
		return c
	}
	return cmp.Compare(a.id, b.id)
}

// best is the most likely candidate, the first of equals.
func best(c []candidate) candidate {
	best := c[0]
	for _, x := range c[1:] {
		if x.logit > best.logit {
			best = x
		}
	}
	return best
}

// mostLikely moves the n most likely candidates to the front, in order, and returns them.
func mostLikely(c []candidate, n int) []candidate {
	// The best so far are a heap with the worst of them at its root.
	best := c[:n]
	for i := n/2 - 1; i >= 0; i-- {
		sink(best, i)
	}
	for i := n; i < len(c); i++ {
		if c[i].logit < best[0].logit { // nearly all
			continue
		}
		if before(c[i], best[0]) < 0 {
			c[i], best[0] = best[0], c[i]
			sink(best, 0)
		}
	}
	slices.SortFunc(best, before)
	return best
}

// sink restores the heap below i.
func sink(h []candidate, i int) {
	for {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && before(h[child+1], h[child]) > 0 {
			child++
		}
		if before(h[child], h[i]) <= 0 {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}

// top is the largest logit.
func top(c []candidate) float32 {
	best := c[0].logit
	for _, x := range c {
		best = max(best, x.logit)
	}
	return best
}

// weight is the sum of e^(logit - best).
func weight(c []candidate, best float32) float64 {
	sum := 0.0
	for _, x := range c {
		sum += float64(kernels.Exp(x.logit - best))
	}
	return sum
}

// draw chooses an index by probability at the sampler's temperature, which it divides the logits by.
func (s *Sampler) draw(c []candidate) int {
	for i := range c {
		c[i].logit /= s.p.Temperature
	}
	return s.drawn(c)
}

// drawn chooses an index by probability.
func (s *Sampler) drawn(c []candidate) int {
	best := top(c)
	left := s.random.float() * weight(c, best)
	for i, x := range c {
		if left -= float64(kernels.Exp(x.logit - best)); left < 0 {
			return i
		}
	}
	return len(c) - 1 // rounding, or no finite logit
}
