package quant

import kernels "straw"

// IQ3_XXS: 256 elements in 98 bytes, 8 groups of 32 (ggml-common.h, block_iq3_xxs). Magnitudes come in fours, signs in
// eights.
//
//	0   d      binary16
//	2   qs     64 bytes: the grid index of each four
//	66  words  8 times 32 bits, one a group: 4 times 7 signs (lowest first) and the scale on top
//
// y = d * (0.5 + scale) * 0.5 * magnitude * sign

func dequantizeIQ3_XXS(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[98:] {
		d := half(src, 0)
		for g := range 8 {
			word := le.Uint32(src[66+4*g:])
			scale := d * (0.5 + float32(word>>28)) * 0.5
			for l := range 4 {
				signs := eighthSign(word >> (7 * l))
				grid3(dst[32*g+8*l:], scale, &iq3XXSMagnitudes, kernels.GridIQ3_XXS[src[2+8*g+2*l]], signs)
				grid3(dst[32*g+8*l+4:], scale, &iq3XXSMagnitudes, kernels.GridIQ3_XXS[src[3+8*g+2*l]], signs>>4)
			}
		}
	}
}

// grid3 writes 4 elements: grid holds 4 levels of 3 bits, lowest first, and signs a set bit where the element is
// negative.
func grid3(dst []float32, scale float32, magnitudes *[8]float32, grid uint16, signs byte) {
	four := (*[4]float32)(dst)
	for j := range four {
		four[j] = negateIf(scale*magnitudes[grid>>(3*j)&7], signs>>j)
	}
}

// iq3XXSMagnitudes and iq3SMagnitudes are the levels of the IQ3 grids.
var (
	iq3XXSMagnitudes = [8]float32{4, 12, 20, 28, 36, 44, 52, 62}
	iq3SMagnitudes   = [8]float32{1, 3, 5, 7, 9, 11, 13, 15}
)
