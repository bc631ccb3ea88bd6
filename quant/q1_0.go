package quant

// Q1_0: 128 elements in 18 bytes (ggml-common.h, block_q1_0).
//
//	0  d   binary16
//	2  qs  16 bytes: element i is bit i mod 8 of byte i/8
//
// y = d where the bit is set, else -d

func dequantizeQ1_0(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[128:], src[18:] {
		d := half(src, 0)
		for i := range 128 {
			dst[i] = negateIf(d, ^src[2+i/8]>>(i%8))
		}
	}
}
