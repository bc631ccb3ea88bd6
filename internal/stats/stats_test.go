package stats

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"testing"

	"straw/gguf"
	"straw/quant"
)

func open(t testing.TB, x []float32) (*gguf.File, *gguf.Tensor) {
	t.Helper()
	var d gguf.Draft
	if err := d.Add("x", []uint64{uint64(len(x))}, quant.F32, func(w io.Writer) error { return binary.Write(w, binary.LittleEndian, x) }); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := d.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	f, err := gguf.Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return f, &f.Tensors[0]
}

func of(t testing.TB, x []float32, o Options) *Stats {
	t.Helper()
	f, tensor := open(t, x)
	s, err := Of(t.Context(), f, tensor, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNumbers(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	s := of(t, []float32{1, -2, 0, nan, inf, -inf, -inf, 5, float32(math.Copysign(0, -1))}, Options{Bins: 8})
	if s.Elements != 9 || s.Sampled != 9 || s.Zeros != 2 || s.NaN != 1 || s.PosInf != 1 || s.NegInf != 2 {
		t.Errorf("%+v", s)
	}
	// 1, -2, 0, 5, 0: mean 0.8, variance (0.04+7.84+0.64+17.64+0.64)/5
	if s.Min != -2 || s.Max != 5 || s.Mean != 0.8 || math.Abs(s.Std-math.Sqrt(26.8/5)) > 1e-15 {
		t.Errorf("%+v", s)
	}
	if h := s.Histogram; h.Low != -2 || h.Width != 1 || !slices.Equal(h.Counts, []int64{1, 0, 2, 1, 0, 0, 0, 1}) {
		t.Errorf("%+v", h)
	}
}

func TestNoNumbers(t *testing.T) {
	for _, x := range [][]float32{nil, {float32(math.NaN())}} {
		if s := of(t, x, Options{}); !math.IsNaN(s.Min) || !math.IsNaN(s.Std) || s.Histogram.Counts != nil || s.NaN != int64(len(x)) {
			t.Errorf("%v: %+v", x, s)
		}
	}
}

// The same numbers in any order, in pieces of any size, give the same bins: those of the narrowest fitting width.
func TestHistogramIsOfTheNumbers(t *testing.T) {
	x := make([]float32, 3*1<<16)
	seed := uint32(1)
	for i := range x {
		seed = seed*1664525 + 1013904223
		x[i] = float32(int32(seed)) / (1 << 31) * float32(math.Exp2(float64(i%7)))
	}
	want := of(t, x, Options{})
	slices.Reverse(x)
	for name, order := range map[string]func(){"reversed": func() {}, "sorted": func() { slices.Sort(x) }} {
		order()
		got := of(t, x, Options{}).Histogram
		if got.Low != want.Histogram.Low || got.Width != want.Histogram.Width || !slices.Equal(got.Counts, want.Histogram.Counts) {
			t.Errorf("%s: %+v, want %+v", name, got, want.Histogram)
		}
	}
	h := want.Histogram
	if n := len(h.Counts); n <= 16 || n > 32 || h.Width != 4 {
		t.Errorf("%d bins of %v for %v to %v", n, h.Width, want.Min, want.Max)
	}
	counted := make([]int64, len(h.Counts))
	for _, v := range x {
		counted[int((float64(v)-h.Low)/h.Width)]++
	}
	if !slices.Equal(counted, h.Counts) {
		t.Errorf("%v, counted one by one %v", h.Counts, counted)
	}
}

func TestHistogramEdges(t *testing.T) {
	for _, c := range []struct {
		name string
		x    []float32
		bins int
		want Histogram
	}{
		{"all the same", []float32{3, 3, 3}, 4, Histogram{3, math.Ldexp(1, -22), []int64{3}}},
		{"all zero", []float32{0, 0}, 4, Histogram{0, math.Ldexp(1, -24), []int64{2}}},
		{"the largest and the least", []float32{math.MaxFloat32, -math.MaxFloat32}, 2, Histogram{-math.Ldexp(1, 128), math.Ldexp(1, 128), []int64{1, 1}}},
		{"one bin is not enough for two signs", []float32{-1, 1}, 1, Histogram{-2, 2, []int64{1, 1}}},
		{"subnormal", []float32{0, math.SmallestNonzeroFloat32}, 2, Histogram{0, math.Ldexp(1, -149), []int64{1, 1}}},
	} {
		if h := of(t, c.x, Options{Bins: c.bins}).Histogram; h.Low != c.want.Low || h.Width != c.want.Width || !slices.Equal(h.Counts, c.want.Counts) {
			t.Errorf("%s: %+v, want %+v", c.name, h, c.want)
		}
	}
}

// A mean that is large beside the spread must not cost the spread.
func TestStdFarFromZero(t *testing.T) {
	x := make([]float32, 1<<17)
	for i := range x {
		x[i] = 1<<20 + float32(i&1)
	}
	if s := of(t, x, Options{}); s.Std != 0.5 || s.Mean != 1<<20+0.5 {
		t.Errorf("mean %v, std %v", s.Mean, s.Std)
	}
}

// counting tells how much is read.
type counting struct {
	io.ReaderAt
	n int64
}

func (c *counting) ReadAt(p []byte, off int64) (int, error) {
	c.n += int64(len(p))
	return c.ReaderAt.ReadAt(p, off)
}

func TestSampleReadsLittle(t *testing.T) {
	x := make([]float32, 1<<20)
	for i := range x {
		x[i] = float32(i)
	}
	var d gguf.Draft
	if err := d.Add("x", []uint64{1 << 20}, quant.F32, func(w io.Writer) error { return binary.Write(w, binary.LittleEndian, x) }); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := d.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	r := &counting{ReaderAt: bytes.NewReader(b.Bytes())}
	f, err := gguf.Open(r, int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	r.n = 0
	s, err := Of(t.Context(), f, &f.Tensors[0], Options{Sample: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	if s.Elements != 1<<20 || s.Sampled != 3*4096 || r.n != 3*4096*4 {
		t.Errorf("%d of %d sampled, %d bytes read", s.Sampled, s.Elements, r.n)
	}
	if s.Min != 0 || s.Max < 1<<19 || math.Abs(s.Mean-1<<19) > 1<<18 {
		t.Errorf("not spread over the tensor: %+v", s)
	}
	if s, err := Of(t.Context(), f, &f.Tensors[0], Options{Sample: 1<<20 - 1}); err != nil || s.Sampled > 1<<20 || s.Sampled < 1<<20-4096 {
		t.Errorf("%+v, %v", s, err)
	}
}

func BenchmarkStats(b *testing.B) {
	f, tensor := open(b, make([]float32, 1<<20))
	b.SetBytes(4 << 20)
	for b.Loop() {
		if _, err := Of(b.Context(), f, tensor, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
