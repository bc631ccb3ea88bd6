package quant

// Q2_K: 256 elements in 84 bytes, 16 groups of 16 (ggml-common.h, block_q2_K).
//
//	0   scales  16 bytes: scale of group g in the low half of byte g, minimum in the high half
//	16  qs      64 bytes: each 32 bytes hold 128 elements; element 32*j + l of them is bits 2j and 2j+1 of byte l
//	80  d       binary16
//	82  dmin    binary16
//
// y = (d*scale)*q - dmin*min

func dequantizeQ2_K(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[84:] {
		d, dmin := half(src, 80), half(src, 82)
		for g, s := range src[:16] {
			scale, minimum := d*float32(s&15), float32(dmin*float32(s>>4))
			shift := g / 2 % 4 * 2
			qs := src[16+g/8*32+g%2*16:]
			for i := range 16 {
				dst[16*g+i] = float32(scale*float32(qs[i]>>shift&3)) - minimum
			}
		}
	}
}
