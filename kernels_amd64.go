//go:build !purego

package kernels

import (
	"unsafe"

	"github.com/klauspost/cpuid/v2"
)

// wide says that AVX-512 may be used for float rows.
var wide bool

func init() {
	if !cpuid.CPU.Supports(cpuid.AVX2, cpuid.F16C) {
		return
	}
	form = "avx2"
	mulRowsDecoded = mulDecodedNative
	dot, axpy = dotNative, axpyNative
	decodeF32, decodeF16, decodeBF16 = decodeF32Native, decodeF16Native, decodeBF16Native
	sum, softmax, siluMul, geluMul = sumNative, softmaxNative, siluMulNative, geluMulNative
	roundQ8, roundQ8K = roundQ8Native, roundQ8KNative
	mulF32, mulF16, mulBF16 = mulF32Native, mulF16Native, mulBF16Native
	mulQ4_0 = native8(1, 18, rows8Q4_0AVX2)
	mulQ4_1 = native8(1, 20, rows8Q4_1AVX2)
	mulQ5_0 = native8(1, 22, rows8Q5_0AVX2)
	mulQ5_1 = native8(1, 24, rows8Q5_1AVX2)
	mulQ8_0 = native8(1, 34, rows8Q8_0AVX2)
	mulIQ4_NL = native8(1, 18, rows8IQ4_NLAVX2)
	mulMXFP4 = native8(1, 17, rows8MXFP4AVX2)
	mulNVFP4 = native8(2, 36, rows8NVFP4AVX2)
	mulQ1_0 = native8(4, 18, rows8Q1_0AVX2)
	mulQ2_0 = native8(2, 18, rows8Q2_0AVX2)
	mulQ2_K = native8K(84, rows8Q2_KAVX2)
	mulQ3_K = native8K(110, rows8Q3_KAVX2)
	mulQ4_K = native8K(144, rows8Q4_KAVX2)
	mulQ5_K = native8K(176, rows8Q5_KAVX2)
	mulQ6_K = native8K(210, rows8Q6_KAVX2)
	mulIQ4_XS = native8K(136, rows8IQ4_XSAVX2)
	mulIQ1_S = nativeUnpacked(50, unpackIQ1_SAVX2)
	mulIQ1_M = nativeUnpacked(56, unpackIQ1_MAVX2)
	mulIQ2_XXS = nativeUnpacked(66, unpackIQ2_XXSAVX2)
	mulIQ2_XS = nativeUnpacked(74, unpackIQ2_XSAVX2)
	mulIQ2_S = nativeUnpacked(82, unpackIQ2_SAVX2)
	mulIQ3_XXS = nativeUnpacked(98, unpackIQ3_XXSAVX2)
	mulIQ3_S = nativeUnpacked(110, unpackIQ3_SAVX2)
	mulTQ1_0 = nativeUnpacked(54, unpackTQ1_0AVX2)
	mulTQ2_0 = nativeUnpacked(66, unpackTQ2_0AVX2)

	if cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512VL, cpuid.AVX512VNNI) {
		form = "avx512-vnni"
		wide = true
		mulQ4_0 = native8(1, 18, rows8Q4_0VNNI)
		mulQ4_1 = native8(1, 20, rows8Q4_1VNNI)
		mulQ5_0 = native8(1, 22, rows8Q5_0VNNI)
		mulQ5_1 = native8(1, 24, rows8Q5_1VNNI)
		mulIQ4_NL = native8(1, 18, rows8IQ4_NLVNNI)
		mulMXFP4 = native8(1, 17, rows8MXFP4VNNI)
		mulIQ4_XS = native8K(136, rows8IQ4_XSVNNI)

		mulQ4_0 = nativeTile(tileShape{1, 18, tileBlockBytes, 8}, tileQ4_0, mulTile4, mulQ4_0)
		mulQ8_0 = nativeTile(tileShape{1, 34, tileBlockBytes, 128}, tileQ8_0, mulTile4, mulQ8_0)
		mulQ5_0 = nativeTile(tileShape{1, 22, tileBlockBytes, 16}, tileQ5_0, mulTile4, mulQ5_0)
		mulIQ4_NL = nativeTile(tileShape{1, 18, tileBlockBytes, 128}, tileIQ4_NL, mulTile4, mulIQ4_NL)
		mulMXFP4 = nativeTile(tileShape{1, 17, tileBlockBytes, 12}, tileMXFP4, mulTile4, mulMXFP4)
		mulNVFP4 = nativeTile(tileShape{2, 36, tileTwoBytes, 12}, tileNVFP4, mulTileTwo4, mulNVFP4)
		mulQ4_1 = nativeTile(tileShape{1, 20, tileTwoBytes, 0}, tileQ4_1, mulTileSum4, mulQ4_1)
		mulQ5_1 = nativeTile(tileShape{1, 24, tileTwoBytes, 0}, tileQ5_1, mulTileSum4, mulQ5_1)
		mulQ1_0 = nativeTile(tileShape{4, 18, tileBlockBytes, 1}, tileQ1_0, mulTile4, mulQ1_0)
		mulQ2_0 = nativeTile(tileShape{2, 18, tileBlockBytes, 1}, tileQ2_0, mulTile4, mulQ2_0)
		mulQ2_K = nativeTileK(84, tileTwoMinBytes, 0, tileQ2_K, mulTileTwoMin4, mulQ2_K)
		mulQ3_K = nativeTileK(110, tileOffBytes, 4, tileQ3_K, mulTileOff4, mulQ3_K)
		mulQ5_K = nativeTileK(176, tileMinBytes, 0, tileQ5_K, mulTileMin4, mulQ5_K)
		mulIQ4_XS = nativeTileK(136, tileOffBytes, 128, tileIQ4_XS, mulTileOff4, mulIQ4_XS)
		mulQ4_K = nativeTileK(144, tileMinBytes, 0, tileQ4_K, mulTileMin4, mulQ4_K)
		mulQ6_K = nativeTileK(210, tileOffBytes, 32, tileQ6_K, mulTileOff4, mulQ6_K)
	}
}

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
	if !mulDecodedTile(dst, stride, w, rowBytes, x, k, decode) {
		mulDecoded(dst, stride, w, rowBytes, x, k, decode, dotColumnsNative)
	}
}

// mulFloatNative multiplies one column with the packed rows directly; for several it decodes a row once.
func mulFloatNative(dst []float32, stride int, w []byte, rowBytes int, x []float32, k int, decode func([]float32, []byte), dot1 func(w *byte, x *float32, n int) float32) {
	if mulDecodedTile(dst, stride, w, rowBytes, x, k, decode) {
		return
	}
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
