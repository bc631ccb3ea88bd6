package quant

import kernels "straw"

// IQ1_M: 256 elements in 56 bytes, 16 groups of 16 (ggml-common.h, block_iq1_m). Elements come in eights of -1, 0 or 1.
//
//	0   qs      32 bytes: low 8 bits of the grid index of each eight
//	32  qh      16 bytes, a half for each eight: 3 high bits of its index, above them the sign of its delta
//	48  scales  4 times 16 bits: each 4 scales of 3 bits, lowest first, and on top 4 bits of d, a binary16, lowest first
//
// y = d * (2*scale + 1) * (q ± 0.125)

func dequantizeIQ1_M(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[56:] {
		var scales [4]uint16
		var bits uint16
		for n := range scales {
			scales[n] = le.Uint16(src[48+2*n:])
			bits |= scales[n] >> 12 << (4 * n)
		}
		d := kernels.F16(bits)
		for l := range 32 { // eights
			g := l / 2
			scale := d * float32(2*(scales[g/4]>>(g%4*3)&7)+1)
			high := src[32+l/2] >> (l % 2 * 4)
			index := int(src[l]) | int(high&7)<<8
			grid1(dst[8*l:], scale, kernels.GridIQ1_S[index], high>>3&1 == 1)
		}
	}
}
