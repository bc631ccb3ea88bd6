package quant

import "math"

// F64: 8 bytes, IEEE 754 binary64, rounded to float32.

func dequantizeF64(dst []float32, src []byte) {
	for i := range dst {
		dst[i] = float32(math.Float64frombits(le.Uint64(src[8*i:])))
	}
}
