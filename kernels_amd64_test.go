//go:build !purego

package kernels

import "github.com/klauspost/cpuid/v2"

// Forms that better ones replace where there is AVX-512, for any number of columns.
func init() {
	if !cpuid.CPU.Supports(cpuid.AVX2, cpuid.F16C) {
		return
	}
	rows := func(name string, groups, elems, bytes int, kernel rows8, generic func([]float32, int, []byte, *Q8)) {
		shadowed = append(shadowed, packed{name + " AVX2", elems, bytes, onQ8(native8(groups, bytes, kernel)), onQ8(generic)})
	}
	rows("Q4_0", 1, 32, 18, rows8Q4_0AVX2, genericMulQ4_0)
	rows("Q4_1", 1, 32, 20, rows8Q4_1AVX2, genericMulQ4_1)
	rows("Q5_0", 1, 32, 22, rows8Q5_0AVX2, genericMulQ5_0)
	rows("Q5_1", 1, 32, 24, rows8Q5_1AVX2, genericMulQ5_1)
	rows("Q8_0", 1, 32, 34, rows8Q8_0AVX2, genericMulQ8_0)
	rows("IQ4_NL", 1, 32, 18, rows8IQ4_NLAVX2, genericMulIQ4_NL)
	rows("MXFP4", 1, 32, 17, rows8MXFP4AVX2, genericMulMXFP4)
	rows("NVFP4", 2, 64, 36, rows8NVFP4AVX2, genericMulNVFP4)
	rows("Q1_0", 4, 128, 18, rows8Q1_0AVX2, genericMulQ1_0)
	rows("Q2_0", 2, 64, 18, rows8Q2_0AVX2, genericMulQ2_0)
	rowsK := func(name string, bytes int, kernel rows8K, generic func([]float32, int, []byte, *Q8K)) {
		shadowed = append(shadowed, packed{name + " AVX2", 256, bytes, onQ8K(native8K(bytes, kernel)), onQ8K(generic)})
	}
	rowsK("Q2_K", 84, rows8Q2_KAVX2, genericMulQ2_K)
	rowsK("Q3_K", 110, rows8Q3_KAVX2, genericMulQ3_K)
	rowsK("Q4_K", 144, rows8Q4_KAVX2, genericMulQ4_K)
	rowsK("Q5_K", 176, rows8Q5_KAVX2, genericMulQ5_K)
	rowsK("Q6_K", 210, rows8Q6_KAVX2, genericMulQ6_K)
	rowsK("IQ4_XS", 136, rows8IQ4_XSAVX2, genericMulIQ4_XS)
}

func init() {
	if wide {
		shadowedAttention = append(shadowedAttention, attentionForms{"avx2", dotsNative, mixAVX2, mixF16AVX2})
		shadowedFunctions = append(shadowedFunctions, struct {
			name             string
			softmax          func(x []float32)
			siluMul, geluMul func(dst, gate, up []float32)
		}{"avx2", softmaxNative, siluMulNative, geluMulNative})
	}
}
