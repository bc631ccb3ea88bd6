package main

import "straw/wasm/emit"

// type256 is a type of blocks of 256 elements in 16 groups of 16: d*scale*(q-bias) - dmin*min.
type type256 struct {
	name    string
	bytes   int // of a block
	d, dmin int // offsets of binary16; a dmin of -1 is none
	bias    int
	signed  bool // q needs all of 8 bits; else 0 <= q < 64
	// groups is the scales in 16 bits, and the minima: two vectors of each, groups 0 to 7 and 8 to 15, or one if two groups
	// each have the same.
	groups func(f *emit.Func, w emit.Local) (scales, mins []emit.Expr)
	// unpack calls each with the q of group j, for every j.
	unpack func(f *emit.Func, w emit.Local, each func(j int, q emit.Expr))
}

var types256 = []type256{
	{name: "MulQ2_K", bytes: 84, d: 80, dmin: 82, groups: func(f *emit.Func, w emit.Local) (scales, mins []emit.Expr) {
		s := f.Var(emit.LoadV(w, 0))
		low, high := f.Var(field(s, 0, 4, 0)), f.Var(field(s, 4, 4, 0))
		return []emit.Expr{emit.Low8U(low), emit.High8U(low)}, []emit.Expr{emit.Low8U(high), emit.High8U(high)}
	}, unpack: func(f *emit.Func, w emit.Local, each func(j int, q emit.Expr)) {
		for v := range 4 { // 16 bytes hold four groups
			bits := f.Var(emit.LoadV(w, 16+16*v))
			for n := range 4 {
				each(v/2*8+2*n+v%2, field(bits, 2*n, 2, 0))
			}
		}
	}},
	{name: "MulQ3_K", bytes: 110, d: 108, dmin: -1, bias: 4, groups: func(f *emit.Func, w emit.Local) (scales, mins []emit.Expr) {
		s := f.Var(emit.Sub8(scales3(f, w), emit.Ints8(32)))
		return []emit.Expr{emit.Low8S(s), emit.High8S(s)}, nil
	}, unpack: func(f *emit.Func, w emit.Local, each func(j int, q emit.Expr)) {
		for v := range 4 {
			bits, high := f.Var(emit.LoadV(w, 32+16*v)), f.Var(emit.LoadV(w, 16*(v%2)))
			for n := range 4 {
				each(v/2*8+2*n+v%2, emit.OrV(field(bits, 2*n, 2, 0), field(high, v/2*4+n, 1, 2)))
			}
		}
	}},
	{name: "MulQ4_K", bytes: 144, d: 0, dmin: 2, groups: scalesMins, unpack: func(f *emit.Func, w emit.Local, each func(j int, q emit.Expr)) {
		for v := range 8 {
			q := f.Var(emit.LoadV(w, 16+16*v))
			j := v/2*4 + v%2
			each(j, field(q, 0, 4, 0))
			each(j+2, field(q, 4, 4, 0))
		}
	}},
	{name: "MulQ5_K", bytes: 176, d: 0, dmin: 2, groups: scalesMins, unpack: func(f *emit.Func, w emit.Local, each func(j int, q emit.Expr)) {
		for v := range 8 {
			q, high := f.Var(emit.LoadV(w, 48+16*v)), f.Var(emit.LoadV(w, 16+16*(v%2)))
			j := v/2*4 + v%2
			each(j, emit.OrV(field(q, 0, 4, 0), field(high, v/2*2, 1, 4)))
			each(j+2, emit.OrV(field(q, 4, 4, 0), field(high, v/2*2+1, 1, 4)))
		}
	}},
	{name: "MulQ6_K", bytes: 210, d: 208, dmin: -1, bias: 32, groups: func(f *emit.Func, w emit.Local) (scales, mins []emit.Expr) {
		s := f.Var(emit.LoadV(w, 192))
		return []emit.Expr{emit.Low8S(s), emit.High8S(s)}, nil
	}, unpack: func(f *emit.Func, w emit.Local, each func(j int, q emit.Expr)) {
		for v := range 4 {
			at, j := v/2*64+v%2*16, v/2*8+v%2
			high := f.Var(emit.LoadV(w, 128+v/2*32+v%2*16))
			a, b := f.Var(emit.LoadV(w, at)), f.Var(emit.LoadV(w, at+32))
			each(j, emit.OrV(field(a, 0, 4, 0), field(high, 0, 2, 4)))
			each(j+2, emit.OrV(field(b, 0, 4, 0), field(high, 2, 2, 4)))
			each(j+4, emit.OrV(field(a, 4, 4, 0), field(high, 4, 2, 4)))
			each(j+6, emit.OrV(field(b, 4, 4, 0), field(high, 6, 2, 4)))
		}
	}},
	{name: "MulIQ4_XS", bytes: 136, d: 0, dmin: -1, signed: true, groups: func(f *emit.Func, w emit.Local) (scales, mins []emit.Expr) {
		return []emit.Expr{emit.Low8S(emit.Sub8(scalesXS(f, w), emit.Ints8(32)))}, nil
	}, unpack: func(f *emit.Func, w emit.Local, each func(j int, q emit.Expr)) {
		for g := range 8 {
			q := looked(8+16*g, iq4)(f, w)
			each(2*g, q[0])
			each(2*g+1, q[1])
		}
	}},
}

