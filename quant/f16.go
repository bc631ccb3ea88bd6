package quant

import kernels "straw"

// F16: 2 bytes, IEEE 754 binary16.

func dequantizeF16(dst []float32, src []byte) { kernels.DecodeF16(dst, src) }

// half is the binary16 at off.
func half(b []byte, off int) float32 { return kernels.F16(le.Uint16(b[off:])) }
