package engine

import "math"

// Float64 functions for what is computed once: angles of rotation, and thresholds of the sampler. They differ from
// package math's in that their bits are the same on every platform: only exact functions of math are used, and the
// conversions keep products from being fused with sums. Relative errors are below 1e-15 (tested against math).

// ln is the natural logarithm of x > 0: x = m*2^e with m in [√½, √2), ln m = 2 artanh((m-1)/(m+1)).
func ln(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = m*2, e-1
	}
	s := (m - 1) / (m + 1) // at most 0.1716
	s2 := float64(s * s)
	sum := 0.0
	for k := 23; k >= 1; k -= 2 {
		sum = float64(sum*s2) + 1/float64(k)
	}
	return float64(float64(e)*math.Ln2) + float64(2*s*sum)
}

// exp is e^x: x = k ln 2 + r, and a Taylor series for |r| <= ln2/2.
func exp(x float64) float64 {
	k := math.Floor(float64(x*(1/math.Ln2)) + 0.5)
	const hi, lo = 6.93147180369123816490e-01, 1.90821492927058770002e-10 // ln 2 in two parts, hi with 32 bits
	r := x - float64(k*hi) - float64(k*lo)
	sum := 1.0
	for n := 16; n >= 1; n-- {
		sum = float64(sum*(r/float64(n))) + 1
	}
	return math.Ldexp(sum, int(k))
}

// sinCos is the sine and cosine of x, |x| < 1e9: x = k π/2 + r, and Taylor series for |r| <= π/4.
func sinCos(x float64) (sin, cos float64) {
	k := math.Floor(float64(x*(2/math.Pi)) + 0.5)
	const p1, p2, p3 = 1.57079632673412561417, 6.07710050630396597660e-11, 2.02226624879595063154e-21 // π/2 in parts of 33 bits
	r := x - float64(k*p1) - float64(k*p2) - float64(k*p3)
	r2 := float64(r * r)
	s, c := 0.0, 0.0
	for n := 9; n >= 1; n-- {
		s = float64((s+1)*r2) / float64(-(2*n)*(2*n+1))
		c = float64((c+1)*r2) / float64(-(2*n-1)*(2*n))
	}
	sin, cos = float64(r*(s+1)), c+1
	switch int64(k) & 3 {
	case 1:
		sin, cos = cos, -sin
	case 2:
		sin, cos = -sin, -cos
	case 3:
		sin, cos = -cos, sin
	}
	return sin, cos
}
