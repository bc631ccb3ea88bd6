package kernels

import "math"

// Q8 is activations rounded to int8 in blocks of 32, several columns of one length.
type Q8 struct {
	K   int       // length of a column, a multiple of 32
	Q   []int8    // [columns][K]
	D   []float32 // [columns][K/32] scale of each block: x ≈ D*Q
	Sum []int32   // [columns][K/32] sum of each block's Q
}

// Q8K is activations rounded to int8 in blocks of 256, several columns of one length.
type Q8K struct {
	K    int       // length of a column, a multiple of 256
	Q    []int8    // [columns][K]
	D    []float32 // [columns][K/256] scale of each block: x ≈ D*Q
	Sums []int16   // [columns][K/16] sum of each 16 of Q
}

// Columns is the number of columns.
func (a *Q8) Columns() int { return columns(len(a.Q), a.K) }

// Columns is the number of columns.
func (a *Q8K) Columns() int { return columns(len(a.Q), a.K) }

func columns(n, k int) int {
	if k == 0 {
		return 0
	}
	return n / k
}

// Set rounds x, [columns][k], into a, reusing its memory. k must be a multiple of 32.
//
// A block's scale is D = amax/127, amax its largest magnitude, and Q = round to even(x * (127/amax)), all in float32, so
// -127 <= Q <= 127. A block with amax below 2^-118, where 127/amax would overflow, is zero (D and Q). A block with an
// infinity or a NaN has D = NaN and Q = 0, so that whatever is multiplied with it becomes NaN.
func (a *Q8) Set(x []float32, k int) {
	a.K = k
	a.Q = resize(a.Q, len(x))
	a.D = resize(a.D, len(x)/32)
	a.Sum = resize(a.Sum, len(x)/32)
	roundQ8(a, x)
}

func genericRoundQ8(a *Q8, x []float32) {
	for b := range a.D {
		q := a.Q[32*b : 32*b+32]
		a.D[b] = roundBlock(q, x[32*b:32*b+32])
		sum := int32(0)
		for _, v := range q {
			sum += int32(v)
		}
		a.Sum[b] = sum
	}
}

// Set rounds x, [columns][k], into a, reusing its memory, by the rule of Q8.Set over blocks of 256. k must be a multiple
// of 256.
func (a *Q8K) Set(x []float32, k int) {
	a.K = k
	a.Q = resize(a.Q, len(x))
	a.D = resize(a.D, len(x)/256)
	a.Sums = resize(a.Sums, len(x)/16)
	roundQ8K(a, x)
}

func genericRoundQ8K(a *Q8K, x []float32) {
	for b := range a.D {
		a.D[b] = roundBlock(a.Q[256*b:256*b+256], x[256*b:256*b+256])
	}
	for b := range a.Sums {
		sum := int16(0)
		for _, v := range a.Q[16*b : 16*b+16] {
			sum += int16(v)
		}
		a.Sums[b] = sum
	}
}

// roundBlock rounds one block x into q and returns its scale, by the rule of Q8.Set.
func roundBlock(q []int8, x []float32) float32 {
	top := uint32(0) // largest magnitude as bits, which order like the numbers; a NaN is above infinity
	for _, v := range x {
		top = max(top, math.Float32bits(v)&0x7fffffff)
	}
	amax := math.Float32frombits(top)
	if top >= 0x7f800000 || amax < 0x1p-118 {
		clear(q)
		if top >= 0x7f800000 {
			return float32(math.NaN())
		}
		return 0
	}
	scale := 127 / amax
	for i, v := range x {
		q[i] = int8(roundEven(float32(v * scale)))
	}
	return amax / 127
}

// roundEven is the integer nearest to v, |v| < 2^22, ties to even: adding 1.5*2^23 leaves no bits for a fraction.
func roundEven(v float32) int32 {
	return int32(math.Float32bits(v+0x1.8p23)) - 0x4b400000
}

// resize is a slice of length n, s itself where its capacity allows. Its contents are not cleared.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
