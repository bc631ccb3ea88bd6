package quant

// Q3_K: 256 elements in 110 bytes, 16 groups of 16 (ggml-common.h, block_q3_K).
//
//	0    hmask   32 bytes: bit j of byte l is the third bit of element 32*j + l
//	32   qs      64 bytes: each 32 bytes hold 128 elements; low bits of element 32*j + l are bits 2j and 2j+1 of byte l
//	96   scales  12 bytes: 16 scales of 6 bits, see scale3K
//	108  d       binary16
//
// y = (d * (scale - 32)) * (q - 4)

func dequantizeQ3_K(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[110:] {
		d := half(src, 108)
		for g := range 16 {
			scale := d * float32(scale3K(src[96:108], g)-32)
			shift := g / 2 % 4 * 2
			qs, high := src[32+g/8*32+g%2*16:], src[g%2*16:]
			for i := range 16 {
				q := int(qs[i]>>shift&3) | int(high[i]>>(g/2)&1)<<2
				dst[16*g+i] = scale * float32(q-4)
			}
		}
	}
}

// scale3K is the 6-bit scale of group g: its low 4 bits are in a half of byte g mod 8 (groups 8 and up in the high
// half), its high 2 bits in byte 8 + g mod 4, at bit 2*(g/4).
func scale3K(s []byte, g int) int {
	low := s[g%8] >> (g / 8 * 4) & 15
	high := s[8+g%4] >> (g / 4 * 2) & 3
	return int(low | high<<4)
}