// scales3 is the 16 scales of 6 bits of Q3_K: four low bits in 8 bytes, halves, and two high bits in 4 bytes.
func scales3(f *emit.Func, w emit.Local) emit.Expr {
	low := f.Var(emit.Load64Splat(w, 96))
	nibbles := emit.Shuffle64(field(low, 0, 4, 0), field(low, 4, 4, 0), [2]int{0, 2})
	high := f.Var(emit.Load32Splat(w, 104))
	part := func(n int) emit.Expr { return field(high, 2*n, 2, 4) }
	a := emit.Shuffle32(part(0), part(1), [4]int{0, 4, 0, 4})
	b := emit.Shuffle32(part(2), part(3), [4]int{0, 4, 0, 4})
	return emit.OrV(nibbles, emit.Shuffle64(a, b, [2]int{0, 2}))
}

// scalesXS is the 8 scales of 6 bits of IQ4_XS: low bits in 4 bytes, halves, high bits in 16 bits.
func scalesXS(f *emit.Func, w emit.Local) emit.Expr {
	low := f.Var(emit.Load32Splat(w, 4))
	halves := emit.Shuffle(field(low, 0, 4, 0), field(low, 4, 4, 0), [16]byte{0, 16, 1, 17, 2, 18, 3, 19})
	// Pairs of bits 0 to 3 are in the first byte, 4 to 7 in the second.
	high := f.Var(emit.Load16Splat(w, 2))
	part := func(n int) emit.Expr { return field(high, 2*n, 2, 4) }
	a := emit.Shuffle(part(0), part(1), [16]byte{0, 16, 0, 0, 1, 17})
	b := emit.Shuffle(part(2), part(3), [16]byte{0, 0, 0, 16, 0, 0, 1, 17})
	return emit.OrV(halves, emit.Shuffle16(a, b, [8]int{0, 9, 2, 11}))
}

// scalesMins is the 8 scales and minima of 6 bits that Q4_K and Q5_K have in 12 bytes at 4.
func scalesMins(f *emit.Func, w emit.Local) (scales, mins []emit.Expr) {
	// Groups 0 to 3 have their scale in byte i and their minimum in byte 4+i, 6 bits each; groups 4 to 7 have four bits
	// of both in byte 8+i and the upper two on top of those bytes.
	a, b, c := f.Var(emit.Load(w, 4)), f.Var(emit.Load(w, 8)), f.Var(emit.Load(w, 12))
	six := emit.Int(0x3f3f3f3f)
	four := emit.Int(0x0f0f0f0f)
	top := func(v emit.Expr) emit.Expr {
		return emit.Shl(emit.And(emit.ShrU(v, emit.Int(6)), emit.Int(0x03030303)), emit.Int(4))
	}
	v := emit.Splat32(emit.And(a, six))
	v = emit.SetLane32(v, 1, emit.Or(emit.And(c, four), top(a)))
	v = emit.SetLane32(v, 2, emit.And(b, six))
	v = emit.SetLane32(v, 3, emit.Or(emit.And(emit.ShrU(c, emit.Int(4)), four), top(b)))
	both := f.Var(v)
	return []emit.Expr{emit.Low8U(both)}, []emit.Expr{emit.High8U(both)}
}

