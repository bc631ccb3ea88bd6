package quant

import (
	"math"

	kernels "straw"
)

// IQ2_XXS: 256 elements in 66 bytes, 8 groups of 32 (ggml-common.h, block_iq2_xxs). Elements come in eights: 8
// magnitudes from a grid and 8 signs.
//
//	0  d   binary16
//	2  qs  8 bytes a group: 4 grid indices, then 32 bits with 4 times 7 signs (lowest first) and the scale on top
//
// y = d * (0.5 + scale) * 0.25 * magnitude * sign

func dequantizeIQ2_XXS(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[66:] {
		d := half(src, 0)
		for g := range 8 {
			indices, word := src[2+8*g:6+8*g], le.Uint32(src[6+8*g:])
			scale := d * (0.5 + float32(word>>28)) * 0.25
			for l, index := range indices {
				grid2(dst[32*g+8*l:], scale, kernels.GridIQ2_XXS[index], eighthSign(word>>(7*l)))
			}
		}
	}
}

// grid2 writes 8 elements: grid holds 8 times 2 bits, lowest first, which choose among the magnitudes 8, 25 and 43; signs
// has a set bit where the element is negative.
func grid2(dst []float32, scale float32, grid uint16, signs byte) {
	levels := [4]float32{scale * 8, scale * 25, scale * 43}
	eight := (*[8]float32)(dst)
	for j := range eight {
		eight[j] = negateIf(levels[grid>>(2*j)&3], signs>>j)
	}
}

// negateIf is y, or -y where the lowest bit of sign is set.
func negateIf(y float32, sign byte) float32 {
	return math.Float32frombits(math.Float32bits(y) ^ uint32(sign)<<31)
}

// eighthSign completes 7 signs (the low bits of w) by an eighth that makes the number of negative ones even
// (ggml-common.h, ksigns_iq2xs).
func eighthSign(w uint32) byte {
	s := byte(w & 127)
	parity := s ^ s>>4
	parity ^= parity >> 2
	parity ^= parity >> 1
	return s | parity<<7
}
