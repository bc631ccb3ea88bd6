//go:build js

package simd

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"straw/quant"
)

// BenchmarkMul multiplies 2048 rows of 2048 elements; bytes are those of the rows, MAC are multiplications.
func BenchmarkMul(b *testing.B) {
	for _, module := range hosted() {
		backend := New(module, instantiate(b, module))
		for _, typ := range []quant.Type{quant.Q8_0, quant.Q4_0, quant.Q4_K, quant.Q5_K, quant.Q6_K, quant.F16} {
			for _, columns := range []int{1, 32} {
				b.Run(fmt.Sprintf("%s/%s/%d", module, typ, columns), func(b *testing.B) {
					const k, rows = 2048, 2048
					r := rand.New(rand.NewPCG(1, 2))
					w := make([]byte, rows*typ.Bytes(k))
					x, dst := numbers(r, columns*k, false), make([]float32, columns*rows)
					b.SetBytes(int64(len(w)))
					for b.Loop() {
						backend.Load(x, k)
						backend.Mul(dst, rows, typ, w)
					}
					b.ReportMetric(float64(k*rows*columns)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GMAC/s")
				})
			}
		}
		backend.Close()
	}
}
