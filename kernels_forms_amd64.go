//go:build !purego

package kernels

import "github.com/klauspost/cpuid/v2"

// wide says that AVX-512 may be used.
var wide bool

func init() {
	if !cpuid.CPU.Supports(cpuid.AVX2, cpuid.F16C) {
		return
	}
	useAVX2()
	if cpuid.CPU.Supports(cpuid.BMI2, cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512VL, cpuid.AVX512VNNI) {
		useVNNI()
	}
}

func useAVX2() {
	form = "avx2"
	mulRowsDecoded = mulDecodedNative
	dot, axpy = dotNative, axpyNative
	add, scale, scaleBy, shift = addNative, scaleNative, scaleByNative, shiftNative
	rotateHalves, rotatePairs = rotateHalvesNative, rotatePairsNative
	encodeF16 = encodeF16Native
	decodeF32, decodeF16, decodeBF16 = decodeF32Native, decodeF16Native, decodeBF16Native
	sum, softmax, siluMul, geluMul = sumNative, softmaxNative, siluMulNative, geluMulNative
	roundQ8, roundQ8K = roundQ8Native, roundQ8KNative
	mulF32, mulF16, mulBF16 = mulF32Native, mulF16Native, mulBF16Native
	dots, mix, mixF16 = dotsNative, mixAVX2, mixF16AVX2
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
}

// useVNNI replaces forms that useAVX2 has set: first those of one column, which tiles then have for few columns.
func useVNNI() {
	form = "avx512-vnni"
	wide = true
	softmax, siluMul, geluMul = softmaxWide, siluMulWide, geluMulWide
	mulRowsDecoded = mulDecodedAVX512
	mulF32, mulF16, mulBF16 = mulF32AVX512, mulF16AVX512, mulBF16AVX512
	dots, mix, mixF16 = dotsAVX512, mixAVX512, mixF16AVX512
	mulF16, mulBF16 = halfRows(rowsF16AVX512, mulF16), halfRows(rowsBF16AVX512, mulBF16)
	mulQ8_0 = nativePairs(34, linearQ8_0VNNI, native8(1, 34, rows8Q8_0AVX2))
	mulQ4_0 = nativePairs(18, linearQ4_0VNNI, native8(1, 18, rows8Q4_0VNNI))
	mulQ4_1 = nativePairs(20, linearQ4_1VNNI, native8(1, 20, rows8Q4_1VNNI))
	mulQ5_0 = nativePairs(22, linearQ5_0VNNI, native8(1, 22, rows8Q5_0VNNI))
	mulQ5_1 = native8(1, 24, rows8Q5_1VNNI)
	mulIQ4_NL = nativePairs(18, linearIQ4_NLVNNI, native8(1, 18, rows8IQ4_NLVNNI))
	mulMXFP4 = native8(1, 17, rows8MXFP4VNNI)
	mulQ4_K = nativeLinearK(144, linearQ4_KVNNI, native8K(144, rows8Q4_KVNNI))
	mulQ5_K = nativeLinearK(176, linearQ5_KVNNI, native8K(176, rows8Q5_KAVX2))
	mulQ6_K = nativeLinearK(210, linearQ6_KVNNI, native8K(210, rows8Q6_KAVX2))
	mulIQ4_XS = native8K(136, rows8IQ4_XSVNNI)

	mulQ4_0 = nativeTile(tileShape{1, 18, tileBlockBytes, 8}, tileQ4_0, mulTileAny, mulQ4_0)
	mulQ4_1 = nativeTile(tileShape{1, 20, tileTwoBytes, 0}, tileQ4_1, mulTileSumAny, mulQ4_1)
	mulQ5_0 = nativeTile(tileShape{1, 22, tileBlockBytes, 16}, tileQ5_0, mulTileAny, mulQ5_0)
	mulQ5_1 = nativeTile(tileShape{1, 24, tileTwoBytes, 0}, tileQ5_1, mulTileSumAny, mulQ5_1)
	mulQ8_0 = nativeTile(tileShape{1, 34, tileBlockBytes, 128}, tileQ8_0, mulTileAny, mulQ8_0)
	mulIQ4_NL = nativeTile(tileShape{1, 18, tileBlockBytes, 128}, tileIQ4_NL, mulTileAny, mulIQ4_NL)
	mulMXFP4 = nativeTile(tileShape{1, 17, tileBlockBytes, 12}, tileMXFP4, mulTileAny, mulMXFP4)
	mulNVFP4 = nativeTile(tileShape{2, 36, tileTwoBytes, 12}, tileNVFP4, mulTileTwoAny, mulNVFP4)
	mulQ1_0 = nativeTile(tileShape{4, 18, tileBlockBytes, 1}, tileQ1_0, mulTileAny, mulQ1_0)
	mulQ2_0 = nativeTile(tileShape{2, 18, tileBlockBytes, 1}, tileQ2_0, mulTileAny, mulQ2_0)
	mulQ2_K = nativeTileK(84, tileTwoMinBytes, 0, tileQ2_K, mulTileTwoMinAny, mulQ2_K)
	mulQ3_K = nativeTileK(110, tileOffBytes, 4, tileQ3_K, mulTileOffAny, mulQ3_K)
	mulQ4_K = nativeTileK(144, tileMinBytes, 0, tileQ4_K, mulTileMinAny, mulQ4_K)
	mulQ5_K = nativeTileK(176, tileMinBytes, 0, tileQ5_K, mulTileMinAny, mulQ5_K)
	mulQ6_K = nativeTileK(210, tileOffBytes, 32, tileQ6_K, mulTileOffAny, mulQ6_K)
	mulIQ4_XS = nativeTileK(136, tileOffBytes, 128, tileIQ4_XS, mulTileOffAny, mulIQ4_XS)
}
