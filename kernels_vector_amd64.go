//go:build !purego

package kernels

// addAVX2 is, n being a multiple of 8:
//
//	for i := range n {
//		dst[i] += x[i]
//	}
//
//go:noescape
func addAVX2(dst, x *float32, n int)

// scaleAVX2 is, n being a multiple of 8:
//
//	for i := range n {
//		dst[i] = x[i] * a
//	}
//
//go:noescape
func scaleAVX2(dst, x *float32, a float32, n int)

// scaleByAVX2 is, n being a multiple of 8:
//
//	for i := range n {
//		dst[i] = float32(x[i]*a) * w[i]
//	}
//
//go:noescape
func scaleByAVX2(dst, x *float32, a float32, w *float32, n int)

// shiftAVX2 is, n being a multiple of 8:
//
//	for i := range n {
//		dst[i] = x[i] - a
//	}
//
//go:noescape
func shiftAVX2(dst, x *float32, a float32, n int)

// rotateHalvesAVX2 is, n being a multiple of 8:
//
//	for i := range n {
//		a[i], b[i] = float32(a[i]*cos[i]) - float32(b[i]*sin[i]), float32(a[i]*sin[i]) + float32(b[i]*cos[i])
//	}
//
//go:noescape
func rotateHalvesAVX2(a, b, cos, sin *float32, n int)

// rotatePairsAVX2 is, n being a multiple of 4:
//
//	genericRotatePairs(x[:2*n], cos[:n], sin[:n])
//
//go:noescape
func rotatePairsAVX2(x, cos, sin *float32, n int)

// encodeF16AVX2 is, n being a multiple of 8:
//
//	for i := range n {
//		dst[2*i:] = ToF16(src[i])
//	}
//
//go:noescape
func encodeF16AVX2(dst *byte, src *float32, n int)

func addNative(dst, x []float32) {
	n := len(x) &^ 7
	if n > 0 {
		addAVX2(&dst[0], &x[0], n)
	}
	genericAdd(dst[n:], x[n:])
}

func scaleNative(dst, x []float32, a float32) {
	n := len(x) &^ 7
	if n > 0 {
		scaleAVX2(&dst[0], &x[0], a, n)
	}
	genericScale(dst[n:], x[n:], a)
}

func scaleByNative(dst, x []float32, a float32, weight []float32) {
	n := len(x) &^ 7
	if n > 0 {
		scaleByAVX2(&dst[0], &x[0], a, &weight[0], n)
	}
	genericScaleBy(dst[n:], x[n:], a, weight[n:])
}

func shiftNative(dst, x []float32, a float32) {
	n := len(x) &^ 7
	if n > 0 {
		shiftAVX2(&dst[0], &x[0], a, n)
	}
	genericShift(dst[n:], x[n:], a)
}

func rotateHalvesNative(x, cos, sin []float32) {
	half := len(cos)
	if half%8 != 0 || half == 0 {
		genericRotateHalves(x, cos, sin)
		return
	}
	rotateHalvesAVX2(&x[0], &x[half], &cos[0], &sin[0], half)
}

func rotatePairsNative(x, cos, sin []float32) {
	n := len(cos) &^ 3
	if n > 0 {
		rotatePairsAVX2(&x[0], &cos[0], &sin[0], n)
	}
	genericRotatePairs(x[2*n:], cos[n:], sin[n:])
}

func encodeF16Native(dst []byte, src []float32) {
	n := len(src) &^ 7
	if n > 0 {
		encodeF16AVX2(&dst[0], &src[0], n)
	}
	genericEncodeF16(dst[2*n:], src[n:])
}
