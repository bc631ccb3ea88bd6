//go:build js

package simd

import (
	"math"
	"math/rand/v2"
	"testing"

	kernels "straw"
)

// values is numbers of every size, and the borders of Exp among them.
func values(r *rand.Rand, n int) []float32 {
	x := numbers(r, n, false)
	for i := range x {
		switch r.IntN(12) {
		case 0:
			x[i] = math.Float32frombits(r.Uint32())
		case 1:
			x[i] *= 100
		case 2:
			x[i] = []float32{0, float32(math.Copysign(0, -1)), 88.7228394, 88.72284, -103.972084, -103.9721, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())}[r.IntN(9)]
		}
	}
	return x
}

func equal(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if !same(got[i], want[i]) {
			t.Fatalf("%s of %d: element %d is %v, want %v", what, len(want), i, got[i], want[i])
		}
	}
}

var lengths = []int{1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 64, 100, 1000}

func TestForms(t *testing.T) {
	forEachModule(t, func(t *testing.T, call Call) {
		f := Forms(call)
		r := rand.New(rand.NewPCG(3, 4))
		for _, n := range lengths {
			for range 20 {
				a, b, c := values(r, n), values(r, n), values(r, n)
				both := func(what string, native, generic func(dst []float32)) {
					got, want := append([]float32{9}, c...)[1:], append([]float32(nil), c...)
					native(got)
					generic(want)
					equal(t, what, got, want)
				}
				both("SiLUMul", func(dst []float32) { f.SiLUMul(dst, a, b) }, func(dst []float32) { kernels.SiLUMul(dst, a, b) })
				both("GELUMul", func(dst []float32) { f.GELUMul(dst, a, b) }, func(dst []float32) { kernels.GELUMul(dst, a, b) })
				both("Axpy", func(dst []float32) { f.Axpy(dst, a[0], b) }, func(dst []float32) { kernels.Axpy(dst, a[0], b) })
				both("Softmax", f.Softmax, kernels.Softmax)
				half := make([]byte, 1+2*n)[1:]
				fill(r, half, r.IntN(5))
				both("DecodeF16", func(dst []float32) { f.DecodeF16(dst, half) }, func(dst []float32) { kernels.DecodeF16(dst, half) })
			}
		}
	})
}

// Softmax of numbers that are all finite: what it is used for.
func TestSoftmax(t *testing.T) {
	forEachModule(t, func(t *testing.T, call Call) {
		r := rand.New(rand.NewPCG(5, 6))
		for _, n := range lengths {
			got := numbers(r, n, false)
			want := append([]float32(nil), got...)
			Forms(call).Softmax(got)
			kernels.Softmax(want)
			equal(t, "Softmax", got, want)
		}
	})
}

func TestMix(t *testing.T) {
	forEachModule(t, func(t *testing.T, call Call) {
		r := rand.New(rand.NewPCG(8, 9))
		f := Forms(call)
		for _, c := range []struct{ queries, rows, dim int }{{1, 1, 1}, {1, 5, 64}, {4, 3, 8}, {5, 2, 13}, {7, 4, 80}, {9, 64, 6}} {
			for _, half := range []bool{false, true} {
				stride := c.rows + 2
				weights, packed := numbers(r, c.queries*stride, false), make([]byte, 3+2*c.rows*c.dim)[3:]
				fill(r, packed, 0)
				rows := numbers(r, c.rows*c.dim, false)
				got := numbers(r, c.queries*c.dim, false)
				want := append([]float32(nil), got...)
				if half {
					f.MixF16(got, weights, stride, packed, c.dim)
					kernels.MixF16(want, weights, stride, packed, c.dim)
				} else {
					f.Mix(got, weights, stride, rows, c.dim)
					kernels.Mix(want, weights, stride, rows, c.dim)
				}
				equal(t, "Mix", got, want)
			}
		}
	})
}
