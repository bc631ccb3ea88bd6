package kernels

import (
	"math"
	"testing"
)

// slowF16 is a binary16 by its definition, in float64.
func slowF16(h uint16) float64 {
	sign := 1.0
	if h>>15 == 1 {
		sign = -1
	}
	exponent, mantissa := int(h>>10&31), float64(h&0x3ff)
	switch {
	case exponent == 31 && mantissa != 0:
		return math.NaN()
	case exponent == 31:
		return sign * math.Inf(1)
	case exponent == 0:
		return sign * math.Ldexp(mantissa, -24)
	}
	return sign * math.Ldexp(1024+mantissa, exponent-25)
}

func TestF16(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		got, want := F16(h), slowF16(h)
		if want != want {
			if got == got || math.Float32bits(got)&0x400000 == 0 || math.Signbit(float64(got)) != (h>>15 == 1) {
				t.Fatalf("F16(%#04x) = %x, want a quiet NaN of its sign", h, math.Float32bits(got))
			}
			if ToF16(got) != h|0x200 {
				t.Fatalf("NaN %#04x comes back as %#04x", h, ToF16(got))
			}
			continue
		}
		if float64(got) != want || math.Signbit(float64(got)) != math.Signbit(want) {
			t.Fatalf("F16(%#04x) = %v, want %v", h, got, want)
		}
		if back := ToF16(got); back != h {
			t.Fatalf("ToF16(F16(%#04x)) = %#04x", h, back)
		}
	}
}

// Half way between two neighbours the even one wins, a float32 nearer to one goes there. Rounding being monotonic, this
// is all of it.
func TestToF16Rounds(t *testing.T) {
	for h := range uint16(0x7c00) {
		low, high := slowF16(h), slowF16(h+1)
		if h+1 == 0x7c00 {
			high = 65536 // what would follow, were it not infinity
		}
		middle := float32((low + high) / 2)
		even := h + h&1
		for _, c := range []struct {
			v    float32
			want uint16
		}{{middle, even}, {math.Nextafter32(middle, 0), h}, {math.Nextafter32(middle, 1e9), h + 1}} {
			if got := ToF16(c.v); got != c.want {
				t.Fatalf("ToF16(%v) = %#04x, want %#04x", c.v, got, c.want)
			}
			if got := ToF16(-c.v); got != c.want|0x8000 {
				t.Fatalf("ToF16(%v) = %#04x, want %#04x", -c.v, got, c.want|0x8000)
			}
		}
	}
	for v, want := range map[float32]uint16{1e30: 0x7c00, float32(math.Inf(-1)): 0xfc00, 0x1p-149: 0, -0x1p-149: 0x8000} {
		if got := ToF16(v); got != want {
			t.Errorf("ToF16(%v) = %#04x, want %#04x", v, got, want)
		}
	}
}

func TestBF16(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		f := BF16(h)
		if want := h; f != f {
			if ToBF16(f) != want|0x40 {
				t.Fatalf("NaN %#04x comes back as %#04x", h, ToBF16(f))
			}
			continue
		}
		bits := uint32(h) << 16
		for add, want := range map[uint32]uint16{0: h, 0x7fff: h, 0x8000: h + h&1, 0x8001: h + 1} {
			v := math.Float32frombits(bits + add)
			if got := ToBF16(v); v == v && got != want {
				t.Fatalf("ToBF16(%x) = %#04x, want %#04x", bits+add, got, want)
			}
		}
	}
}
