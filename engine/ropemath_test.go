package engine

import (
	"math"
	"testing"
)

func TestOwnMath(t *testing.T) {
	close := func(name string, x, got, want, scale float64) {
		if math.Abs(got-want) > 2e-15*scale {
			t.Errorf("%s(%v) = %v, want %v", name, x, got, want)
		}
	}
	for x := 1e-300; x < 1e300; x *= 7.3 {
		close("ln", x, ln(x), math.Log(x), math.Abs(math.Log(x))+1)
	}
	for x := -50.0; x < 50; x += 0.37 {
		close("exp", x, exp(x), math.Exp(x), math.Exp(x)*4)
		s, c := sinCos(x)
		close("sin", x, s, math.Sin(x), 1)
		close("cos", x, c, math.Cos(x), 1)
	}
	for x := 1.0; x < 4e6; x *= 1.7 {
		s, c := sinCos(x)
		close("sin", x, s, math.Sin(x), 1)
		close("cos", x, c, math.Cos(x), 1)
	}
}
