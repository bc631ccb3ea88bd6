package quant

// IQ4_XS: 256 elements in 136 bytes, 8 groups of 32 (ggml-common.h, block_iq4_xs).
//
//	0  d         binary16
//	2  scales_h  16 bits, little-endian: bits 2g and 2g+1 are the high bits of the scale of group g
//	4  scales_l  4 bytes: low 4 bits of the scale of group g in a half of byte g/2
//	8  qs        128 bytes, 16 a group: element i in the low half of byte i, element i+16 in the high half
//
// y = (d * (scale - 32)) * iq4Values[q]

func dequantizeIQ4_XS(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[136:] {
		d, high := half(src, 0), le.Uint16(src[2:])
		for g := range 8 {
			s := int(src[4+g/2]>>(g%2*4)&15) | int(high>>(2*g)&3)<<4
			scale := d * float32(s-32)
			for i, q := range src[8+16*g : 24+16*g] {
				dst[32*g+i] = scale * float32(iq4Values[q&15])
				dst[32*g+i+16] = scale * float32(iq4Values[q>>4])
			}
		}
	}
}
