package quant

import (
	"math"

	kernels "straw"
)

func quantizeF32(dst []byte, src []float32) {
	for i, v := range src {
		le.PutUint32(dst[4*i:], math.Float32bits(v))
	}
}

func quantizeBF16(dst []byte, src []float32) {
	for i, v := range src {
		le.PutUint16(dst[2*i:], kernels.ToBF16(v))
	}
}

// putHalf stores the binary16 nearest to v at off and gives its value.
func putHalf(b []byte, off int, v float32) float32 {
	h := kernels.ToF16(v)
	le.PutUint16(b[off:], h)
	return kernels.F16(h)
}

// toHalf is v rounded to binary16.
func toHalf(v float32) float32 { return kernels.F16(kernels.ToF16(v)) }
