package kernels

import "math"

// Exp is e^x within 1.1 units in the last place, 0 below -103.98 and +Inf above 88.73.
//
// Formula: Cephes expf. x = n*ln2 + r with |r| <= ln2/2, ln2 in two parts so that n times the first is exact; a
// polynomial for e^r; 2^n as two factors, so that subnormal results are rounded once. Only float32 operations without
// branches between the clamps, for SIMD.
func Exp(x float32) float32 {
	switch {
	case x > 88.7228394:
		return float32(math.Inf(1))
	case x < -103.972084:
		return 0
	case x != x:
		return x
	}
	n := roundEven(float32(x * 1.44269504))
	f := float32(n)
	r := x - float32(f*0.693359375) - float32(f*-2.12194440e-4)
	p := float32(1.9875691500e-4)
	p = float32(p*r) + 1.3981999507e-3
	p = float32(p*r) + 8.3334519073e-3
	p = float32(p*r) + 4.1665795894e-2
	p = float32(p*r) + 1.6666665459e-1
	p = float32(p*r) + 5.0000001201e-1
	p = float32(p*float32(r*r)) + r + 1
	return float32(float32(p*pow2(n>>1)) * pow2(n-n>>1))
}

// pow2 is 2^n for a normal result.
func pow2(n int32) float32 { return math.Float32frombits(uint32(n+127) << 23) }

// Tanh is the hyperbolic tangent within 2 units in the last place. Formula: Cephes tanhf.
func Tanh(x float32) float32 {
	a := abs(x)
	if a < 0.625 {
		z := float32(x * x)
		p := float32(-5.70498872745e-3)
		p = float32(p*z) + 2.06390887954e-2
		p = float32(p*z) - 5.37397155531e-2
		p = float32(p*z) + 1.33314422036e-1
		p = float32(p*z) - 3.33332819422e-1
		return float32(float32(p*z)*x) + x
	}
	t := 1 - 2/(Exp(2*a)+1)
	if x < 0 {
		return -t
	}
	return t
}

// Sigmoid is 1/(1 + e^-x) within 2.5 units in the last place where e^-x is finite, else 0.
func Sigmoid(x float32) float32 { return 1 / (1 + Exp(-x)) }

// SiLU is x*sigmoid(x), as x/(1 + e^-x), within 3 units in the last place.
func SiLU(x float32) float32 { return x / (1 + Exp(-x)) }

// GELU is the tanh approximation of the Gaussian error linear unit, 0.5*x*(1 + tanh(u)) with
// u = sqrt(2/π) * x * (1 + 0.044715*x²), computed as x/(1 + e^-2u), which is the same and loses nothing to cancellation.
// Its error is that of e^-2u: below 1e-6 relative for |x| < 2, and below 1e-7 absolute for what is smaller than 1e-3.
func GELU(x float32) float32 {
	u := float32(float32(0.7978845608*x) * (1 + float32(0.044715*float32(x*x))))
	return x / (1 + Exp(-2*u))
}

// GELUQuick is x*sigmoid(1.702*x).
func GELUQuick(x float32) float32 { return x / (1 + Exp(float32(-1.702*x))) }

// GELUErf is the exact Gaussian error linear unit, 0.5*x*(1 + erf(x/√2)), with the error of Erf.
func GELUErf(x float32) float32 {
	return float32(float32(0.5*x) * (1 + Erf(float32(x*0.70710678118))))
}

// Erf is the error function within 2e-7 absolute. Formula: Cephes erff and erfcf.
func Erf(x float32) float32 {
	a := abs(x)
	z := float32(x * x)
	if a <= 1 {
		p := float32(7.853861353153693e-5)
		p = float32(p*z) - 8.010193625184903e-4
		p = float32(p*z) + 5.188327685732524e-3
		p = float32(p*z) - 2.685381193529856e-2
		p = float32(p*z) + 1.128358514861418e-1
		p = float32(p*z) - 3.761262582423300e-1
		p = float32(p*z) + 1.128379165726710
		return float32(x * p)
	}
	q := 1 / a
	y := float32(q * q)
	var p float32
	if a < 2 {
		p = 2.326819970068386e-2
		p = float32(p*y) - 1.387039388740657e-1
		p = float32(p*y) + 3.687424674597105e-1
		p = float32(p*y) - 5.824733027278666e-1
		p = float32(p*y) + 6.210004621745983e-1
		p = float32(p*y) - 4.944515323274145e-1
		p = float32(p*y) + 3.404879937665872e-1
		p = float32(p*y) - 2.741127028184656e-1
		p = float32(p*y) + 5.638259427386472e-1
	} else {
		p = -1.047766399936249e+1
		p = float32(p*y) + 1.297719955372516e+1
		p = float32(p*y) - 7.495518717768503
		p = float32(p*y) + 2.921019019210786
		p = float32(p*y) - 1.015265279202700
		p = float32(p*y) + 4.218463358204948e-1
		p = float32(p*y) - 2.820767439740514e-1
		p = float32(p*y) + 5.641895067754075e-1
	}
	e := 1 - float32(float32(Exp(-z)*q)*p)
	if a > 4 { // also where q is 0 and p useless: infinity
		e = 1
	}
	if x < 0 {
		return -e
	}
	if x != x {
		return x
	}
	return e
}

// Softplus is log(1 + e^x), x itself above 20, within 2 units in the last place where it is not below 1e-9, and below
// that within 1e-16 absolute.
func Softplus(x float32) float32 {
	if x > 20 {
		return x
	}
	return float32(Log(1 + exp64(float64(x))))
}

func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }
