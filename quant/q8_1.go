package quant

// Q8_1: 32 elements in 36 bytes (ggml-common.h, block_q8_1). ggml has it for activations and never reads it back.
//
//	0  d   binary16
//	2  s   binary16: d times the sum of the elements, not needed here
//	4  qs  32 int8
//
// y = q * d

func dequantizeQ8_1(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[32:], src[36:] {
		d := half(src, 0)
		for i, q := range src[4:36] {
			dst[i] = float32(int8(q)) * d
		}
	}
}
