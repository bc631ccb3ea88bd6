package quant

import kernels "straw"

// F32: 4 bytes, IEEE 754 binary32.

func dequantizeF32(dst []float32, src []byte) { kernels.DecodeF32(dst, src) }
