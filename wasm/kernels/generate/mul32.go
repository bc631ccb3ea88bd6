package main

import "straw/wasm/emit"

// type32 is a type of blocks of 32 elements: d*(q-bias) + m.
type type32 struct {
	name   string
	bytes  int // of a block
	scale  func(f *emit.Func, raw emit.Expr) emit.Expr
	small  bool // the scale has 8 bits, not 16
	min    int  // offset of m, a binary16; 0 if there is none
	bias   int
	signed bool // q needs all of 8 bits; else 0 <= q < 32
	// unpack is q: elements 0 to 15, and 16 to 31. widened is q in 16 bits; nil: made of unpack.
	unpack  func(f *emit.Func, w emit.Local) [2]emit.Expr
	widened func(w emit.Local) [4]emit.Expr
}

// unsigned is t with q+128 in place of q.
func (t type32) unsigned() type32 {
	unpack := t.unpack
	t.unpack = func(f *emit.Func, w emit.Local) [2]emit.Expr {
		q := unpack(f, w)
		return [2]emit.Expr{emit.XorV(q[0], emit.Ints8(-128)), emit.XorV(q[1], emit.Ints8(-128))}
	}
	t.signed, t.widened, t.bias = false, nil, 128
	return t
}

var types32 = []type32{
	{name: "MulQ8_0", bytes: 34, scale: half, signed: true, unpack: func(_ *emit.Func, w emit.Local) [2]emit.Expr {
		return [2]emit.Expr{emit.LoadV(w, 2), emit.LoadV(w, 18)}
	}, widened: func(w emit.Local) [4]emit.Expr {
		return [4]emit.Expr{emit.Load8x8S(w, 2), emit.Load8x8S(w, 10), emit.Load8x8S(w, 18), emit.Load8x8S(w, 26)}
	}},
	{name: "MulQ4_0", bytes: 18, scale: half, bias: 8, unpack: nibbles(2)},
	{name: "MulQ4_1", bytes: 20, scale: half, min: 2, unpack: nibbles(4)},
	{name: "MulQ5_0", bytes: 22, scale: half, bias: 16, unpack: fifthBits(2)},
	{name: "MulQ5_1", bytes: 24, scale: half, min: 2, unpack: fifthBits(4)},
	{name: "MulIQ4_NL", bytes: 18, scale: half, signed: true, unpack: looked(2, iq4)},
	{name: "MulMXFP4", bytes: 17, scale: halfE8M0, small: true, bias: 12, unpack: looked(1, fp4)},
}

// nibbles is the low halves of 16 bytes at offset and then the high ones.
func nibbles(offset int) func(f *emit.Func, w emit.Local) [2]emit.Expr {
	return func(f *emit.Func, w emit.Local) [2]emit.Expr {
		q := f.Var(emit.LoadV(w, offset))
		return [2]emit.Expr{field(q, 0, 4, 0), field(q, 4, 4, 0)}
	}
}

// fifthBits is nibbles with a fifth bit each from a word of 32 bits before them: bit i belongs to element i.
func fifthBits(offset int) func(f *emit.Func, w emit.Local) [2]emit.Expr {
	bit := emit.Bytes([16]byte{1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128})
	return func(f *emit.Func, w emit.Local) [2]emit.Expr {
		low := nibbles(offset+4)(f, w)
		high := f.Var(emit.Load32Splat(w, offset))
		with := func(q emit.Expr, a, b byte) emit.Expr {
			bytes := emit.Shuffle(high, high, [16]byte{a, a, a, a, a, a, a, a, b, b, b, b, b, b, b, b})
			set := emit.Eq8(emit.AndV(bytes, bit), bit)
			return emit.OrV(q, emit.AndV(set, emit.Ints8(16)))
		}
		return [2]emit.Expr{with(low[0], 0, 1), with(low[1], 2, 3)}
	}
}

// looked is nibbles looked up in a table.
func looked(offset int, table [16]byte) func(f *emit.Func, w emit.Local) [2]emit.Expr {
	return func(f *emit.Func, w emit.Local) [2]emit.Expr {
		q := nibbles(offset)(f, w)
		return [2]emit.Expr{emit.Swizzle(emit.Bytes(table), q[0]), emit.Swizzle(emit.Bytes(table), q[1])}
	}
}

