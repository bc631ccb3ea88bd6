package quant

import kernels "straw"

// The multiplications of packed rows that need no dequantized row, indexed by the type's code.
var (
	mulQ8 = [...]func(dst []float32, stride int, w []byte, x *kernels.Q8){
		Q4_0: kernels.MulQ4_0, Q4_1: kernels.MulQ4_1, Q5_0: kernels.MulQ5_0, Q5_1: kernels.MulQ5_1,
		Q8_0: kernels.MulQ8_0, IQ4_NL: kernels.MulIQ4_NL, MXFP4: kernels.MulMXFP4, NVFP4: kernels.MulNVFP4,
		Q1_0: kernels.MulQ1_0, Q2_0: kernels.MulQ2_0,
	}
	mulQ8K = [...]func(dst []float32, stride int, w []byte, x *kernels.Q8K){
		Q2_K: kernels.MulQ2_K, Q3_K: kernels.MulQ3_K, Q4_K: kernels.MulQ4_K, Q5_K: kernels.MulQ5_K,
		Q6_K: kernels.MulQ6_K, IQ4_XS: kernels.MulIQ4_XS, IQ1_S: kernels.MulIQ1_S, IQ1_M: kernels.MulIQ1_M,
		IQ2_XXS: kernels.MulIQ2_XXS, IQ2_XS: kernels.MulIQ2_XS, IQ2_S: kernels.MulIQ2_S, IQ3_XXS: kernels.MulIQ3_XXS,
		IQ3_S: kernels.MulIQ3_S, TQ1_0: kernels.MulTQ1_0, TQ2_0: kernels.MulTQ2_0,
	}
)

// MulRows multiplies packed rows with activations: w holds rows of k elements of type t, and for every row r and every
// column c of a, dst[c*stride+r] = row r · column c. The arithmetic is that of package kernels; types with FormF32 have
// the result kernels.Dot gives for the dequantized row. Each result depends on its row and column alone, so rows and
// columns may be cut up in any way. Calls with disjoint parts of dst may run at the same time.
//
// a must be in t.Form() with columns of length k, k a multiple of t.BlockElems and len(w) whole rows; else MulRows
// panics. The bytes themselves may be anything.
func MulRows(dst []float32, stride int, t Type, w []byte, k int, a *Activations) {
	if !t.Live() || k <= 0 || k != a.k || k%t.BlockElems() != 0 || len(w)%t.Bytes(k) != 0 || a.form != t.Form() {
		panic("quant: MulRows of " + t.String() + ": rows and activations do not fit")
	}
	switch a.form {
	case FormQ8:
		mulQ8[t](dst, stride, w, &a.q8)
	case FormQ8K:
		mulQ8K[t](dst, stride, w, &a.q8k)
	default:
		switch t {
		case F32:
			kernels.MulF32(dst, stride, w, a.f32, k)
		case F16:
			kernels.MulF16(dst, stride, w, a.f32, k)
		case BF16:
			kernels.MulBF16(dst, stride, w, a.f32, k)
		default:
			kernels.MulDecoded(dst, stride, w, t.Bytes(k), a.f32, k, dequantizers[t])
		}
	}
}
