package quant

// IQ4_NL: 32 elements in 18 bytes, the halves of the bytes being indices (ggml-common.h, block_iq4_nl).
//
//	0  d   binary16
//	2  qs  16 bytes: element i in the low half of byte i, element i+16 in the high half
//
// y = d * iq4Values[q]

func dequantizeIQ4_NL(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[32:], src[18:] {
		d := half(src, 0)
		for i, q := range src[2:18] {
			dst[i] = d * float32(iq4Values[q&15])
			dst[i+16] = d * float32(iq4Values[q>>4])
		}
	}
}

// iq4Values are the levels of IQ4_NL and IQ4_XS (ggml-common.h, kvalues_iq4nl).
var iq4Values = [16]int8{-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113}
