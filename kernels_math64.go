package kernels

import "math"

// Functions that are needed once per position or once per model, not once per element: in float64, from operations that
// have the same bits everywhere, where package math's differ between platforms.

// SinCos is the sine and cosine of x, correct to a unit in the last place of float32 for |x| <= 1e6 and within 1e-7
// for |x| <= 1e9; beyond 2^30, and for infinities, NaN.
//
// x is reduced by multiples of π/2, which is held in three parts of 33 bits (fdlibm, e_rem_pio2.c: pio2_1, pio2_2,
// pio2_3), so that the products with up to 20 bits are exact. Then Taylor series up to r^15.
func SinCos(x float64) (sin, cos float32) {
	if !(math.Abs(x) <= 1<<30) {
		nan := float32(math.NaN())
		return nan, nan
	}
	n := math.RoundToEven(float64(x * (2 / math.Pi)))
	r := x - float64(n*1.57079632673412561417e+00)
	r -= float64(n * 6.07710050630396597660e-11)
	r -= float64(n * 2.02226624871116645580e-21)
	z := float64(r * r)
	s, c := float64(-1.0/1307674368000), float64(-1.0/87178291200)
	s, c = float64(s*z)+1.0/6227020800, float64(c*z)+1.0/479001600
	s, c = float64(s*z)-1.0/39916800, float64(c*z)-1.0/3628800
	s, c = float64(s*z)+1.0/362880, float64(c*z)+1.0/40320
	s, c = float64(s*z)-1.0/5040, float64(c*z)-1.0/720
	s, c = float64(s*z)+1.0/120, float64(c*z)+1.0/24
	s, c = float64(s*z)-1.0/6, float64(c*z)-1.0/2
	s, c = float64(float64(s*z)*r)+r, float64(c*z)+1
	switch int64(n) & 3 {
	case 1:
		s, c = c, -s
	case 2:
		s, c = -s, -c
	case 3:
		s, c = -c, s
	}
	return float32(s), float32(c)
}

// Pow is x^y for x > 0 within 1e-13 relative while the result is a normal number and |y*log(x)| < 100: for RoPE's
// frequencies, ALiBi's slopes and the like. NaN for x <= 0.
func Pow(x, y float64) float64 { return exp64(float64(y * Log(x))) }

// Log is the natural logarithm within 1e-15 relative, and 1e-16 absolute near 1. -Inf for 0, NaN below.
//
// x = m * 2^e with m in [√½, √2); log m = 2 artanh((m-1)/(m+1)) as a series.
func Log(x float64) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case x > math.MaxFloat64:
		return x
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	s := (m - 1) / (m + 1)
	z := float64(s * s)
	p := 0.0
	for k := 25.0; k > 1; k -= 2 {
		p = float64(z * (p + 1/k))
	}
	n := float64(e)
	log := float64(2*s) + float64(float64(2*s)*p)
	return float64(n*ln2High) + (log + float64(n*ln2Low))
}

// ln2 in two parts; n*ln2High is exact for |n| < 2^20.
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// exp64 is e^x within 1e-15 relative, without care for subnormal results: 0 below -700, +Inf above 709.
func exp64(x float64) float64 {
	switch {
	case x != x:
		return x
	case x < -700:
		return 0
	case x > 709:
		return math.Inf(1)
	}
	n := math.RoundToEven(float64(x * (1 / math.Ln2)))
	r := x - float64(n*ln2High) - float64(n*ln2Low)
	p := 1.0
	for k := 14.0; k > 0; k-- { // Taylor series, in Horner's form
		p = float64(float64(r*p)/k) + 1
	}
	return float64(p * math.Float64frombits(uint64(int64(n)+1023)<<52))
}
