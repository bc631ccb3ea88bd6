package compare

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"straw/gguf"
	"straw/quant"
)

// numbers is a file with a tensor "x" of F32.
func numbers(t *testing.T, x []float32, dims ...uint64) *gguf.File {
	t.Helper()
	var d gguf.Draft
	if err := d.Add("x", dims, quant.F32, func(w io.Writer) error { return binary.Write(w, binary.LittleEndian, x) }); err != nil {
		t.Fatal(err)
	}
	return reopened(t, &d)
}

func TestRounded(t *testing.T) {
	x := make([]float32, 3*64)
	for i := range x {
		x[i] = float32(math.Sin(float64(i)))
	}
	f := numbers(t, x, 64, 3)
	packed := make([]byte, quant.Q4_0.Bytes(len(x)))
	if err := quant.Quantize(quant.Q4_0, packed, x); err != nil {
		t.Fatal(err)
	}
	y := make([]float32, len(x))
	quant.Dequantize(quant.Q4_0, y, packed)
	squares, of, most := 0.0, 0.0, 0.0
	for i := range x {
		d := float64(y[i]) - float64(x[i])
		squares, of, most = squares+d*d, of+float64(x[i])*float64(x[i]), max(most, math.Abs(d))
	}
	m, err := Rounded(t.Context(), f, &f.Tensors[0], quant.Q4_0, Sampling{})
	if err != nil {
		t.Fatal(err)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(b) }
	if !near(m.RMS, math.Sqrt(squares/float64(len(x)))) || !near(m.Relative, math.Sqrt(squares/of)) || m.Max != most || m.Elements != 192 || m.Sampled != 192 || m.Bytes != 108 {
		t.Errorf("%+v, want rms %v, relative %v, max %v", m, math.Sqrt(squares/192), math.Sqrt(squares/of), most)
	}
	if m, err := Rounded(t.Context(), f, &f.Tensors[0], quant.F32, Sampling{}); err != nil || m.RMS != 0 || m.Differing != 0 {
		t.Errorf("as it is: %+v, %v", m, err)
	}
}

func TestRoundedSample(t *testing.T) {
	f := numbers(t, make([]float32, 1<<17), 1<<10, 1<<7)
	seen := int64(0)
	m, err := Rounded(t.Context(), f, &f.Tensors[0], quant.Q8_0, Sampling{Sample: 10_000, Progress: func(_, total int64) { seen = total }})
	if err != nil || m.Sampled != 3*4096 || m.Elements != 1<<17 || seen != 3*4096 {
		t.Errorf("%+v, %v, progress of %d", m, err, seen)
	}
}

func TestRoundedRefuses(t *testing.T) {
	inf := numbers(t, []float32{float32(math.Inf(1)), 31: 0}, 32)
	for _, c := range []struct {
		f    *gguf.File
		as   quant.Type
		want string
	}{
		{inf, quant.Q8_0, "element 0 is +Inf, which Q8_0 cannot hold"},
		{inf, quant.IQ2_XXS, "importance matrix"},
		{inf, quant.Q4_K, "no multiple of the 256 elements in a block of Q4_K"},
	} {
		if _, err := Rounded(t.Context(), c.f, &c.f.Tensors[0], c.as, Sampling{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.as, err, c.want)
		}
	}
}

func TestAgainst(t *testing.T) {
	a, b := numbers(t, []float32{1, -2, 2, 0}, 4), numbers(t, []float32{1, -2, 2.5, 0}, 4)
	m, err := Against(t.Context(), a, &a.Tensors[0], b, &b.Tensors[0], Sampling{})
	if err != nil || m.RMS != 0.25 || m.Max != 0.5 || m.Differing != 1 || m.Relative != math.Sqrt(0.25/9) || m.Bytes != 16 {
		t.Errorf("%+v, %v", m, err)
	}
	c := numbers(t, []float32{1, 2, 3, 4}, 2, 2)
	if _, err := Against(t.Context(), a, &a.Tensors[0], c, &c.Tensors[0], Sampling{}); err == nil || !strings.Contains(err.Error(), "[4] here and [2 2] there") {
		t.Error(err)
	}
}

// patient is a context that only who asks learns is over.
type patient struct {
	context.Context
	asked int
}

func (p *patient) Err() error {
	if p.asked++; p.asked > 10 {
		return context.Canceled
	}
	return nil
}

func TestAsksTheCallersContext(t *testing.T) {
	f := numbers(t, make([]float32, 64<<20/4), 1<<10, 1<<14)
	if _, err := Files(&patient{Context: t.Context()}, f, f, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
