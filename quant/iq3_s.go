package quant

import kernels "straw"

// IQ3_S: 256 elements in 110 bytes, 8 groups of 32 (ggml-common.h, block_iq3_s). Magnitudes come in fours.
//
//	0    d       binary16
//	2    qs      64 bytes: low 8 bits of the grid index of each four
//	66   qh      8 bytes, one a group: bit n is the ninth bit of the index of its four n
//	74   signs   32 bytes: bit i mod 8 of byte i/8 set where element i is negative
//	106  scales  4 bytes: scale of group g in a half of byte g/2
//
// y = d * (1 + 2*scale) * magnitude * sign

func dequantizeIQ3_S(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[110:] {
		d := half(src, 0)
		for n := range 64 { // fours
			g := n / 8
			scale := d * float32(1+2*(src[106+g/2]>>(g%2*4)&15))
			index := int(src[2+n]) | int(src[66+g]>>(n%8)&1)<<8
			grid3(dst[4*n:], scale, &iq3SMagnitudes, kernels.GridIQ3_S[index], src[74+n/2]>>(n%2*4))
		}
	}
}
