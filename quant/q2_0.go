package quant

// Q2_0: 64 elements in 18 bytes (ggml-common.h, block_q2_0).
//
//	0  d   binary16
//	2  qs  16 bytes: element i is bits 2*(i mod 4) and up of byte i/4
//
// y = (q - 1) * d

func dequantizeQ2_0(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[64:], src[18:] {
		d := half(src, 0)
		levels := [4]float32{-1 * d, 0 * d, d, 2 * d}
		for i, q := range src[2:18] {
			y := (*[4]float32)(dst[4*i:])
			y[0], y[1], y[2], y[3] = levels[q&3], levels[q>>2&3], levels[q>>4&3], levels[q>>6]
		}
	}
}
