package sample

import (
	"cmp"
	"slices"

	kernels "straw"
)

// Logprob is a token and the logarithm of its probability by the model, before any step of sampling.
type Logprob struct {
	ID      int
	Logprob float32
}

// Logprobs is that of the token id and of the n most likely tokens, the likely first, for logits [vocab]. A NaN counts
// as -Inf.
func Logprobs(logits []float32, id, n int) (of Logprob, most []Logprob) {
	c := make([]candidate, len(logits))
	for i, l := range logits {
		if l != l {
			l = lowest
		}
		c[i] = candidate{int32(i), l}
	}
	best := top(c)
	total := float64(best) + kernels.Log(weight(c, best))
	logprob := func(l float32) float32 { return float32(float64(l) - total) }
	of = Logprob{id, logprob(c[id].logit)}
	if n <= 0 {
		return of, nil
	}
	most = make([]Logprob, 0, n)
	for _, x := range mostLikely(c, min(n, len(c))) {
		most = append(most, Logprob{int(x.id), logprob(x.logit)})
	}
	slices.SortStableFunc(most, func(a, b Logprob) int { return cmp.Compare(b.Logprob, a.Logprob) })
	return of, most
}
