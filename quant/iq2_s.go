package quant

import kernels "straw"

// IQ2_S: 256 elements in 82 bytes, 8 groups of 32 (ggml-common.h, block_iq2_s). Elements come in eights.
//
//	0   d       binary16
//	2   qs      32 bytes: low 8 bits of the grid index of each eight
//	34  signs   32 bytes, one an eight: bit j set where element j is negative
//	66  qh      8 bytes, one a group: bits 2l and 2l+1 are the high bits of the index of its eight l
//	74  scales  8 bytes, one a group: low half for its first 16 elements, high half for the others
//
// y = d * (0.5 + scale) * 0.25 * magnitude * sign

func dequantizeIQ2_S(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[82:] {
		d := half(src, 0)
		for l := range 32 { // eights
			s := src[74+l/4] >> (l % 4 / 2 * 4) & 15
			scale := d * (0.5 + float32(s)) * 0.25
			index := int(src[2+l]) | int(src[66+l/4]>>(l%4*2)&3)<<8
			grid2(dst[8*l:], scale, kernels.GridIQ2_S[index], src[34+l])
		}
	}
}
