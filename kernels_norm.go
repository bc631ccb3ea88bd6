package kernels

import "math"

// Sum adds up x in the float form: 16 lanes, then the fixed tree.
func Sum(x []float32) float32 { return sum(x) }

func genericSum(x []float32) float32 {
	var l [lanes]float32
	for i, v := range x {
		l[i%lanes] += v
	}
	return tree(&l)
}

// RMSNorm is dst = (x * s) * weight with s = 1/sqrt(mean of x² + eps), the sum of squares being Dot(x, x). weight may be
// nil, then it is left out. dst may be x. All have the length of x.
func RMSNorm(dst, x, weight []float32, eps float32) {
	mean := Dot(x, x) / float32(len(x))
	s := 1 / sqrt(mean+eps)
	scaleWeighted(dst[:len(x)], x, s, weight)
}

// scaleWeighted is dst = (x * s) * weight, weight being left out where it is nil.
func scaleWeighted(dst, x []float32, s float32, weight []float32) {
	if weight == nil {
		scale(dst, x, s)
		return
	}
	scaleBy(dst, x, s, weight[:len(x)])
}

// LayerNorm is dst = ((x - mean) * s) * weight + bias with s = 1/sqrt(variance + eps), both sums in the float form.
// weight and bias may be nil, then they are left out. dst may be x. All have the length of x.
func LayerNorm(dst, x, weight, bias []float32, eps float32) {
	n := float32(len(x))
	mean := Sum(x) / n
	dst = dst[:len(x)]
	shift(dst, x, mean)
	scaleWeighted(dst, dst, 1/sqrt(Dot(dst, dst)/n+eps), weight)
	if bias != nil {
		add(dst, bias[:len(x)])
	}
}

// Softmax replaces x by e^(x - max), each times 1/sum of them, the sum in the float form. Of x with a NaN or +Inf, or
// all -Inf, NaNs come out.
func Softmax(x []float32) { softmax(x) }

func genericSoftmax(x []float32) {
	if len(x) == 0 {
		return
	}
	top := float32(math.Inf(-1))
	for _, v := range x {
		if v > top {
			top = v
		}
	}
	for i, v := range x {
		x[i] = Exp(v - top)
	}
	genericScale(x, x, 1/genericSum(x))
}

// SiLUMul is dst[i] = SiLU(gate[i]) * up[i], the gated unit of most models. All have the length of dst; dst may be one of
// the others.
func SiLUMul(dst, gate, up []float32) { siluMul(dst, gate[:len(dst)], up[:len(dst)]) }

// GELUMul is SiLUMul with GELU.
func GELUMul(dst, gate, up []float32) { geluMul(dst, gate[:len(dst)], up[:len(dst)]) }

func genericSiLUMul(dst, gate, up []float32) {
	for i, g := range gate {
		dst[i] = SiLU(g) * up[i]
	}
}

func genericGELUMul(dst, gate, up []float32) {
	for i, g := range gate {
		dst[i] = GELU(g) * up[i]
	}
}

// sqrt is exact to the bit: the double rounding of a float64 square root to float32 is harmless (Figueroa 1995).
func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