// mul256 writes the multiplication of a type.
func mul256(m *emit.Module, t type256, k kind) {
	p := newProduct(m, t.name, 256, t.bytes, 32, t.signed || k == simd)
	f := p.f
	low, high := emit.Low8U, emit.High8U
	if t.signed {
		low, high = emit.Low8S, emit.High8S
	}
	// products sets dots to the products of a block of w and some of x, from first on; it gives the scales and minima.
	products := func(w emit.Local, x *activations, first int, dots []emit.Local) (scales, mins []emit.Local) {
		s, least := t.groups(f, w)
		for i := range s {
			scales = append(scales, f.Var(s[i]))
		}
		for i := range least {
			mins = append(mins, f.Var(least[i]))
		}
		for i := range dots {
			f.Set(dots[i], emit.Ints32(0))
		}
		var splats [16]*emit.Local // of scales, made when they are wanted
		t.unpack(f, w, func(j int, q emit.Expr) {
			n := j * len(scales) / 2
			if splats[n] == nil {
				at, from := n%8, scales[n/8]
				splat := f.Var(emit.Shuffle16(from, from, [8]int{at, at, at, at, at, at, at, at}))
				splats[n] = &splat
			}
			scale := *splats[n]
			qs := f.Var(q)
			if !p.x.wide {
				for i, d := range dots {
					f.Set(d, emit.Add32(d, emit.Dot16(emit.RelaxedDot8(emit.LoadV(x.q, 256*(first+i)+16*j), qs), scale)))
				}
				return
			}
			a, b := f.Var(emit.Mul16(low(qs), scale)), f.Var(emit.Mul16(high(qs), scale)) // |q*scale| <= 63*128
			for i, d := range dots {
				at := 512*(first+i) + 32*j
				f.Set(d, emit.Add32(d, emit.Add32(emit.Dot16(a, emit.LoadV(x.q, at)), emit.Dot16(b, emit.LoadV(x.q, at+16)))))
			}
		})
		return scales, mins
	}
	// sums is those of a block of column i, in as many vectors as there are of scales.
	sums := func(x *activations, i, vectors int) []emit.Local {
		a, b := emit.LoadV(x.sums, 32*i), emit.LoadV(x.sums, 32*i+16)
		if vectors == 2 {
			return []emit.Local{f.Var(a), f.Var(b)}
		}
		return []emit.Local{f.Var(emit.Narrow32S(emit.Pairs16S(a), emit.Pairs16S(b)))} // |sum of 32| <= 32*127
	}
	// with is the sum of v, one number a group, times the sums.
	with := func(v, sums []emit.Local) emit.Expr {
		e := emit.Dot16(v[0], sums[0])
		if len(v) > 1 {
			e = emit.Add32(e, emit.Dot16(v[1], sums[1]))
		}
		return e
	}
	unbias := func(dot emit.Local, scales, sums []emit.Local) {
		f.Set(dot, emit.Sub32(dot, emit.Mul32(with(scales, sums), emit.Ints32(int32(t.bias)))))
	}
	hasMin := t.dmin >= 0
	term := func(dots, least [4]emit.Local, d, dmin, dx emit.Expr) emit.Expr {
		scale := f.Var(dx)
		e := emit.MulF(emit.FloatOf(across(f, dots)), emit.MulF(half(f, d), scale))
		if hasMin {
			e = emit.SubF(e, emit.MulF(emit.FloatOf(across(f, least)), emit.MulF(half(f, dmin), scale)))
		}
		return e
	}
	columns := func(w emit.Local, x *activations) emit.Expr {
		dots, least := [4]emit.Local(f.Locals(4, emit.V128)), [4]emit.Local(f.Locals(4, emit.V128))
		scales, mins := products(w, x, 0, dots[:])
		for i := range dots {
			if t.bias == 0 && !hasMin {
				break
			}
			of := sums(x, i, len(scales))
			if t.bias != 0 {
				unbias(dots[i], scales, of)
			}
			if hasMin {
				f.Set(least[i], with(mins, of))
			}
		}
		return term(dots, least, emit.Splat32(emit.Load16U(w, t.d)), emit.Splat32(emit.Load16U(w, max(t.dmin, 0))), emit.LoadV(x.scales, 0))
	}
	blocks := func(w emit.Local, x *activations, n int) emit.Expr {
		var mins, least [4]emit.Local
		dots := p.each(w, n, func(w emit.Local, i int) emit.Local {
			dot := f.Local(emit.V128)
			scales, offsets := products(w, x, i, []emit.Local{dot})
			if t.bias != 0 || hasMin {
				of := sums(x, i, len(scales))
				if t.bias != 0 {
					unbias(dot, scales, of)
				}
				if hasMin {
					mins[i] = f.Var(with(offsets, of))
				}
			}
			return dot
		})
		if hasMin {
			least = p.each(w, n, func(_ emit.Local, i int) emit.Local { return mins[i] })
		}
		return term(dots, least, p.gather16(w, t.d, n), p.gather16(w, max(t.dmin, 0), n), some(x.scales, n))
	}
	p.emit(columns, blocks)
}
