package quant

import "math"

// Q8_K: 256 elements in 292 bytes (ggml-common.h, block_q8_K).
//
//	0    d      binary32
//	4    qs     256 int8
//	260  bsums  16 int16: sums of 16 elements, not needed here
//
// y = d * q

func dequantizeQ8_K(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[292:] {
		d := math.Float32frombits(le.Uint32(src))
		for i, q := range src[4:260] {
			dst[i] = d * float32(int8(q))
		}
	}
}
