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
		for i := range 64 {
			dst[i] = float32(int(src[2+i/4]>>(i%4*2)&3)-1) * d
		}
	}
}
