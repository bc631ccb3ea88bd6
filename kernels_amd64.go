//go:build !purego

package kernels

import "unsafe"

// dotAVX2 is genericDot for n elements, a multiple of 16:
//
//	for i := range n {
//		l[i%16] += float32(a[i] * b[i])
//	}
//	return tree(&l)
//
//go:noescape
func dotAVX2(a, b *float32, n int) float32

// dotF16AVX2 is dotAVX2 with F16(w[i]) for a[i].
//
//go:noescape
func dotF16AVX2(w *byte, x *float32, n int) float32

// dotBF16AVX2 is dotAVX2 with BF16(w[i]) for a[i].
//
//go:noescape
func dotBF16AVX2(w *byte, x *float32, n int) float32

// dot4AVX2 is four dot products with the same a, n a multiple of 16:
//
//	for c := range 4 {
//		dst[c] = genericDot(a[:n], b[c*stride:][:n])
//	}
//
//go:noescape
func dot4AVX2(dst *[4]float32, a, b *float32, stride, n int)

// axpyAVX2 is, n being a multiple of 8:
//
//	for i := range n {
//		dst[i] += float32(a * x[i])
//	}
//
//go:noescape
func axpyAVX2(dst *float32, a float32, x *float32, n int)

// decodeF16AVX2 is, n being a multiple of 8:
//
//	for i := range n {
//		dst[i] = F16(src[2*i:])
//	}
//
//go:noescape
func decodeF16AVX2(dst *float32, src *byte, n int)

// decodeBF16AVX2 is decodeF16AVX2 with BF16.
//
//go:noescape
func decodeBF16AVX2(dst *float32, src *byte, n int)

func dotNative(a, b []float32) float32 {
	if len(a)%lanes != 0 || len(a) == 0 {
		return genericDot(a, b)
	}
	return dotAVX2(&a[0], &b[0], len(a))
}

func axpyNative(dst []float32, a float32, x []float32) {
	n := len(x) &^ 7
	if n > 0 {
		axpyAVX2(&dst[0], a, &x[0], n)
	}
	genericAxpy(dst[n:], a, x[n:])
}

func decodeF16Native(dst []float32, src []byte) {
	n := len(dst) &^ 7
	if n > 0 {
		decodeF16AVX2(&dst[0], &src[0], n)
	}
	genericDecodeF16(dst[n:], src[2*n:])
}

func decodeBF16Native(dst []float32, src []byte) {
	n := len(dst) &^ 7
	if n > 0 {
		decodeBF16AVX2(&dst[0], &src[0], n)
	}
	genericDecodeBF16(dst[n:], src[2*n:])
}

// decodeF32Native copies: the bytes of a float32 lie in memory as in a file.
func decodeF32Native(dst []float32, src []byte) {
	if len(dst) > 0 {
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&dst[0])), 4*len(dst)), src)
	}
}

func mulF32Native(dst []float32, stride int, w []byte, x []float32, k int) {
	mulFloatNative(dst, stride, w, 4*k, x, k, DecodeF32, func(w *byte, x *float32, n int) float32 {
		return dotAVX2((*float32)(unsafe.Pointer(w)), x, n)
	})
}

func mulF16Native(dst []float32, stride int, w []byte, x []float32, k int) {
	mulFloatNative(dst, stride, w, 2*k, x, k, DecodeF16, dotF16AVX2)
}

func mulBF16Native(dst []float32, stride int, w []byte, x []float32, k int) {
	mulFloatNative(dst, stride, w, 2*k, x, k, DecodeBF16, dotBF16AVX2)
}

// mulDecodedNative is MulDecoded.
func mulDecodedNative(dst []float32, stride int, w []byte, rowBytes int, x []float32, k int, decode func([]float32, []byte)) {
	mulDecoded(dst, stride, w, rowBytes, x, k, decode, dotColumnsNative)
}

// mulFloatNative multiplies one column with the packed rows directly; for several it decodes a row once.
func mulFloatNative(dst []float32, stride int, w []byte, rowBytes int, x []float32, k int, decode func([]float32, []byte), dot1 func(w *byte, x *float32, n int) float32) {
	if k <= 0 || k%lanes != 0 || len(x) >= 2*k {
		mulDecoded(dst, stride, w, rowBytes, x, k, decode, dotColumnsNative)
		return
	}
	if len(x) < k {
		return
	}
	for r := range len(w) / rowBytes {
		dst[r] = dot1(&w[r*rowBytes], &x[0], k)
	}
}

func dotsNative(dst []float32, stride int, rows, x []float32, k int) {
	for r := 0; (r+1)*k <= len(rows); r++ {
		dotColumnsNative(dst[r:], stride, rows[r*k:(r+1)*k], x)
	}
}

// dotColumnsNative is dotColumns, four columns at a time.
func dotColumnsNative(dst []float32, stride int, row, x []float32) {
	k, c := len(row), 0
	if k%lanes == 0 && k > 0 {
		var four [4]float32
		for ; (c+4)*k <= len(x); c += 4 {
			dot4AVX2(&four, &row[0], &x[c*k], k, k)
			for j, v := range four {
				dst[(c+j)*stride] = v
			}
		}
	}
	for ; (c+1)*k <= len(x); c++ {
		dst[c*stride] = dotNative(row, x[c*k:(c+1)*k])
	}
}
