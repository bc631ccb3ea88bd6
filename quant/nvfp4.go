package quant

import kernels "straw"

// NVFP4: 64 elements in 36 bytes, 4 groups of 16 (ggml-common.h, block_nvfp4).
//
//	0  d   4 bytes, one a group: the scale in E4M3 without sign
//	4  qs  32 bytes, 8 a group: element i, an E2M1 number, in the low half of byte i, element i+8 in the high half
//
// y = fp4Values[q] * scale/2, the values being doubled

func dequantizeNVFP4(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[64:], src[36:] {
		for g := range 4 {
			d := kernels.HalfE4M3(src[g])
			for i, q := range src[4+8*g : 12+8*g] {
				dst[16*g+i], dst[16*g+i+8] = fp4Values[q&15]*d, fp4Values[q>>4]*d
			}
		}
	}
}
