package quant

// Q5_1: 32 elements in 24 bytes (ggml-common.h, block_q5_1).
//
//	0  d   binary16
//	2  m   binary16
//	4  qh  32 bits, little-endian: bit i is the fifth bit of element i
//	8  qs  16 bytes: low bits of element i in the low half of byte i, of element i+16 in the high half
//
// y = q*d + m

func dequantizeQ5_1(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[32:], src[24:] {
		d, m, high := half(src, 0), half(src, 2), le.Uint32(src[4:])
		for i, q := range src[8:24] {
			dst[i] = float32(float32(int(q&15)+int(high>>i&1)<<4)*d) + m
			dst[i+16] = float32(float32(int(q>>4)+int(high>>(i+16)&1)<<4)*d) + m
		}
	}
}
