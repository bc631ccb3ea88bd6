package quant

import "encoding/binary"

// dequantizers is indexed by the type's code. Each function decodes all blocks of src, little-endian as in the file,
// into dst; Dequantize has checked that the lengths agree.
var dequantizers = [...]func(dst []float32, src []byte){
	F32: dequantizeF32, F16: dequantizeF16, BF16: dequantizeBF16, F64: dequantizeF64,
	I8: dequantizeI8, I16: dequantizeI16, I32: dequantizeI32, I64: dequantizeI64,
	Q4_0: dequantizeQ4_0, Q4_1: dequantizeQ4_1, Q5_0: dequantizeQ5_0, Q5_1: dequantizeQ5_1,
	Q8_0: dequantizeQ8_0, Q8_1: dequantizeQ8_1, Q2_K: dequantizeQ2_K, Q3_K: dequantizeQ3_K,
	Q4_K: dequantizeQ4_K, Q5_K: dequantizeQ5_K, Q6_K: dequantizeQ6_K, Q8_K: dequantizeQ8_K,
	IQ1_S: dequantizeIQ1_S, IQ1_M: dequantizeIQ1_M, IQ2_XXS: dequantizeIQ2_XXS, IQ2_XS: dequantizeIQ2_XS,
	IQ2_S: dequantizeIQ2_S, IQ3_XXS: dequantizeIQ3_XXS, IQ3_S: dequantizeIQ3_S, IQ4_NL: dequantizeIQ4_NL,
	IQ4_XS: dequantizeIQ4_XS, TQ1_0: dequantizeTQ1_0, TQ2_0: dequantizeTQ2_0, MXFP4: dequantizeMXFP4,
	NVFP4: dequantizeNVFP4, Q1_0: dequantizeQ1_0, Q2_0: dequantizeQ2_0,
}

// Dequantize decodes packed blocks into numbers, bit for bit as ggml's to_float does. len(dst) must be a multiple of
// t.BlockElems and len(src) exactly t.Bytes(len(dst)); else, or when t is not live, it panics, since that is the
// caller's fault and not the file's. Any bytes are valid: the result may hold infinities and NaNs.
func Dequantize(t Type, dst []float32, src []byte) {
	if !t.Live() || len(dst)%t.BlockElems() != 0 || len(src) != t.Bytes(len(dst)) {
		panic("quant: Dequantize of " + t.String() + ": lengths of elements and bytes disagree")
	}
	dequantizers[t](dst, src)
}

var le = binary.LittleEndian
