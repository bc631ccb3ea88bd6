package main

import "straw/wasm/emit"

// across is the four sums over the lanes of a, b, c and d, numbers of 32 bits.
func across(f *emit.Func, v [4]emit.Local) emit.Expr {
	pairs := func(a, b emit.Local) emit.Local {
		return f.Var(emit.Add32(emit.Shuffle32(a, b, [4]int{0, 4, 1, 5}), emit.Shuffle32(a, b, [4]int{2, 6, 3, 7})))
	}
	ab, cd := pairs(v[0], v[1]), pairs(v[2], v[3])
	return emit.Add32(emit.Shuffle64(ab, cd, [2]int{0, 2}), emit.Shuffle64(ab, cd, [2]int{1, 3}))
}

// half is four binary16 as float32; h has them in lanes of 32 bits. No operation meets a subnormal float32, which
// processors are slow with.
func half(f *emit.Func, h emit.Expr) emit.Expr {
	bits := f.Var(h)
	size := f.Var(emit.AndV(bits, emit.Ints32(0x7fff)))
	const bias = (127 - 15) << 23
	normal := f.Var(emit.Add32(emit.Shl32(size, 13), emit.Ints32(bias)))
	// Of a subnormal that is 2^-15 * (1 + mantissa): twice that, less 2^-14.
	subnormal := emit.SubF(emit.AddF(normal, normal), emit.Floats(0x1p-14))
	special := emit.AndV(emit.GtS32(size, emit.Ints32(0x7bff)), emit.Ints32(bias)) // infinities and NaN
	v := emit.Choose(emit.LtS32(size, emit.Ints32(0x400)), subnormal, emit.Add32(normal, special))
	return emit.OrV(v, emit.Shl32(emit.XorV(bits, size), 16))
}

// halfE8M0 is half of four E8M0 numbers (kernels.HalfE8M0).
func halfE8M0(f *emit.Func, e emit.Expr) emit.Expr {
	v := f.Var(e)
	subnormal := emit.Shl32(emit.Add32(v, emit.Ints32(1)), 21)
	normal := emit.Shl32(emit.Sub32(v, emit.Ints32(1)), 23)
	return emit.Choose(emit.LtS32(v, emit.Ints32(2)), subnormal, normal)
}

// field is the width bits of every byte of v that begin at bit from, moved to bit to. It does without shifts of bytes,
// which processors do not have.
func field(v emit.Expr, from, width, to int) emit.Expr {
	bits := emit.AndV(v, emit.Ints8(int8((1<<width-1)<<from)))
	switch {
	case from > to:
		return emit.ShrU16(bits, from-to)
	case from < to:
		return emit.Shl16(bits, to-from)
	}
	return bits
}
