package kernels

// The forms in use. A platform's file replaces those it can do faster when the program starts; nothing changes them
// later, so they need no lock.
var (
	form = "generic"

	dot  = genericDot
	axpy = genericAxpy

	add          = genericAdd
	scale        = genericScale
	scaleBy      = genericScaleBy
	shift        = genericShift
	rotateHalves = genericRotateHalves
	rotatePairs  = genericRotatePairs

	decodeF32  = genericDecodeF32
	decodeF16  = genericDecodeF16
	decodeBF16 = genericDecodeBF16
	encodeF16  = genericEncodeF16

	sum     = genericSum
	softmax = genericSoftmax
	siluMul = genericSiLUMul
	geluMul = genericGELUMul

	roundQ8  = genericRoundQ8
	roundQ8K = genericRoundQ8K

	mulRowsDecoded = genericMulDecoded

	mulF32  = genericMulF32
	mulF16  = genericMulF16
	mulBF16 = genericMulBF16

	dots   = genericDots
	mix    = genericMix
	mixF16 = genericMixF16

	mulQ4_0   = genericMulQ4_0
	mulQ4_1   = genericMulQ4_1
	mulQ5_0   = genericMulQ5_0
	mulQ5_1   = genericMulQ5_1
	mulQ8_0   = genericMulQ8_0
	mulIQ4_NL = genericMulIQ4_NL
	mulMXFP4  = genericMulMXFP4
	mulNVFP4  = genericMulNVFP4
	mulQ1_0   = genericMulQ1_0
	mulQ2_0   = genericMulQ2_0

	mulQ2_K   = genericMulQ2_K
	mulQ3_K   = genericMulQ3_K
	mulQ4_K   = genericMulQ4_K
	mulQ5_K   = genericMulQ5_K
	mulQ6_K   = genericMulQ6_K
	mulIQ4_XS = genericMulIQ4_XS

	mulIQ1_S   = genericMulIQ1_S
	mulIQ1_M   = genericMulIQ1_M
	mulIQ2_XXS = genericMulIQ2_XXS
	mulIQ2_XS  = genericMulIQ2_XS
	mulIQ2_S   = genericMulIQ2_S
	mulIQ3_XXS = genericMulIQ3_XXS
	mulIQ3_S   = genericMulIQ3_S
	mulTQ1_0   = genericMulTQ1_0
	mulTQ2_0   = genericMulTQ2_0
)

// Name says which form of the kernels is in use: "generic", "avx2", ...
func Name() string { return form }
