//go:build js

package simd

import (
	"math/rand/v2"
	"testing"

	"straw/engine"
	"straw/quant"
)

// A backend gives what the portable one gives, for types with and without a kernel.
func TestBackend(t *testing.T) {
	forEachModule(t, func(t *testing.T, call Call) {
		b, want := New("simd", call), engine.NewCPU(1)
		defer b.Close()
		defer want.Close()
		r := rand.New(rand.NewPCG(1, 2))
		for _, columns := range []int{1, 3, 9} {
			const k, rows = 512, 700
			x := numbers(r, columns*k, false)
			b.Load(x, k)
			want.Load(x, k)
			for _, typ := range []quant.Type{quant.Q8_0, quant.Q4_K, quant.F16, quant.IQ2_XS, quant.Q6_K} {
				w := make([]byte, rows*typ.Bytes(k))
				fill(r, w, 0)
				a, c := make([]float32, columns*rows), make([]float32, columns*rows)
				b.Mul(a, rows, typ, w)
				want.Mul(c, rows, typ, w)
				equal(t, typ.String(), a, c)
			}
		}
	})
}
