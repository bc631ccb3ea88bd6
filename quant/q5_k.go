package quant

// Q5_K: 256 elements in 176 bytes, 8 groups of 32 (ggml-common.h, block_q5_K).
//
//	0   d       binary16
//	2   dmin    binary16
//	4   scales  12 bytes: 8 scales and 8 minima of 6 bits, see scaleMin4K
//	16  qh      32 bytes: bit g of byte l is the fifth bit of element l of group g
//	48  qs      128 bytes: each 32 bytes hold group 2j in their low halves and group 2j+1 in the high ones
//
// y = (d*scale)*q - dmin*min

func dequantizeQ5_K(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[176:] {
		d, dmin := half(src, 0), half(src, 2)
		high := src[16:48]
		for g := range 8 {
			s, m := scaleMin4K(src[4:16], g)
			scale, minimum := d*float32(s), float32(dmin*float32(m))
			qs, shift := src[48+g/2*32:], g%2*4
			for i := range 32 {
				q := qs[i]>>shift&15 | high[i]>>g&1<<4
				dst[32*g+i] = float32(scale*float32(q)) - minimum
			}
		}
	}
}
