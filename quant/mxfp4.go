package quant

import kernels "straw"

// MXFP4: 32 elements in 17 bytes, the OCP microscaling format (ggml-common.h, block_mxfp4).
//
//	0  e   E8M0: the scale is 2^(e-127)
//	1  qs  16 bytes: element i, an E2M1 number, in the low half of byte i, element i+16 in the high half
//
// y = fp4Values[q] * 2^(e-128), the values being doubled. e = 255, a NaN in the standard, is 2^127 as in ggml.

func dequantizeMXFP4(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[32:], src[17:] {
		d := halfE8M0(src[0])
		for i, q := range src[1:17] {
			dst[i], dst[i+16] = fp4Values[q&15]*d, fp4Values[q>>4]*d
		}
	}
}

// halfE8M0 is 2^(e-128).
func halfE8M0(e byte) float32 { return kernels.HalfE8M0(e) }

// fp4Values are the E2M1 numbers, doubled to be integers (ggml-common.h, kvalues_fp4).
var fp4Values = [16]float32{0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12}
