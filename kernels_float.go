package kernels

import "sync"

// lanes is the number of accumulators of the float form: element i is added to lane i mod lanes.
const lanes = 16

// Dot is the dot product of a and b in the float form: 16 lanes, each float32(a*b) added in order, then the fixed tree.
// len(b) must be at least len(a); what is beyond it does not count.
func Dot(a, b []float32) float32 { return dot(a, b[:len(a)]) }

// Axpy adds a times x to dst: dst[i] = dst[i] + float32(a*x[i]). len(dst) must be at least len(x).
func Axpy(dst []float32, a float32, x []float32) { axpy(dst[:len(x)], a, x) }

// MulF32, MulF16 and MulBF16 multiply little-endian rows of k elements, w, with the columns of x, [columns][k]: for
// row r and column c, dst[c*stride+r] = Dot(row r, column c). Rows may lie at any address.
func MulF32(dst []float32, stride int, w []byte, x []float32, k int) { mulF32(dst, stride, w, x, k) }

// MulF16 is MulF32 for IEEE 754 binary16 rows.
func MulF16(dst []float32, stride int, w []byte, x []float32, k int) { mulF16(dst, stride, w, x, k) }

// MulBF16 is MulF32 for bfloat16 rows.
func MulBF16(dst []float32, stride int, w []byte, x []float32, k int) { mulBF16(dst, stride, w, x, k) }

// MulDecoded is MulF32 for rows of any kind, rowBytes each: decode writes the k elements of one row to dst, and each row
// is decoded once for all columns.
func MulDecoded(dst []float32, stride int, w []byte, rowBytes int, x []float32, k int, decode func(dst []float32, src []byte)) {
	mulRowsDecoded(dst, stride, w, rowBytes, x, k, decode)
}

func genericMulDecoded(dst []float32, stride int, w []byte, rowBytes int, x []float32, k int, decode func([]float32, []byte)) {
	mulDecoded(dst, stride, w, rowBytes, x, k, decode, genericDotColumns)
}

// rowBuffers holds decoded rows between calls, *[]float32.
var rowBuffers = sync.Pool{New: func() any { return new([]float32) }}

// mulDecoded is MulDecoded with the form of the products given: dotColumns(dst, stride, row, x) is, for every column c,
// dst[c*stride] = Dot(row, column c).
func mulDecoded(dst []float32, stride int, w []byte, rowBytes int, x []float32, k int, decode func([]float32, []byte), dotColumns func(dst []float32, stride int, row, x []float32)) {
	if rowBytes <= 0 || k <= 0 || len(x) < k {
		return
	}
	buffer := rowBuffers.Get().(*[]float32)
	defer rowBuffers.Put(buffer)
	*buffer = resize(*buffer, k)
	row := *buffer
	for r := 0; len(w) >= rowBytes; r, w = r+1, w[rowBytes:] {
		decode(row, w[:rowBytes])
		dotColumns(dst[r:], stride, row, x)
	}
}

func genericMulF32(dst []float32, stride int, w []byte, x []float32, k int) {
	mulDecoded(dst, stride, w, 4*k, x, k, genericDecodeF32, genericDotColumns)
}

func genericMulF16(dst []float32, stride int, w []byte, x []float32, k int) {
	mulDecoded(dst, stride, w, 2*k, x, k, genericDecodeF16, genericDotColumns)
}

func genericMulBF16(dst []float32, stride int, w []byte, x []float32, k int) {
	mulDecoded(dst, stride, w, 2*k, x, k, genericDecodeBF16, genericDotColumns)
}

func genericDotColumns(dst []float32, stride int, row, x []float32) {
	k := len(row)
	for c := 0; (c+1)*k <= len(x); c++ {
		dst[c*stride] = genericDot(row, x[c*k:(c+1)*k])
	}
}

func genericDot(a, b []float32) float32 {
	var l [lanes]float32
	n := len(a) / lanes * lanes
	dotLanes((*[lanes / 2]float32)(l[:]), a[:n], b[:n])
	dotLanes((*[lanes / 2]float32)(l[lanes/2:]), a[min(n, lanes/2):n], b[min(n, lanes/2):n])
	for j, v := range a[n:] {
		l[j] += float32(v * b[n+j])
	}
	return tree(&l)
}

// dotLanes adds to eight lanes the first eight elements of every sixteen. Half the lanes at a time, so that they stay in
// registers.
func dotLanes(l *[lanes / 2]float32, a, b []float32) {
	l0, l1, l2, l3, l4, l5, l6, l7 := l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7]
	for len(a) >= lanes/2 && len(b) >= lanes/2 {
		a8, b8 := (*[lanes / 2]float32)(a), (*[lanes / 2]float32)(b)
		l0 += float32(a8[0] * b8[0])
		l1 += float32(a8[1] * b8[1])
		l2 += float32(a8[2] * b8[2])
		l3 += float32(a8[3] * b8[3])
		l4 += float32(a8[4] * b8[4])
		l5 += float32(a8[5] * b8[5])
		l6 += float32(a8[6] * b8[6])
		l7 += float32(a8[7] * b8[7])
		a, b = a[min(lanes, len(a)):], b[min(lanes, len(b)):]
	}
	*l = [lanes / 2]float32{l0, l1, l2, l3, l4, l5, l6, l7}
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

func genericAxpy(dst []float32, a float32, x []float32) {
	for i, v := range x {
		dst[i] += float32(a * v)
	}
}
