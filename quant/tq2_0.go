package quant

// TQ2_0: 256 ternary elements in 66 bytes (ggml-common.h, block_tq2_0).
//
//	0   qs  64 bytes: each 32 bytes hold 128 elements; element 32*j + l of them is bits 2j and 2j+1 of byte l
//	64  d   binary16
//
// y = (q - 1) * d

func dequantizeTQ2_0(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[66:] {
		d := half(src, 64)
		levels := [4]float32{-1 * d, 0 * d, d, 2 * d}
		for i, q := range src[:64] {
			y := dst[i/32*128+i%32:][:97]
			y[0], y[32], y[64], y[96] = levels[q&3], levels[q>>2&3], levels[q>>4&3], levels[q>>6]
		}
	}
}
