package kernels

import (
	"math"
	"math/rand/v2"
	"testing"
)

func normal(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

// slowDot is Dot by the words of its description.
func slowDot(a, b []float32) float32 {
	var lane [16]float32
	for i := range a {
		p := float32(a[i] * b[i])
		lane[i%16] += p
	}
	for _, half := range []int{8, 4, 2, 1} {
		for j := range half {
			lane[j] += lane[j+half]
		}
	}
	return lane[0]
}

func TestDot(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		a, b := normal(r, n), normal(r, n+3)
		want := slowDot(a, b[:n])
		if got := genericDot(a, b[:n]); got != want {
			t.Errorf("generic form, %d elements: %v, want %v", n, got, want)
		}
		if got := Dot(a, b); got != want {
			t.Errorf("%s form, %d elements: %v, want %v", Name(), n, got, want)
		}
	}
}

func TestNorms(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	near := func(name string, got []float32, want func(i int) float64) {
		t.Helper()
		for i, v := range got {
			if w := want(i); math.Abs(float64(v)-w) > 2e-6*(1+math.Abs(w)) {
				t.Errorf("%s: element %d is %v, want %v", name, i, v, w)
				return
			}
		}
	}
	for _, n := range []int{1, 15, 64, 777} {
		x, weight, bias := normal(r, n), normal(r, n), normal(r, n)
		var squares, sum float64
		for _, v := range x {
			squares += float64(v) * float64(v)
			sum += float64(v)
		}
		dst := make([]float32, n)
		rms := 1 / math.Sqrt(squares/float64(n)+1e-5)
		RMSNorm(dst, x, weight, 1e-5)
		near("RMSNorm", dst, func(i int) float64 { return float64(x[i]) * rms * float64(weight[i]) })
		RMSNorm(dst, x, nil, 1e-5)
		near("RMSNorm without weight", dst, func(i int) float64 { return float64(x[i]) * rms })

		mean := sum / float64(n)
		scale := 1 / math.Sqrt(squares/float64(n)-mean*mean+1e-5)
		LayerNorm(dst, x, weight, bias, 1e-5)
		near("LayerNorm", dst, func(i int) float64 { return (float64(x[i])-mean)*scale*float64(weight[i]) + float64(bias[i]) })
		copy(dst, x)
		LayerNorm(dst, dst, nil, nil, 1e-5)
		near("LayerNorm in place", dst, func(i int) float64 { return (float64(x[i]) - mean) * scale })

		var total float64
		for _, v := range x {
			total += math.Exp(float64(v))
		}
		copy(dst, x)
		Softmax(dst)
		near("Softmax", dst, func(i int) float64 { return math.Exp(float64(x[i])) / total })
	}
	x := []float32{0, float32(math.Inf(-1)), 1000}
	Softmax(x)
	if x[0] != 0 || x[1] != 0 || x[2] != 1 {
		t.Errorf("Softmax of 0, -Inf, 1000 is %v", x)
	}
	Softmax(nil)
}
