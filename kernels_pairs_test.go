package kernels

import (
	"math/rand/v2"
	"testing"
)

// The sums in a pair stay apart, at their largest too.
func TestPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 0))
	for _, c := range []struct {
		name string
		w, x func() int8
	}{
		{"largest", func() int8 { return -128 }, func() int8 { return -127 }},
		{"smallest", func() int8 { return -128 }, func() int8 { return 127 }},
		{"any", func() int8 { return int8(r.Uint32()) }, func() int8 { return int8(r.IntN(255) - 127) }},
		{"ends", func() int8 { return int8(r.IntN(2)*255 - 128) }, func() int8 { return int8(r.IntN(2)*254 - 127) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 1000 {
				var w, x [32]int8
				want := int32(0)
				for i := range w {
					w[i], x[i] = c.w(), c.x()
					want += int32(w[i]) * int32(x[i])
				}
				var wp, xp [16]int64
				pairWeights(wp[:], w[:])
				pairActivations(xp[:], x[:])
				got := pairSum(sumPairs((*[8]int64)(wp[:]), (*[8]int64)(xp[:])) + sumPairs((*[8]int64)(wp[8:]), (*[8]int64)(xp[8:])))
				if got != want {
					t.Fatalf("%v · %v is %d, want %d", w, x, got, want)
				}
			}
		})
	}
}
