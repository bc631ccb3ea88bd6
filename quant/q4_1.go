package quant

// Q4_1: 32 elements in 20 bytes (ggml-common.h, block_q4_1).
//
//	0  d   binary16
//	2  m   binary16
//	4  qs  16 bytes: element i in the low half of byte i, element i+16 in the high half
//
// y = q*d + m

func dequantizeQ4_1(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[32:], src[20:] {
		d, m := half(src, 0), half(src, 2)
		for i, q := range src[4:20] {
			dst[i] = float32(float32(q&15)*d) + m
			dst[i+16] = float32(float32(q>>4)*d) + m
		}
	}
}
