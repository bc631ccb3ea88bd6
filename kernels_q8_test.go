package kernels

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestRoundEven(t *testing.T) {
	for v, want := range map[float32]int32{0: 0, 0.5: 0, 1.5: 2, 2.5: 2, -0.5: 0, -1.5: -2, 126.5: 126, 127.4: 127, -127: -127, 0.50001: 1} {
		if got := roundEven(v); got != want {
			t.Errorf("roundEven(%v) = %d, want %d", v, got, want)
		}
	}
}

func TestActivationsAreRounded(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	x := make([]float32, 3*512)
	for i := range x {
		x[i] = float32(r.NormFloat64() * math.Exp(r.NormFloat64()*3))
	}
	var q8 Q8
	var q8k Q8K
	q8.Set(x, 512)
	q8k.Set(x, 512)
	if q8.Columns() != 3 || q8k.Columns() != 3 {
		t.Fatalf("%d and %d columns, want 3", q8.Columns(), q8k.Columns())
	}
	for i, v := range x {
		d, dk := q8.D[i/32], q8k.D[i/256]
		if e := math.Abs(float64(v) - float64(d)*float64(q8.Q[i])); e > 0.50001*float64(d) {
			t.Fatalf("Q8: %v is %v * %d", v, d, q8.Q[i])
		}
		if e := math.Abs(float64(v) - float64(dk)*float64(q8k.Q[i])); e > 0.50001*float64(dk) {
			t.Fatalf("Q8K: %v is %v * %d", v, dk, q8k.Q[i])
		}
	}
	for b, want := range q8.Sum {
		sum := int32(0)
		for _, v := range q8.Q[32*b : 32*b+32] {
			sum += int32(v)
		}
		if sum != want {
			t.Fatalf("sum of block %d is %d, want %d", b, want, sum)
		}
	}
	for b, want := range q8k.Sums {
		sum := int16(0)
		for _, v := range q8k.Q[16*b : 16*b+16] {
			sum += int16(v)
		}
		if sum != want {
			t.Fatalf("sum of sixteen %d is %d, want %d", b, want, sum)
		}
	}
}

func TestOddActivations(t *testing.T) {
	for _, c := range []struct {
		name  string
		value float32 // the block's largest
		d     float32
		q     int8
	}{
		{"zero", 0, 0, 0},
		{"subnormal", 0x1p-140, 0, 0},
		{"just below the smallest", math.Nextafter32(0x1p-118, 0), 0, 0},
		{"smallest", 0x1p-118, 0x1p-118 / 127, 127},
		{"largest", math.MaxFloat32, math.MaxFloat32 / 127, 127},
		{"negative", -254, 2, -127},
		{"NaN", float32(math.NaN()), float32(math.NaN()), 0},
		{"infinity", float32(math.Inf(-1)), float32(math.NaN()), 0},
	} {
		x := make([]float32, 256)
		x[100] = c.value
		var q8 Q8
		var q8k Q8K
		q8.Set(x, 256)
		q8k.Set(x, 256)
		for form, got := range map[string]struct {
			d float32
			q int8
		}{"Q8": {q8.D[3], q8.Q[100]}, "Q8K": {q8k.D[0], q8k.Q[100]}} {
			if got.q != c.q || !sameBits(got.d, c.d) {
				t.Errorf("%s, %s: %v * %d, want %v * %d", c.name, form, got.d, got.q, c.d, c.q)
			}
		}
	}
}

// A buffer that is reused for fewer columns keeps nothing of the earlier ones.
func TestActivationsAreReused(t *testing.T) {
	x := make([]float32, 512)
	for i := range x {
		x[i] = float32(i)
	}
	var a, fresh Q8K
	a.Set(x, 256)
	a.Set(x[256:], 256)
	fresh.Set(x[256:], 256)
	if a.Columns() != 1 || a.D[0] != fresh.D[0] || a.Sums[15] != fresh.Sums[15] || len(a.Sums) != 16 {
		t.Errorf("reused %v %v, fresh %v %v", a.D, a.Sums, fresh.D, fresh.Sums)
	}
}

// sameBits is equality of bits, any NaN being equal to any other.
func sameBits(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}
