package sample

import (
	"math"

	kernels "straw"
)

// DRY ("Don't Repeat Yourself", p-e-w 2024) takes Multiplier * Base^(n - AllowedLength) off the logit of a token that
// would continue a repetition of n tokens: the last n tokens came before, and this token came after them there. The
// exponent stays where Base^exponent fits a float32.
type DRY struct {
	Multiplier    float32 // 0: off
	Base          float32
	AllowedLength int // repetitions shorter than this are free
	LastN         int // how many tokens are searched; 0: off; below 0: all
	Breakers      Breakers
}

// Breakers are what a repetition does not reach across, by their first token: the tokens that follow it. A breaker
// that is one token has an empty list, and no token that is one is penalized.
type Breakers map[int][][]int

// drySearch has the room that the search needs.
type drySearch struct {
	reach []int       // [k]: how many tokens before the end are equal to those before the end less k
	worst map[int]int // of each token the longest repetition it would continue
}

// penalize changes the logits of the tokens that would continue a repetition. The candidates are in the order of their ids.
func (d *drySearch) penalize(p *DRY, history []int, c []candidate) {
	if p.Multiplier == 0 || p.Base < 1 || p.LastN == 0 {
		return
	}
	if p.LastN > 0 && len(history) > p.LastN {
		history = history[len(history)-p.LastN:]
	}
	n := len(history)
	if n <= p.AllowedLength {
		return
	}
	limit := sinceBreaker(history, p.Breakers)
	if limit < p.AllowedLength {
		return
	}
	back := func(i int) int { return history[n-1-i] } // the i-th token from the end

	// The Z-function of the history read backwards: linear in its length.
	if cap(d.reach) < n {
		d.reach = make([]int, 2*n)
	}
	reach := d.reach[:n]
	left, right := 0, 0 // back(left), ..., back(right-1) are the same as back(0), ...
	for k := 1; k < n; k++ {
		z := 0
		if k < right {
			z = min(right-k, reach[k-left])
		}
		for k+z < n && back(z) == back(k+z) {
			z++
		}
		if reach[k] = z; k+z > right {
			left, right = k, k+z
		}
	}

	if d.worst == nil {
		d.worst = map[int]int{}
	}
	clear(d.worst)
	for k := 1; k < n; k++ {
		if z := min(reach[k], limit); z >= p.AllowedLength {
			next := back(k - 1)
			d.worst[next] = max(d.worst[next], z)
		}
	}
	most := math.MaxInt
	if p.Base > 1.000001 {
		most = int(88.7228391 / kernels.Log(float64(p.Base)))
	}
	for id, z := range d.worst {
		if l := logitOf(c, id); l != nil && !p.Breakers.single(id) {
			*l -= float32(float64(p.Multiplier) * kernels.Pow(float64(p.Base), float64(min(z-p.AllowedLength, most))))
		}
	}
}

// sinceBreaker is how many tokens there are after the last breaker in the history.
func sinceBreaker(history []int, b Breakers) int {
	for i := len(history) - 1; i >= 0; i-- {
		after := history[i+1:]
		longest := -1
		for _, tail := range b[history[i]] {
			if len(tail) > longest && begins(after, tail) {
				longest = len(tail)
			}
		}
		if longest >= 0 {
			return len(after) - longest
		}
	}
	return len(history)
}

func begins(ids, with []int) bool {
	if len(ids) < len(with) {
		return false
	}
	for i, id := range with {
		if ids[i] != id {
			return false
		}
	}
	return true
}

// single tells whether a token alone is a breaker.
func (b Breakers) single(id int) bool {
	for _, tail := range b[id] {
		if len(tail) == 0 {
			return true
		}
	}
	return false
}
