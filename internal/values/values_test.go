package values

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"straw/gguf"
	"straw/quant"
)

// one is a file with one tensor "x" of these bytes.
func one(t *testing.T, typ quant.Type, data []byte, dims ...uint64) (*gguf.File, *gguf.Tensor) {
	t.Helper()
	var d gguf.Draft
	if err := d.Add("x", dims, typ, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
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

// ramp is a Q8_0 tensor of n elements: element i is i%32 * (1 + i/32).
func ramp(t *testing.T, n int) (*gguf.File, *gguf.Tensor) {
	t.Helper()
	b := make([]byte, quant.Q8_0.Bytes(n))
	for i := range n / 32 {
		copy(b[i*34:], []byte{byte(halfs[i]), byte(halfs[i] >> 8)})
		for j := range 32 {
			b[i*34+2+j] = byte(j)
		}
	}
	return one(t, quant.Q8_0, b, 64, uint64(n/64))
}

// halfs are 1, 2, 3, 4 as binary16.
var halfs = [...]uint16{0x3c00, 0x4000, 0x4200, 0x4400}

func TestReadAnyRange(t *testing.T) {
	f, tensor := ramp(t, 128)
	r, err := NewReader(f, tensor)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ first, n int }{{0, 128}, {0, 1}, {31, 2}, {33, 31}, {64, 64}, {127, 1}, {5, 0}} {
		got := make([]float32, c.n)
		if err := r.Read(got, int64(c.first)); err != nil {
			t.Fatal(err)
		}
		for i, v := range got {
			at := c.first + i
			if want := float32(at%32) * float32(1+at/32); v != want {
				t.Errorf("%d from %d on: element %d is %v, want %v", c.n, c.first, at, v, want)
			}
		}
	}
	if err := r.Read(make([]float32, 2), 127); err == nil {
		t.Error("past the end: no error")
	}
}

func TestEachStops(t *testing.T) {
	f, tensor := ramp(t, 128)
	r, _ := NewReader(f, tensor)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Each(ctx, 0, 128, func(int64, []float32) error { t.Error("called"); return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := r.Each(t.Context(), 0, 128, func(int64, []float32) error { return io.ErrShortWrite }); err != io.ErrShortWrite {
		t.Error(err)
	}
}

func TestNPY(t *testing.T) {
	f, tensor := one(t, quant.F32, []byte("\x00\x00\x80\x3f\x00\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x80\x7f\x00\x00\x80\x3f\x00\x00\x80\x3f"), 2, 3)
	var b bytes.Buffer
	if err := NPY(t.Context(), &b, f, tensor, nil); err != nil {
		t.Fatal(err)
	}
	// as numpy.save writes numpy.array(..., dtype="<f4") of shape (3, 2)
	want := "\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }" + strings.Repeat(" ", 58) + "\n" +
		"\x00\x00\x80\x3f\x00\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x80\x7f\x00\x00\x80\x3f\x00\x00\x80\x3f"
	if b.String() != want {
		t.Errorf("%q", b.String())
	}
	if int64(b.Len()) != NPYSize(tensor) {
		t.Errorf("%d bytes, NPYSize says %d", b.Len(), NPYSize(tensor))
	}
	for _, c := range []struct {
		shape []uint64
		want  string
	}{{nil, "'shape': (), }"}, {[]uint64{5}, "'shape': (5,), }"}, {slices.Repeat([]uint64{1 << 40}, 4), "'shape': (1099511627776, 1099511627776, 1099511627776, 1099511627776), }"}} {
		h := npyHeader(c.shape)
		if !strings.Contains(h, c.want) || len(h)%64 != 0 || h[len(h)-1] != '\n' {
			t.Errorf("%d: %q", c.shape, h)
		}
	}
}
