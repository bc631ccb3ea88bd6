package kernels

import (
	"encoding/binary"
	"math"
)

// lanes is the number of accumulators of the float form: element i is added to lane i mod lanes.
const lanes = 16

// Dot is the dot product of a and b in the float form: 16 lanes, each float32(a*b) added in order, then the fixed tree.
// len(b) must be at least len(a); what is beyond it does not count.
func Dot(a, b []float32) float32 { return dot(a, b[:len(a)]) }

// Axpy adds a times x to dst: dst[i] = dst[i] + float32(a*x[i]). len(dst) must be at least len(x).
func Axpy(dst []float32, a float32, x []float32) { axpy(dst[:len(x)], a, x) }

// MulF32, MulF16 and MulBF16 multiply little-endian rows of k elements, w, with the columns of x, [columns][k]: for
// row r and column c, dst[c*stride+r] = Dot(row r, column c).
func MulF32(dst []float32, stride int, w []byte, x []float32, k int) {
	mulF32(dst, stride, w, x, k)
}

// MulF16 is MulF32 for IEEE 754 binary16 rows.
func MulF16(dst []float32, stride int, w []byte, x []float32, k int) {
	mulF16(dst, stride, w, x, k)
}

// MulBF16 is MulF32 for bfloat16 rows.
func MulBF16(dst []float32, stride int, w []byte, x []float32, k int) {
	mulBF16(dst, stride, w, x, k)
}

// tree adds the lanes in halves.
func tree(l *[lanes]float32) float32 {
	for half := lanes / 2; half > 0; half /= 2 {
		for j := range half {
			l[j] += l[j+half]
		}
	}
	return l[0]
}

func genericDot(a, b []float32) float32 {
	var l [lanes]float32
	for len(a) >= lanes && len(b) >= lanes {
		for j := range lanes {
			l[j] += float32(a[j] * b[j])
		}
		a, b = a[lanes:], b[lanes:]
	}
	for j, v := range a {
		l[j] += float32(v * b[j])
	}
	return tree(&l)
}

func genericAxpy(dst []float32, a float32, x []float32) {
	for i, v := range x {
		dst[i] += float32(a * v)
	}
}

func genericMulF32(dst []float32, stride int, w []byte, x []float32, k int) {
	mulFloat(dst, stride, w, x, k, 4, func(w []byte, x []float32, l *[lanes]float32) {
		for i, v := range x {
			l[i%lanes] += float32(math.Float32frombits(binary.LittleEndian.Uint32(w[4*i:])) * v)
		}
	})
}

func genericMulF16(dst []float32, stride int, w []byte, x []float32, k int) {
	mulFloat(dst, stride, w, x, k, 2, func(w []byte, x []float32, l *[lanes]float32) {
		for i, v := range x {
			l[i%lanes] += float32(F16(binary.LittleEndian.Uint16(w[2*i:])) * v)
		}
	})
}

func genericMulBF16(dst []float32, stride int, w []byte, x []float32, k int) {
	mulFloat(dst, stride, w, x, k, 2, func(w []byte, x []float32, l *[lanes]float32) {
		for i, v := range x {
			l[i%lanes] += float32(BF16(binary.LittleEndian.Uint16(w[2*i:])) * v)
		}
	})
}

// mulFloat calls add for every row and column. add takes the row's bytes, the column and the lanes to add to.
func mulFloat(dst []float32, stride int, w []byte, x []float32, k, size int, add func([]byte, []float32, *[lanes]float32)) {
	if k == 0 {
		return
	}
	rowBytes := k * size
	for c := 0; (c+1)*k <= len(x); c++ {
		for r := 0; (r+1)*rowBytes <= len(w); r++ {
			var l [lanes]float32
			add(w[r*rowBytes:(r+1)*rowBytes], x[c*k:(c+1)*k], &l)
			dst[c*stride+r] = tree(&l)
		}
	}
}
