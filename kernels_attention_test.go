package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// attentionForms is one form of the kernels of attention.
type attentionForms struct {
	name   string
	dots   func(dst []float32, stride int, rows, x []float32, k int)
	mix    func(dst, weights []float32, stride int, values []float32, dim int)
	mixF16 func(dst, weights []float32, stride int, values []byte, dim int)
}

// shadowedAttention is forms that this machine has better ones for, filled in by its files.
var shadowedAttention []attentionForms

func allAttention() []attentionForms {
	return append([]attentionForms{{Name(), Dots, Mix, MixF16}}, shadowedAttention...)
}

func TestMix(t *testing.T) {
	values := []float32{1, 2, 3, 10, 20, 30}
	dst := []float32{100, 200, 300, 0, 0, 0}
	Mix(dst, []float32{2, 1, -9, 0.5, 0}, 3, values, 3)
	if want := [6]float32{112, 224, 336, 0.5, 1, 1.5}; [6]float32(dst) != want {
		t.Errorf("Mix gives %v, want %v", dst, want)
	}
	packed := make([]byte, 12)
	EncodeF16(packed, values)
	dst = make([]float32, 6)
	MixF16(dst, []float32{2, 1, -9, 0.5, 0}, 3, packed, 3)
	if want := [6]float32{12, 24, 36, 0.5, 1, 1.5}; [6]float32(dst) != want {
		t.Errorf("MixF16 gives %v, want %v", dst, want)
	}
	Mix(nil, nil, 1, values, 3)
	MixF16(dst, nil, 1, nil, 3)
}

func TestAttentionEqualsGeneric(t *testing.T) {
	for _, f := range allAttention() {
		t.Run(f.name, func(t *testing.T) { testAttention(t, f) })
	}
}

func testAttention(t *testing.T, f attentionForms) {
	for _, dim := range []int{1, 7, 15, 16, 17, 32, 48, 63, 64, 65, 80, 96, 128, 144, 200} {
		for _, queries := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9} {
			for i, rows := range []int{0, 1, 2, 3, 4, 7, 8, 9, 17, 64} {
				r := rand.New(rand.NewPCG(uint64(dim), uint64(queries)))
				head := (dim+queries+i)%2 == 0
				tight8 = func(n int) []byte { return fenced(t, n, head) }
				x, values := tight(normal(r, queries*dim)), tight(normal(r, rows*dim))
				packed := fenced(t, 2*rows*dim, head)
				fill(r, packed, i%5)
				if i == 3 && len(values) > 0 {
					values[r.IntN(len(values))] = float32(math.NaN())
					values[r.IntN(len(values))] = float32(math.Inf(1))
				}
				stride := rows + 3
				weights := tight(normal(r, max(0, queries-1)*stride+rows))
				same := func(name string, got, want []float32) {
					t.Helper()
					for i := range want {
						if !sameBits(got[i], want[i]) {
							t.Fatalf("%s of %d queries, %d rows of %d: element %d is %v, want %v", name, queries, rows, dim, i, got[i], want[i])
						}
					}
				}
				got, want := tight(make([]float32, queries*stride)), make([]float32, queries*stride)
				if queries == 0 || rows == 0 {
					Dots(got, stride, values, x, dim)
					Mix(x, weights, stride, values, dim)
					MixF16(x, weights, stride, packed, dim)
					continue
				}
				f.dots(got, stride, values, x, dim)
				genericDots(want, stride, values, x, dim)
				same("Dots", got, want)
				got, want = tight(x), append([]float32(nil), x...)
				f.mix(got, weights, stride, values, dim)
				genericMix(want, weights, stride, values, dim)
				same("Mix", got, want)
				f.mixF16(got, weights, stride, packed, dim)
				genericMixF16(want, weights, stride, packed, dim)
				same("MixF16", got, want)
			}
		}
	}
	tight8 = nil
}

// The speed of a page of 64 keys or values of 64 elements, in multiplications a second.
func BenchmarkAttention(b *testing.B) {
	const dim, rows = 64, 64
	r := rand.New(rand.NewPCG(1, 2))
	for _, queries := range []int{1, 4, 28} {
		x, values, packed := normal(r, queries*dim), normal(r, rows*dim), make([]byte, 2*rows*dim)
		EncodeF16(packed, values)
		weights := normal(r, queries*rows)
		for name, f := range map[string]func(){
			"Dots":   func() { Dots(weights, rows, values, x, dim) },
			"MulF16": func() { MulF16(weights, rows, packed, x, dim) },
			"Mix":    func() { Mix(x, weights, rows, values, dim) },
			"MixF16": func() { MixF16(x, weights, rows, packed, dim) },
		} {
			b.Run(fmt.Sprintf("%s/%d", name, queries), func(b *testing.B) {
				clear(weights)
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.N)*float64(queries*dim*rows)/b.Elapsed().Seconds()/1e9, "GMAC/s")
			})
		}
	}
}
