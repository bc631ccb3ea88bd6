package quant

import "math"

// F32: 4 bytes, IEEE 754 binary32.

func dequantizeF32(dst []float32, src []byte) {
	for i := range dst {
		dst[i] = math.Float32frombits(le.Uint32(src[4*i:]))
	}
}
