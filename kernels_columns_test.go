package kernels

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkColumns is 256 rows of 2048 elements times 1 to 16 columns: weights' bytes and multiplications a second.
func BenchmarkColumns(b *testing.B) {
	const k, rows, most = 2048, 256, 16
	r := rand.New(rand.NewPCG(17, 0))
	x := normal(r, most*k)
	dst := make([]float32, most*rows)
	w := make([]byte, 4*rows*k)
	fill(r, w, 0)
	var q8 Q8
	var q8k Q8K
	for _, t := range []struct {
		name         string
		elems, bytes int
		mul          func(columns int, w []byte)
	}{
		{"Q4_K", 256, 144, func(_ int, w []byte) { MulQ4_K(dst, rows, w, &q8k) }},
		{"Q5_K", 256, 176, func(_ int, w []byte) { MulQ5_K(dst, rows, w, &q8k) }},
		{"Q6_K", 256, 210, func(_ int, w []byte) { MulQ6_K(dst, rows, w, &q8k) }},
		{"Q8_0", 32, 34, func(_ int, w []byte) { MulQ8_0(dst, rows, w, &q8) }},
		{"Q4_0", 32, 18, func(_ int, w []byte) { MulQ4_0(dst, rows, w, &q8) }},
		{"F16", 1, 2, func(columns int, w []byte) { MulF16(dst, rows, w, x[:columns*k], k) }},
	} {
		w := w[:rows*k/t.elems*t.bytes]
		for columns := 1; columns <= most; columns++ {
			b.Run(fmt.Sprintf("%s/%d", t.name, columns), func(b *testing.B) {
				q8.Set(x[:columns*k], k)
				q8k.Set(x[:columns*k], k)
				b.SetBytes(int64(len(w)))
				for b.Loop() {
					t.mul(columns, w)
				}
				b.ReportMetric(float64(columns*rows*k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GMAC/s")
			})
		}
	}
}
