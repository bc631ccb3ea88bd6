package quant

// Q4_0: 32 elements in 18 bytes (ggml-common.h, block_q4_0).
//
//	0  d   binary16
//	2  qs  16 bytes: element i in the low half of byte i, element i+16 in the high half
//
// y = (q - 8) * d

func dequantizeQ4_0(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[32:], src[18:] {
		d := half(src, 0)
		for i, q := range src[2:18] {
			dst[i] = float32(int(q&15)-8) * d
			dst[i+16] = float32(int(q>>4)-8) * d
		}
	}
}
