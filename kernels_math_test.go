package kernels

import (
	"math"
	"testing"
)

// ulps is the distance of got from want in units of want's last place as a float32.
func ulps(got float32, want float64) float64 {
	_, e := math.Frexp(want)
	return math.Abs(float64(got)-want) / math.Ldexp(1, max(e-24, -149))
}

// sweep calls f for floats over [low, high]: evenly spaced ones, and near zero evenly spaced in magnitude.
func sweep(low, high float32, f func(x float32)) {
	const n = 200_000
	for i := range n + 1 {
		f(low + (high-low)*(float32(i)/n))
	}
	for e := -40; e < 8; e++ {
		for m := range 200 {
			x := float32(math.Ldexp(1+float64(m)/200, e))
			if x <= high {
				f(x)
			}
			if -x >= low {
				f(-x)
			}
		}
	}
}

func TestFunctionErrors(t *testing.T) {
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	for name, c := range map[string]struct {
		f         func(float32) float32
		want      func(float64) float64
		low, high float32
		ulps      float64 // largest error in units in the last place,
		absolute  float64 // or in absolute terms, whichever is more
	}{
		"Exp":     {Exp, math.Exp, -103.9, 88.7, 1.1, 0},
		"Tanh":    {Tanh, math.Tanh, -20, 20, 2, 0},
		"Sigmoid": {Sigmoid, sigmoid, -88, 88, 2.5, 0},
		"SiLU":    {SiLU, func(x float64) float64 { return x * sigmoid(x) }, -87, 87, 3, 0},
		"GELU": {GELU, func(x float64) float64 {
			return 0.5 * x * (1 + math.Tanh(math.Sqrt(2/math.Pi)*x*(1+0.044715*x*x)))
		}, -20, 20, 8, 2e-7},
		"GELUQuick": {GELUQuick, func(x float64) float64 { return x * sigmoid(1.702*x) }, -40, 40, 8, 2e-7},
		"GELUErf":   {GELUErf, func(x float64) float64 { return 0.5 * x * (1 + math.Erf(x/math.Sqrt2)) }, -20, 20, 3, 5e-7},
		"Erf":       {Erf, math.Erf, -10, 10, 0, 2e-7},
		"Softplus":  {Softplus, func(x float64) float64 { return math.Log1p(math.Exp(x)) }, -20, 100, 2, 2e-16},
	} {
		t.Run(name, func(t *testing.T) {
			var worst, at float64
			sweep(c.low, c.high, func(x float32) {
				got, want := c.f(x), c.want(float64(x))
				if math.Abs(float64(got)-want) <= c.absolute {
					return
				}
				if u := ulps(got, want); !(u <= worst) {
					worst, at = u, float64(x)
				}
			})
			t.Logf("largest error %.2f units in the last place at %v", worst, at)
			if !(worst <= c.ulps) {
				t.Errorf("error %.2f at %v: %v, want %v", worst, at, c.f(float32(at)), c.want(at))
			}
		})
	}
}

func TestFunctionLimits(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		name      string
		got, want float32
	}{
		{"Exp(0)", Exp(0), 1}, {"Exp(Inf)", Exp(inf), inf}, {"Exp(-Inf)", Exp(-inf), 0}, {"Exp(NaN)", Exp(nan), nan},
		{"Exp(-104)", Exp(-104), 0}, {"Exp(-103.9)", Exp(-103.9), 0x1p-149}, {"Exp(89)", Exp(89), inf},
		{"Tanh(Inf)", Tanh(inf), 1}, {"Tanh(-Inf)", Tanh(-inf), -1}, {"Tanh(NaN)", Tanh(nan), nan}, {"Tanh(50)", Tanh(50), 1},
		{"Sigmoid(Inf)", Sigmoid(inf), 1}, {"Sigmoid(-Inf)", Sigmoid(-inf), 0},
		{"SiLU(Inf)", SiLU(inf), inf}, {"SiLU(-200)", SiLU(-200), 0}, {"SiLU(NaN)", SiLU(nan), nan},
		{"GELU(30)", GELU(30), 30}, {"GELU(-30)", GELU(-30), 0}, {"GELU(0)", GELU(0), 0},
		{"Erf(Inf)", Erf(inf), 1}, {"Erf(-Inf)", Erf(-inf), -1}, {"Erf(NaN)", Erf(nan), nan}, {"GELUErf(30)", GELUErf(30), 30},
		{"Softplus(-200)", Softplus(-200), 0}, {"Softplus(30)", Softplus(30), 30}, {"Softplus(NaN)", Softplus(nan), nan},
	} {
		if c.got != c.want && !(c.got != c.got && c.want != c.want) {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestSinCos(t *testing.T) {
	check := func(x float64, units, absolute float64) {
		s, c := SinCos(x)
		ws, wc := math.Sincos(x)
		for _, p := range []struct {
			got  float32
			want float64
		}{{s, ws}, {c, wc}} {
			if u := ulps(p.got, p.want); u > units && math.Abs(float64(p.got)-p.want) > absolute {
				t.Fatalf("SinCos(%v): %v, want %v, %.2f units", x, p.got, p.want, u)
			}
		}
	}
	for i := range 400_000 {
		x := float64(i) * 2.618033988749895
		check(x, 1, 0)
		check(-x/1000, 1, 0)
		check(float64(i), 1, 0)
		check(x*1000, 0, 1e-7)
	}
	for _, x := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), 1 << 31} {
		if s, c := SinCos(x); s == s || c == c {
			t.Errorf("SinCos(%v) = %v, %v, want NaN", x, s, c)
		}
	}
}

func TestLogPow(t *testing.T) {
	for i := range 100_000 {
		x := math.Exp(float64(i)/700 - 70)
		if got, want := Log(x), math.Log(x); math.Abs(got-want) > 1e-15*math.Abs(want)+1e-16 {
			t.Fatalf("Log(%v) = %v, want %v", x, got, want)
		}
		y := float64(i%97)/48 - 1
		if got, want := Pow(x, y), math.Pow(x, y); math.Abs(got-want) > 1e-13*want {
			t.Fatalf("Pow(%v, %v) = %v, want %v", x, y, got, want)
		}
	}
	for _, base := range []float64{10000, 500000, 1e6, 8e6} {
		for i := range 128 {
			if got, want := float32(Pow(base, -float64(i)/128)), float32(math.Pow(base, -float64(i)/128)); got != want {
				t.Errorf("Pow(%v, -%d/128) as float32 = %v, want %v", base, i, got, want)
			}
		}
	}
	if got := Log(0); !math.IsInf(got, -1) {
		t.Errorf("Log(0) = %v", got)
	}
	if got := Pow(-1, 2); got == got {
		t.Errorf("Pow(-1, 2) = %v, want NaN", got)
	}
}
