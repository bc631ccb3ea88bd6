//go:build !purego

package kernels

import "unsafe"

func init() {
	dot, axpy = dotNative, axpyNative
	decodeF32, decodeF16 = decodeF32Native, decodeF16Native
	mulRowsDecoded = mulDecodedNative
	mulF32, mulF16, mulBF16 = mulF32Native, mulF16Native, mulBF16Native
	dots, mix, mixF16 = dotsNative, mixNative, mixF16Native
}

// dotNEON is genericDot for n elements, a multiple of 16:
//
//	for i := range n {
//		l[i%16] += float32(a[i] * b[i])
//	}
//	return tree(&l)
//
//go:noescape
func dotNEON(a, b *float32, n int) float32

// axpyNEON is, n being a multiple of 4:
//
//	for i := range n {
//		dst[i] += float32(a * x[i])
//	}
//
//go:noescape
func axpyNEON(dst *float32, a float32, x *float32, n int)

// decodeF16NEON is, n being a multiple of 8:
//
//	for i := range n {
//		dst[i] = F16(src[2*i:])
//	}
//
//go:noescape
func decodeF16NEON(dst *float32, src *byte, n int)

func dotNative(a, b []float32) float32 {
	if len(a)%lanes != 0 || len(a) == 0 {
		return genericDot(a, b)
	}
	return dotNEON(&a[0], &b[0], len(a))
}

func axpyNative(dst []float32, a float32, x []float32) {
	n := len(x) &^ 3
	if n > 0 {
		axpyNEON(&dst[0], a, &x[0], n)
	}
	genericAxpy(dst[n:], a, x[n:])
}

func decodeF16Native(dst []float32, src []byte) {
	n := len(dst) &^ 7
	if n > 0 {
		decodeF16NEON(&dst[0], &src[0], n)
	}
	genericDecodeF16(dst[n:], src[2*n:])
}

// decodeF32Native copies: the bytes of a float32 lie in memory as in a file.
func decodeF32Native(dst []float32, src []byte) {
	if len(dst) > 0 {
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&dst[0])), 4*len(dst)), src)
	}
}

func mulF32Native(dst []float32, stride int, w []byte, x []float32, k int) {
	mulDecodedNative(dst, stride, w, 4*k, x, k, decodeF32Native)
}

func mulF16Native(dst []float32, stride int, w []byte, x []float32, k int) {
	mulDecodedNative(dst, stride, w, 2*k, x, k, decodeF16Native)
}

func mulBF16Native(dst []float32, stride int, w []byte, x []float32, k int) {
	mulDecodedNative(dst, stride, w, 2*k, x, k, genericDecodeBF16)
}

func mulDecodedNative(dst []float32, stride int, w []byte, rowBytes int, x []float32, k int, decode func([]float32, []byte)) {
	mulDecoded(dst, stride, w, rowBytes, x, k, decode, dotColumnsNative)
}

// dotColumnsNative is genericDotColumns.
func dotColumnsNative(dst []float32, stride int, row, x []float32) {
	k := len(row)
	for c := 0; (c+1)*k <= len(x); c++ {
		dst[c*stride] = dotNative(row, x[c*k:(c+1)*k])
	}
}

func dotsNative(dst []float32, stride int, rows, x []float32, k int) {
	for r := 0; (r+1)*k <= len(rows); r++ {
		dotColumnsNative(dst[r:], stride, rows[r*k:(r+1)*k], x)
	}
}

func mixNative(dst, weights []float32, stride int, values []float32, dim int) {
	for i := 0; (i+1)*dim <= len(dst); i++ {
		for j := 0; (j+1)*dim <= len(values); j++ {
			axpyNative(dst[i*dim:(i+1)*dim], weights[i*stride+j], values[j*dim:(j+1)*dim])
		}
	}
}

func mixF16Native(dst, weights []float32, stride int, values []byte, dim int) {
	mixDecoded(dst, weights, stride, values, dim, decodeF16Native, axpyNative)
}
