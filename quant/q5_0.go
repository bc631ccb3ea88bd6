package quant

// Q5_0: 32 elements in 22 bytes (ggml-common.h, block_q5_0).
//
//	0  d   binary16
//	2  qh  32 bits, little-endian: bit i is the fifth bit of element i
//	6  qs  16 bytes: low bits of element i in the low half of byte i, of element i+16 in the high half
//
// y = (q - 16) * d

func dequantizeQ5_0(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[32:], src[22:] {
		d, high := half(src, 0), le.Uint32(src[2:])
		for i, q := range src[6:22] {
			dst[i] = float32(int(q&15)+int(high>>i&1)<<4-16) * d
			dst[i+16] = float32(int(q>>4)+int(high>>(i+16)&1)<<4-16) * d
		}
	}
}
