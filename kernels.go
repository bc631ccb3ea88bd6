package kernels

// The forms in use. A platform's file replaces those it can do faster when the program starts; nothing changes them
// later, so they need no lock.
var (
	form = "generic"

	dot  = genericDot
	axpy = genericAxpy

	mulF32  = genericMulF32
	mulF16  = genericMulF16
	mulBF16 = genericMulBF16

	mulQ8_0 = genericMulQ8_0
)

// Name says which form of the kernels is in use: "generic", "avx2", ...
func Name() string { return form }
