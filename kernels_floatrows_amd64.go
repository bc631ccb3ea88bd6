//go:build !purego

package kernels

// rowsF16AVX512 is, k > 0 being a multiple of 16 and rows > 0:
//
//	for r := range rows {
//		dst[r] = genericDot(F16 of the row at w[2*k*r:], x[:k])
//	}
//
//go:noescape
func rowsF16AVX512(dst *float32, w *byte, x *float32, k, rows int)

// rowsBF16AVX512 is rowsF16AVX512 with BF16.
//
//go:noescape
func rowsBF16AVX512(dst *float32, w *byte, x *float32, k, rows int)

// halfMost is the most elements of rows that are multiplied one after the other: x and a row fit in the first cache.
const halfMost = 4096

// halfRows is the multiplication of rows of halves with one column by rows, where they are of no more than halfMost
// elements, and else by others.
func halfRows(rows func(dst *float32, w *byte, x *float32, k, rows int), others func(dst []float32, stride int, w []byte, x []float32, k int)) func(dst []float32, stride int, w []byte, x []float32, k int) {
	return func(dst []float32, stride int, w []byte, x []float32, k int) {
		n := 0
		if k > 0 {
			n = len(w) / (2 * k)
		}
		if len(x) != k || k%lanes != 0 || k > halfMost || n == 0 {
			others(dst, stride, w, x, k)
			return
		}
		rows(&dst[:n][0], &w[0], &x[0], k, n)
	}
}
