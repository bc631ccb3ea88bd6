package quant

import kernels "straw"

// IQ2_XS: 256 elements in 74 bytes, 8 groups of 32 (ggml-common.h, block_iq2_xs). Elements come in eights.
//
//	0   d       binary16
//	2   qs      4 times 16 bits a group: grid index in the low 9 bits, 7 signs above
//	66  scales  8 bytes, one a group: low half for its first 16 elements, high half for the others
//
// y = d * (0.5 + scale) * 0.25 * magnitude * sign

func dequantizeIQ2_XS(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[74:] {
		d := half(src, 0)
		for l := range 32 { // eights
			s := src[66+l/4] >> (l % 4 / 2 * 4) & 15
			scale := d * (0.5 + float32(s)) * 0.25
			word := le.Uint16(src[2+2*l:])
			grid2(dst[8*l:], scale, kernels.GridIQ2_XS[word&511], eighthSign(uint32(word>>9)))
		}
	}
}
