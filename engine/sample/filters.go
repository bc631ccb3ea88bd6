package sample

import (
	"cmp"
	"math"
	"slices"

	kernels "straw"
)

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
			if sum += float64(kernels.Exp(x.logit - best[0].logit)); sum >= float64(p*total) {
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
	return atLeast(c, least)
}

// topNSigma keeps the candidates at most n standard deviations of the finite logits below the largest ("Top-nσ: Not
// All Logits Are You Need", Tang and others 2024).
func topNSigma(c []candidate, n float32) []candidate {
	sum, squares, count := 0.0, 0.0, 0.0
	for _, x := range c {
		if x.logit-x.logit == 0 {
			sum += float64(x.logit)
			count++
		}
	}
	if count < 2 {
		return c
	}
	mean := sum / count
	for _, x := range c {
		if x.logit-x.logit == 0 {
			d := float64(x.logit) - mean
			squares += float64(d * d)
		}
	}
	return atLeast(c, top(c)-float32(float64(n)*math.Sqrt(squares/count)))
}

// atLeast keeps the candidates with a logit of at least that, and the best one.
func atLeast(c []candidate, least float32) []candidate {
	best := best(c)
	kept := c[:0]
	for _, x := range c {
		if x.logit >= least {
			kept = append(kept, x)
		}
	}
	if len(kept) == 0 {
		kept = append(kept, best)
	}
	return kept
}

// surprise is a candidate with its probability and its distance from the expected surprise.
type surprise struct {
	candidate
	p, away float64
}

// typical keeps the candidates whose surprise -log p is nearest to the entropy until they sum to more than p
// ("Locally Typical Sampling", Meister and others 2022), in that order.
func (s *Sampler) typical(c []candidate) []candidate {
	slices.SortFunc(c, before)
	best := c[0].logit
	total := weight(c, best)
	logTotal := kernels.Log(total)
	words := s.words[:0]
	entropy := 0.0
	for _, x := range c {
		w := surprise{x, float64(kernels.Exp(x.logit-best)) / total, logTotal - float64(x.logit-best)}
		if w.p > 0 {
			entropy += float64(w.p * w.away)
		}
		words = append(words, w)
	}
	s.words = words
	for i := range words {
		words[i].away = math.Abs(words[i].away - entropy)
	}
	slices.SortStableFunc(words, func(a, b surprise) int { return cmp.Compare(a.away, b.away) })
	sum := 0.0
	for i, w := range words {
		c[i] = w.candidate
		if sum += w.p; sum > float64(s.p.Typical) {
			return c[:i+1]
		}
	}
	return c
}

// xtc leaves out all but the least likely of the candidates above the threshold, now and then ("Exclude Top Choices",
// p-e-w 2024).
func (s *Sampler) xtc(c []candidate) []candidate {
	if len(c) < 2 || s.random.float() > float64(s.p.XTCProbability) {
		return c
	}
	slices.SortFunc(c, before)
	least := float64(s.p.XTCThreshold) * weight(c, c[0].logit)
	last := 0
	for last+1 < len(c) && float64(kernels.Exp(c[last+1].logit-c[0].logit)) >= least {
		last++
	}
	return c[last:]
}

// mirostat is Mirostat 2.0 ("Mirostat: A Neural Text Decoding Algorithm that Directly Controls Perplexity", Basu and
// others 2021): tokens of more than mu bits of surprise are left out, and mu follows the surprise of what is drawn.
func (s *Sampler) mirostat(c []candidate) int {
	if s.p.Temperature <= 0 {
		return int(best(c).id)
	}
	for i := range c {
		c[i].logit /= s.p.Temperature
	}
	best := best(c)
	total := kernels.Log(weight(c, best.logit))
	kept := c[:0]
	for _, x := range c {
		if bits(x.logit-best.logit, total) <= s.mu {
			kept = append(kept, x)
		}
	}
	if len(kept) == 0 {
		kept = append(kept, best)
	}
	slices.SortFunc(kept, before)
	x := kept[s.drawn(kept)]
	e := bits(x.logit-best.logit, kernels.Log(weight(kept, kept[0].logit))) - s.p.MirostatTau
	s.mu -= float32(s.p.MirostatEta * e)
	return int(x.id)
}

// bits is the surprise of e^logit in e^total: -log2 of its probability.
func bits(logit float32, total float64) float32 { return float32((total - float64(logit)) / math.Ln2) }
