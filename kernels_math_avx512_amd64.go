//go:build !purego

package kernels

// softmaxAVX512 is genericSoftmax(x[:n]), n > 0.
//
//go:noescape
func softmaxAVX512(x *float32, n int)

// siluMulAVX512 is genericSiLUMul of n > 0 elements.
//
//go:noescape
func siluMulAVX512(dst, gate, up *float32, n int)

// geluMulAVX512 is genericGELUMul of n > 0 elements.
//
//go:noescape
func geluMulAVX512(dst, gate, up *float32, n int)

func softmaxWide(x []float32) {
	if len(x) > 0 {
		softmaxAVX512(&x[0], len(x))
	}
}

func siluMulWide(dst, gate, up []float32) {
	if len(dst) > 0 {
		siluMulAVX512(&dst[0], &gate[0], &up[0], len(dst))
	}
}

func geluMulWide(dst, gate, up []float32) {
	if len(dst) > 0 {
		geluMulAVX512(&dst[0], &gate[0], &up[0], len(dst))
	}
}