// iq4 is the levels of IQ4_NL and IQ4_XS as bytes; fp4 the doubled numbers of MXFP4 plus 12.
var (
	iq4 = signed16([16]int8{-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113})
	fp4 = [16]byte{12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0}
)

func signed16(v [16]int8) (b [16]byte) {
	for i := range v {
		b[i] = byte(v[i])
	}
	return b
}

// mul32 writes the multiplication of a type.
func mul32(m *emit.Module, t type32, k kind) {
	if t.signed && k == dot {
		t = t.unsigned()
	}
	p := newProduct(m, t.name, 32, t.bytes, 4, t.signed || k == simd)
	f := p.f
	// weights is a block of w, ready to be multiplied.
	weights := func(w emit.Local) (q []emit.Local) {
		if t.widened != nil {
			for _, e := range t.widened(w) {
				q = append(q, f.Var(e))
			}
			return q
		}
		for _, e := range t.unpack(f, w) {
			v := f.Var(e)
			switch {
			case !p.x.wide:
				q = append(q, v)
			case t.signed:
				q = append(q, f.Var(emit.Low8S(v)), f.Var(emit.High8S(v)))
			default:
				q = append(q, f.Var(emit.Low8U(v)), f.Var(emit.High8U(v)))
			}
		}
		return q
	}
	// dot is four sums that together are the product of a block and column i of x.
	dot := func(w []emit.Local, x *activations, i int) emit.Local {
		switch {
		case k == dot:
			sum := emit.RelaxedDot8Add(emit.LoadV(x.q, 32*i), w[0], emit.Ints32(0))
			return f.Var(emit.RelaxedDot8Add(emit.LoadV(x.q, 32*i+16), w[1], sum))
		case !p.x.wide:
			a := emit.RelaxedDot8(emit.LoadV(x.q, 32*i), w[0])
			b := emit.RelaxedDot8(emit.LoadV(x.q, 32*i+16), w[1])
			return f.Var(emit.Pairs16S(emit.Add16(a, b))) // |sum| <= 4*127*31
		}
		var s [4]emit.Expr
		for j := range s {
			s[j] = emit.Dot16(w[j], emit.LoadV(x.q, 64*i+16*j))
		}
		return f.Var(emit.Add32(emit.Add32(s[0], s[1]), emit.Add32(s[2], s[3])))
	}
	// term is a block's term: dots are sums of four rows or columns, sums those of x alone.
	term := func(dots [4]emit.Local, w, min, dx, sums emit.Expr) emit.Expr {
		isum, d := across(f, dots), f.Var(dx)
		var xs emit.Local
		if t.bias != 0 || t.min != 0 {
			xs = f.Var(sums)
		}
		if t.bias != 0 {
			isum = emit.Sub32(isum, emit.Mul32(xs, emit.Ints32(int32(t.bias))))
		}
		e := emit.MulF(emit.FloatOf(isum), emit.MulF(t.scale(f, w), d))
		if t.min != 0 {
			e = emit.AddF(e, emit.MulF(emit.FloatOf(xs), emit.MulF(half(f, min), d)))
		}
		return e
	}
	columns := func(w emit.Local, x *activations) emit.Expr {
		q := weights(w)
		var dots [4]emit.Local
		for i := range dots {
			dots[i] = dot(q, x, i)
		}
		load := emit.Load16U
		if t.small {
			load = emit.Load8U
		}
		return term(dots, emit.Splat32(load(w, 0)), emit.Splat32(emit.Load16U(w, t.min)), emit.LoadV(x.scales, 0), emit.LoadV(x.sums, 0))
	}
	blocks := func(w emit.Local, x *activations, n int) emit.Expr {
		dots := p.each(w, n, func(w emit.Local, i int) emit.Local { return dot(weights(w), x, i) })
		scale := p.gather16(w, 0, n)
		if t.small {
			scale = p.gather8(w, 0, n)
		}
		return term(dots, scale, p.gather16(w, t.min, n), some(x.scales, n), some(x.sums, n))
	}
	p.emit(columns, blocks)
}
