package quant

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
				grid2(dst[32*g+8*l:], scale, iq2XXSGrid[index], eighthSign(word>>(7*l)))
			}
		}
	}
}

// grid2 writes 8 elements: grid holds 8 magnitudes of 2 bits, lowest first, and signs a set bit where the element is
// negative.
func grid2(dst []float32, scale float32, grid uint16, signs byte) {
	for j := range dst[:8] {
		y := scale * float32(iq2Magnitudes[grid>>(2*j)&3])
		if signs>>j&1 == 1 {
			y = -y
		}
		dst[j] = y
	}
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
