package quant

import kernels "straw"

// BF16: 2 bytes, the upper half of a binary32.

func dequantizeBF16(dst []float32, src []byte) {
	for i := range dst {
		dst[i] = kernels.BF16(le.Uint16(src[2*i:]))
	}
}
