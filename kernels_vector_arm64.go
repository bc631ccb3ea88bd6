//go:build !purego

package kernels

func init() {
	add, scale, scaleBy, shift = addNative, scaleNative, scaleByNative, shiftNative
	rotateHalves = rotateHalvesNative
}

// addNEON is genericAdd for n elements, a multiple of 4, as are those of all functions here.
//
//go:noescape
func addNEON(dst, x *float32, n int)

// scaleNEON is genericScale.
//
//go:noescape
func scaleNEON(dst, x *float32, a float32, n int)

// scaleByNEON is genericScaleBy.
//
//go:noescape
func scaleByNEON(dst, x *float32, a float32, weight *float32, n int)

// shiftNEON is genericShift.
//
//go:noescape
func shiftNEON(dst, x *float32, a float32, n int)

// rotateNEON turns the pairs of x and y, n each:
//
//	for i := range n {
//		x[i], y[i] = float32(x[i]*cos[i])-float32(y[i]*sin[i]), float32(x[i]*sin[i])+float32(y[i]*cos[i])
//	}
//
//go:noescape
func rotateNEON(x, y, cos, sin *float32, n int)

func addNative(dst, x []float32) {
	n := len(x) &^ 3
	if n > 0 {
		addNEON(&dst[0], &x[0], n)
	}
	genericAdd(dst[n:], x[n:])
}

func scaleNative(dst, x []float32, a float32) {
	n := len(x) &^ 3
	if n > 0 {
		scaleNEON(&dst[0], &x[0], a, n)
	}
	genericScale(dst[n:], x[n:], a)
}

func scaleByNative(dst, x []float32, a float32, weight []float32) {
	n := len(x) &^ 3
	if n > 0 {
		scaleByNEON(&dst[0], &x[0], a, &weight[0], n)
	}
	genericScaleBy(dst[n:], x[n:], a, weight[n:])
}

func shiftNative(dst, x []float32, a float32) {
	n := len(x) &^ 3
	if n > 0 {
		shiftNEON(&dst[0], &x[0], a, n)
	}
	genericShift(dst[n:], x[n:], a)
}

// rotateHalvesNative is for heads whose halves are whole registers; others take the portable form.
func rotateHalvesNative(x, cos, sin []float32) {
	n := len(cos)
	if n%4 != 0 || n == 0 {
		genericRotateHalves(x, cos, sin)
		return
	}
	rotateNEON(&x[0], &x[n], &cos[0], &sin[0], n)
}
