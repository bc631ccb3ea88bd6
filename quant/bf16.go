package quant

import kernels "straw"

// BF16: 2 bytes, the upper half of a binary32.

func dequantizeBF16(dst []float32, src []byte) { kernels.DecodeBF16(dst, src) }
