package quant

// Q4_K: 256 elements in 144 bytes, 8 groups of 32 (ggml-common.h, block_q4_K).
//
//	0   d       binary16
//	2   dmin    binary16
//	4   scales  12 bytes: 8 scales and 8 minima of 6 bits, see scaleMin4K
//	16  qs      128 bytes: each 32 bytes hold group 2j in their low halves and group 2j+1 in the high ones
//
// y = (d*scale)*q - dmin*min

func dequantizeQ4_K(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[144:] {
		d, dmin := half(src, 0), half(src, 2)
		for g := range 8 {
			s, m := scaleMin4K(src[4:16], g)
			scale, minimum := d*float32(s), float32(dmin*float32(m))
			qs, shift := src[16+g/2*32:], g%2*4
			for i := range 32 {
				dst[32*g+i] = float32(scale*float32(qs[i]>>shift&15)) - minimum
			}
		}
	}
}

// scaleMin4K is the 6-bit scale and minimum of group g. Groups 0-3 have them in the low bits of bytes g and g+4; groups
// 4-7 have the low 4 bits in the halves of byte g+4 and the high 2 bits in the top of bytes g-4 and g.
func scaleMin4K(s []byte, g int) (scale, minimum byte) {
	if g < 4 {
		return s[g] & 63, s[g+4] & 63
	}
	return s[g+4]&15 | s[g-4]>>6<<4, s[g+4]>>4 | s[g]>>6<<4
}
