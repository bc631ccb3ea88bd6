package kernels

// Add is dst[i] = dst[i] + x[i]. len(dst) must be at least len(x).
func Add(dst, x []float32) { add(dst[:len(x)], x) }

// Scale is x[i] = x[i] * a.
func Scale(x []float32, a float32) { scale(x, x, a) }

// RotateHalves turns the pairs (x[i], x[n+i]) of a head by the angles whose cosines and sines are given, n = len(cos):
//
//	x[i], x[n+i] = float32(x[i]*cos[i]) - float32(x[n+i]*sin[i]), float32(x[i]*sin[i]) + float32(x[n+i]*cos[i])
func RotateHalves(x, cos, sin []float32) { rotateHalves(x[:2*len(cos)], cos, sin[:len(cos)]) }

// RotatePairs is RotateHalves for the pairs (x[2*i], x[2*i+1]).
func RotatePairs(x, cos, sin []float32) { rotatePairs(x[:2*len(cos)], cos, sin[:len(cos)]) }

func genericAdd(dst, x []float32) {
	for i, v := range x {
		dst[i] += v
	}
}

// genericScale is dst = x * a.
func genericScale(dst, x []float32, a float32) {
	for i, v := range x {
		dst[i] = v * a
	}
}

// genericScaleBy is dst = (x * a) * weight.
func genericScaleBy(dst, x []float32, a float32, weight []float32) {
	for i, v := range x {
		dst[i] = float32(v*a) * weight[i]
	}
}

// genericShift is dst = x - a.
func genericShift(dst, x []float32, a float32) {
	for i, v := range x {
		dst[i] = v - a
	}
}

func genericRotateHalves(x, cos, sin []float32) {
	n := len(cos)
	for i, c := range cos {
		a, b, s := x[i], x[n+i], sin[i]
		x[i] = float32(a*c) - float32(b*s)
		x[n+i] = float32(a*s) + float32(b*c)
	}
}

func genericRotatePairs(x, cos, sin []float32) {
	for i, c := range cos {
		a, b, s := x[2*i], x[2*i+1], sin[i]
		x[2*i] = float32(a*c) - float32(b*s)
		x[2*i+1] = float32(a*s) + float32(b*c)
	}
}
