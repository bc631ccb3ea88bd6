package quant

// Q8_0: 32 elements in 34 bytes (ggml-common.h, block_q8_0).
//
//	0  d   binary16
//	2  qs  32 int8
//
// y = q * d

func dequantizeQ8_0(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[32:], src[34:] {
		d := half(src, 0)
		for i, q := range src[2:34] {
			dst[i] = float32(int8(q)) * d
		}
	}
}
