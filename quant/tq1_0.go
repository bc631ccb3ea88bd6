package quant

// TQ1_0: 256 ternary elements in 54 bytes (ggml-common.h, block_tq1_0).
//
//	0   qs  48 bytes of 5 elements: the first 32 bytes hold 160, the next 16 hold 80
//	48  qh  4 bytes of 4 elements, 16 in all
//	52  d   binary16
//
// A byte holds its elements as a fraction of 256 in base 3, rounded up, most significant first: element n of byte b is
// the whole part of 3 * (b*3^n mod 256) / 256. Element n of byte m of a run of M bytes is the run's element M*n + m.
//
// y = (q - 1) * d

func dequantizeTQ1_0(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[54:] {
		d := half(src, 52)
		ternary(dst[:160], src[:32], d)
		ternary(dst[160:240], src[32:48], d)
		ternary(dst[240:256], src[48:52], d)
	}
}

// ternary decodes one run of bytes, as many elements of each as dst has room for.
func ternary(dst []float32, src []byte, d float32) {
	for m, b := range src {
		for i := m; i < len(dst); i += len(src) {
			dst[i] = float32(int(uint16(b)*3>>8)-1) * d
			b *= 3
		}
	}
}
