package engine

import (
	"cmp"
	"math"
	"slices"

	kernels "straw"
)

// SamplerParams say how the next token is chosen. The steps are llama.cpp's, in its order: penalties, top-k, top-p,
// min-p, temperature, draw. The zero value is greedy.
type SamplerParams struct {
	Temperature float32 // 0 or below: the most likely token
	TopK        int     // keep the k most likely; 0 or below: all
	TopP        float32 // keep the most likely until their probabilities sum to p; 1 or above: all
	MinP        float32 // keep those at least p times as likely as the most likely; 0 or below: all

	RepeatPenalty    float32 // of tokens among the last ones: positive logits are divided by it, others multiplied; 0 and 1: none
	FrequencyPenalty float32 // taken off a logit for each time the token is among the last ones
	PresencePenalty  float32 // taken off a logit if the token is among the last ones
	RepeatLastN      int     // how many tokens are the last ones; 0: no penalties; below 0: all that were accepted

	Seed uint64
}

// DefaultSamplerParams are llama.cpp's, with seed 0.
func DefaultSamplerParams() SamplerParams {
	return SamplerParams{Temperature: 0.8, TopK: 40, TopP: 0.95, MinP: 0.05, RepeatPenalty: 1, RepeatLastN: 64}
}

// Sampler chooses tokens. The same parameters, logits and accepted tokens give the same choices on every platform.
// Among equal logits the smaller id comes first; a NaN counts as -Inf.
type Sampler struct {
	p      SamplerParams
	random xoshiro
	last   []int // accepted tokens that count
	counts map[int]int
	all    []candidate
}

type candidate struct {
	id    int32
	logit float32
}

// before is the order of candidates: the likely first.
func before(a, b candidate) int {
	if c := cmp.Compare(b.logit, a.logit); c != 0 {
		return c
	}
	return cmp.Compare(a.id, b.id)
}

// NewSampler is a sampler that has accepted nothing yet.
func NewSampler(p SamplerParams) *Sampler {
	if p.RepeatPenalty == 0 {
		p.RepeatPenalty = 1
	}
	return &Sampler{p: p, random: newXoshiro(p.Seed), counts: map[int]int{}}
}

// Accept tells the sampler that id is part of the text now, chosen by it or not.
func (s *Sampler) Accept(id int) {
	if s.p.RepeatLastN == 0 {
		return
	}
	s.last = append(s.last, id)
	s.counts[id]++
	if n := s.p.RepeatLastN; n > 0 && len(s.last) > n {
		gone := s.last[0]
		s.last = slices.Delete(s.last, 0, 1)
		if s.counts[gone]--; s.counts[gone] == 0 {
			delete(s.counts, gone)
		}
	}
}

// Sample chooses a token for logits [vocab], which it does not change. It panics if there are none.
func (s *Sampler) Sample(logits []float32) int {
	s.all = slices.Grow(s.all[:0], len(logits))[:len(logits)]
	for id, l := range logits {
		if l != l {
			l = float32(math.Inf(-1))
		}
		s.all[id] = candidate{int32(id), l}
	}
	s.penalize()
	if s.p.Temperature <= 0 || s.p.TopK == 1 {
		best := s.all[0]
		for _, c := range s.all[1:] {
			if c.logit > best.logit {
				best = c
			}
		}
		return int(best.id)
	}
	c := s.all
	if s.p.TopK > 0 && s.p.TopK < len(c) {
		c = mostLikely(c, s.p.TopK)
	}
	if s.p.TopP < 1 {
		c = topP(c, float64(s.p.TopP))
	}
	if s.p.MinP > 0 {
		c = minP(c, s.p.MinP)
	}
	return s.draw(c)
}

// penalize changes the logits of the last tokens.
func (s *Sampler) penalize() {
	p := &s.p
	if p.RepeatPenalty == 1 && p.FrequencyPenalty == 0 && p.PresencePenalty == 0 {
		return
	}
	for id, n := range s.counts {
		if id < 0 || id >= len(s.all) {
			continue
		}
		l := &s.all[id].logit
		if *l <= 0 {
			*l *= p.RepeatPenalty
		} else {
			*l /= p.RepeatPenalty
		}
		*l -= float32(float32(n)*p.FrequencyPenalty) + p.PresencePenalty
	}
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

// topP keeps the most likely candidates whose probabilities sum to at least p, one at least. Candidates are sorted as
// far as is needed: a few of them mostly do.
func topP(c []candidate, p float64) []candidate {
	total := weight(c, top(c))
	for n := min(256, len(c)); ; n = len(c) {
		best := c
		if n < len(c) {
			best = mostLikely(c, n)
		} else {
			slices.SortFunc(best, before)
		}
		sum := 0.0
		for i, x := range best {
			if sum += float64(kernels.Exp(x.logit - best[0].logit)); sum >= p*total {
				return best[:i+1]
			}
		}
		if n == len(c) {
			return best
		}
	}
}

// minP keeps the candidates that are at least p times as likely as the most likely one.
func minP(c []candidate, p float32) []candidate {
	least := top(c) + float32(kernels.Log(float64(p)))
	kept := c[:0]
	for _, x := range c {
		if x.logit >= least {
			kept = append(kept, x)
		}
	}
	if len(kept) == 0 { // p above 1
		return mostLikely(c, 1)
	}
	return kept
}

// draw chooses by probability at the sampler's temperature.
func (s *Sampler) draw(c []candidate) int {
	for i := range c {
		c[i].logit /= s.p.Temperature
	}
	best := top(c)
	left := s.random.float() * weight(c, best)
	for _, x := range c {
		if left -= float64(kernels.Exp(x.logit - best)); left < 0 {
			return int(x.id)
		}
	}
	return int(c[len(c)-1].id) // rounding, or no finite logit
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

// xoshiro is xoshiro256** 1.0 (Blackman and Vigna 2018), seeded by splitmix64 as its authors recommend.
type xoshiro [4]uint64

func newXoshiro(seed uint64) xoshiro {
	var x xoshiro
	for i := range x {
		seed += 0x9e3779b97f4a7c15
		z := seed
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		x[i] = z ^ z>>31
	}
	return x
}

func (x *xoshiro) next() uint64 {
	r := x[1] * 5
	r = (r<<7 | r>>57) * 9
	t := x[1] << 17
	x[2] ^= x[0]
	x[3] ^= x[1]
	x[1] ^= x[2]
	x[0] ^= x[3]
	x[2] ^= t
	x[3] = x[3]<<45 | x[3]>>19
	return r
}

// float is uniform in [0, 1), a multiple of 2^-53.
func (x *xoshiro) float() float64 { return float64(x.next()>>11) / (1 << 53) }
