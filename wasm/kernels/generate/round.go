package main

import "straw/wasm/emit"

// round writes the rounding of activations to blocks of 32 or 256 numbers of 8 bits, by the rule of kernels.Q8.Set:
//
//	Round…(dst, x, -, k, n)
//
// x is n columns of k float32, k above 0; dst gets them in the order that product describes.
func round(m *emit.Module, name string, elems int) {
	f := function(m, name)
	dst, x, k, n := f.Param(0), f.Param(1), f.Param(3), f.Param(4)
	sized := 4 // bytes of a block's sums
	if elems == 256 {
		sized = 32
	}
	size := f.Var(emit.Mul(n, k))
	blocks := f.Var(emit.DivU(k, emit.Int(elems)))
	narrow, wide := dst, f.Var(emit.Add(dst, size))
	scales := f.Var(emit.Add(dst, emit.Mul(size, emit.Int(3))))
	sums := f.Var(emit.Add(scales, emit.Mul(emit.Mul(n, blocks), emit.Int(4))))
	column := f.Local(emit.I32)
	slot, step, block := f.Local(emit.I32), f.Local(emit.I32), f.Local(emit.I32)
	f.While(emit.LtS(column, n), func() {
		// Where the column's first block goes, and how far from it the next.
		four := emit.And(column, emit.Int(-4))
		f.IfElse(emit.LtS(column, emit.And(n, emit.Int(-4))), func() {
			f.Set(slot, emit.Add(emit.Mul(four, blocks), emit.And(column, emit.Int(3))))
			f.Set(step, emit.Int(4))
		}, func() {
			f.Set(slot, emit.Mul(column, blocks))
			f.Set(step, emit.Int(1))
		})
		f.Set(block, blocks)
		f.Repeat(func() {
			b := roundBlock{f: f, elems: elems, x: x}
			b.look()
			f.StoreF32(emit.Add(scales, emit.Shl(slot, emit.Int(2))), 0, b.d)
			at := func(base emit.Local, bytes int) emit.Local {
				return f.Var(emit.Add(base, emit.Mul(slot, emit.Int(bytes))))
			}
			b.write(at(narrow, elems), at(wide, 2*elems), at(sums, sized))
			f.Add(slot, step)
			f.Set(block, emit.Sub(block, emit.Int(1)))
		}, block)
		f.Add(column, emit.Int(1))
	})
}

// roundBlock rounds the block at x, which it moves to the next.
type roundBlock struct {
	f     *emit.Func
	elems int
	x     emit.Local
	scale emit.Local // what the elements are multiplied with, in all lanes
	keep  emit.Local // all ones; zero for a block that becomes zeros
	d     emit.Expr
}

// look finds the block's largest magnitude, and by it the scale.
func (b *roundBlock) look() {
	f := b.f
	top := f.Var(emit.Ints32(0))
	at := f.Var(b.x)
	f.Repeat(func() {
		for i := range 8 {
			f.Set(top, emit.MaxU32(top, emit.AndV(emit.LoadV(at, 16*i), emit.Ints32(0x7fffffff))))
		}
		f.Add(at, emit.Int(128))
	}, emit.LtU(at, emit.Add(b.x, emit.Int(4*b.elems))))
	f.Set(top, emit.MaxU32(top, emit.Shuffle64(top, top, [2]int{1, 0})))
	f.Set(top, emit.MaxU32(top, emit.Shuffle32(top, top, [4]int{1, 0, 3, 2})))
	bits := f.Var(emit.Lane32(top, 0)) // of magnitudes, which order like the numbers; a NaN is above infinity
	most := f.Var(emit.BitsF32(bits))
	const infinity = 0x7f800000
	finite := f.Var(emit.LtU(bits, emit.Int(infinity)))
	good := f.Var(emit.And(finite, emit.GeU(bits, emit.F32Bits(emit.Float(0x1p-118)))))
	b.scale = f.Var(emit.SplatF32(emit.DivF32(emit.Float(127), most)))
	b.keep = f.Var(emit.Splat32(emit.Sub(emit.Int(0), good)))
	zero := emit.BitsF32(emit.Select(finite, emit.Int(0), emit.Int(0x7fc00000)))
	b.d = emit.Select(good, emit.DivF32(most, emit.Float(127)), zero)
}

// write rounds to even by adding 1.5 * 2^23, which leaves no bits for a fraction.
func (b *roundBlock) write(narrow, wide, sums emit.Local) {
	f := b.f
	const shifter = 0x1.8p23
	whole := func(i int) emit.Expr {
		v := emit.AddF(emit.MulF(emit.LoadV(b.x, 16*i), b.scale), emit.Floats(shifter))
		return emit.AndV(emit.Sub32(v, emit.Floats(shifter)), b.keep)
	}
	end := f.Var(emit.Add(narrow, emit.Int(b.elems)))
	f.Repeat(func() {
		var sum [2]emit.Local
		for h := range 2 { // 16 elements
			var v [4]emit.Local
			for i := range v {
				v[i] = f.Var(whole(4*h + i))
			}
			low, high := f.Var(emit.Narrow32S(v[0], v[1])), f.Var(emit.Narrow32S(v[2], v[3]))
			f.StoreV(wide, 32*h, low)
			f.StoreV(wide, 32*h+16, high)
			f.StoreV(narrow, 16*h, emit.Narrow16S(low, high))
			sum[h] = f.Var(emit.Add32(emit.Add32(v[0], v[1]), emit.Add32(v[2], v[3])))
		}
		total := func(v emit.Expr) emit.Expr {
			s := f.Var(v)
			f.Set(s, emit.Add32(s, emit.Shuffle64(s, s, [2]int{1, 0})))
			return emit.Add(emit.Lane32(s, 0), emit.Lane32(s, 1))
		}
		if b.elems == 32 {
			f.Store(sums, 0, total(emit.Add32(sum[0], sum[1])))
		} else {
			f.Store16(sums, 0, total(sum[0]))
			f.Store16(sums, 2, total(sum[1]))
			f.Add(sums, emit.Int(4))
		}
		f.Add(b.x, emit.Int(128))
		f.Add(narrow, emit.Int(32))
		f.Add(wide, emit.Int(64))
	}, emit.LtU(narrow, end))
}
