//go:build !purego

package kernels

// expAVX2 is, n being a multiple of 8:
//
//	for i := range n {
//		x[i] = Exp(x[i] - shift)
//	}
//
//go:noescape
func expAVX2(x *float32, shift float32, n int)

// siluMulAVX2 is, n being a multiple of 8:
//
//	for i := range n {
//		dst[i] = SiLU(gate[i]) * up[i]
//	}
//
//go:noescape
func siluMulAVX2(dst, gate, up *float32, n int)

// geluMulAVX2 is siluMulAVX2 with GELU.
//
//go:noescape
func geluMulAVX2(dst, gate, up *float32, n int)

// maxAVX2 is, n being a multiple of 8:
//
//	top := float32(math.Inf(-1))
//	for i := range n {
//		if x[i] > top {
//			top = x[i]
//		}
//	}
//	return top
//
//go:noescape
func maxAVX2(x *float32, n int) float32

// sumLanesAVX2 is, n being a multiple of 16:
//
//	*l = [16]float32{}
//	for i := range n {
//		l[i%16] += x[i]
//	}
//
//go:noescape
func sumLanesAVX2(l *[16]float32, x *float32, n int)

func siluMulNative(dst, gate, up []float32) {
	n := len(dst) &^ 7
	if n > 0 {
		siluMulAVX2(&dst[0], &gate[0], &up[0], n)
	}
	genericSiLUMul(dst[n:], gate[n:], up[n:])
}

func geluMulNative(dst, gate, up []float32) {
	n := len(dst) &^ 7
	if n > 0 {
		geluMulAVX2(&dst[0], &gate[0], &up[0], n)
	}
	genericGELUMul(dst[n:], gate[n:], up[n:])
}

func sumNative(x []float32) float32 {
	var l [lanes]float32
	n := len(x) &^ (lanes - 1)
	if n > 0 {
		sumLanesAVX2(&l, &x[0], n)
	}
	for j, v := range x[n:] {
		l[j] += v
	}
	return tree(&l)
}

func softmaxNative(x []float32) {
	n := len(x) &^ 7
	if n == 0 {
		genericSoftmax(x)
		return
	}
	top := maxAVX2(&x[0], n)
	for _, v := range x[n:] {
		if v > top {
			top = v
		}
	}
	expAVX2(&x[0], top, n)
	for i, v := range x[n:] {
		x[n+i] = Exp(v - top)
	}
	scaleNative(x, x, 1/sumNative(x))
}
