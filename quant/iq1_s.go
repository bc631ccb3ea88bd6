package quant

import kernels "straw"

// IQ1_S: 256 elements in 50 bytes, 8 groups of 32 (ggml-common.h, block_iq1_s). Elements come in eights of -1, 0 or 1.
//
//	0   d   binary16
//	2   qs  32 bytes: low 8 bits of the grid index of each eight
//	34  qh  8 times 16 bits, one a group: bits 3l to 3l+2 are the high bits of the index of its eight l, bits 12-14 the
//	        scale, bit 15 the sign of delta
//
// y = d * (2*scale + 1) * (q ± 0.125)

func dequantizeIQ1_S(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[50:] {
		d := half(src, 0)
		for g := range 8 {
			word := le.Uint16(src[34+2*g:])
			scale := d * float32(2*(word>>12&7)+1)
			for l := range 4 {
				index := int(src[2+4*g+l]) | int(word>>(3*l)&7)<<8
				grid1(dst[32*g+8*l:], scale, kernels.GridIQ1_S[index], word>>15 == 1)
			}
		}
	}
}

// grid1 writes 8 elements: grid holds 8 times 2 bits, lowest first, the element plus one. All are moved by 0.125, down
// if negative is set.
func grid1(dst []float32, scale float32, grid uint16, negative bool) {
	delta := float32(0.125)
	if negative {
		delta = -delta
	}
	levels := [4]float32{scale * (-1 + delta), scale * delta, scale * (1 + delta)}
	eight := (*[8]float32)(dst)
	for j := range eight {
		eight[j] = levels[grid>>(2*j)&3]
	}
}
