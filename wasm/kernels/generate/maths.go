package main

import (
	"math"

	"straw/wasm/emit"
)

// exp is e^x of four numbers, by the formula of kernels.Exp.
func exp(f *emit.Func, x emit.Expr) emit.Expr {
	v := f.Var(x)
	mul := func(a emit.Expr, c float32) emit.Expr { return emit.MulF(a, emit.Floats(c)) }
	const shifter = 0x1.8p23
	n := f.Var(emit.Sub32(emit.AddF(mul(v, 1.44269504), emit.Floats(shifter)), emit.Floats(shifter)))
	fn := f.Var(emit.FloatOf(n))
	r := f.Var(emit.SubF(emit.SubF(v, mul(fn, 0.693359375)), mul(fn, -2.12194440e-4)))
	p := f.Var(emit.Floats(1.9875691500e-4))
	for _, c := range []float32{1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1} {
		f.Set(p, emit.AddF(emit.MulF(p, r), emit.Floats(c)))
	}
	f.Set(p, emit.AddF(emit.AddF(emit.MulF(p, emit.MulF(r, r)), r), emit.Floats(1)))
	power := func(n emit.Expr) emit.Expr { return emit.Shl32(emit.Add32(n, emit.Ints32(127)), 23) }
	half := f.Var(emit.ShrS32(n, 1))
	f.Set(p, emit.MulF(emit.MulF(p, power(half)), power(emit.Sub32(n, half))))
	f.Set(p, emit.Choose(emit.GtF(v, emit.Floats(88.7228394)), emit.Floats(float32(math.Inf(1))), p))
	f.Set(p, emit.Choose(emit.LtF(v, emit.Floats(-103.972084)), emit.Floats(0), p))
	return emit.Choose(emit.NeF(v, v), v, p)
}

// silu and gelu are kernels.SiLU and kernels.GELU of four numbers.
func silu(f *emit.Func, x emit.Local) emit.Expr {
	return emit.DivF(x, emit.AddF(emit.Floats(1), exp(f, negative(x))))
}

func gelu(f *emit.Func, x emit.Local) emit.Expr {
	cubic := emit.AddF(emit.Floats(1), emit.MulF(emit.Floats(0.044715), emit.MulF(x, x)))
	u := emit.MulF(emit.MulF(emit.Floats(0.7978845608), x), cubic)
	return emit.DivF(x, emit.AddF(emit.Floats(1), exp(f, emit.MulF(emit.Floats(-2), u))))
}

func negative(x emit.Expr) emit.Expr { return emit.XorV(x, emit.Ints32(math.MinInt32)) }

// vectors is some float32 vectors of one length that a function goes through, four numbers at a time.
type vectors struct {
	f     *emit.Func
	n     emit.Local   // numbers left
	to    emit.Local   // where results go
	from  []emit.Local // what is read, to perhaps among it
	moved []emit.Local // each pointer once
}

// each calls four for all numbers: with the numbers of every vector of from, to give what to becomes. Of the last few it
// sees zeros in place of those that are not there.
func (v *vectors) each(four func(x []emit.Local) emit.Expr) {
	f := v.f
	x := f.Locals(len(v.from), emit.V128)
	move := func() {
		for _, p := range v.moved {
			f.Add(p, emit.Int(16))
		}
		f.Set(v.n, emit.Sub(v.n, emit.Int(4)))
	}
	f.While(emit.GeS(v.n, emit.Int(4)), func() {
		for i, p := range v.from {
			f.Set(x[i], emit.LoadV(p, 0))
		}
		f.StoreV(v.to, 0, four(x))
		move()
	})
	f.If(emit.GtS(v.n, emit.Int(0)), func() {
		for i, p := range v.from {
			f.Set(x[i], emit.Load32ZeroV(p, 0))
			for l := 1; l < 3; l++ {
				f.If(emit.GtS(v.n, emit.Int(l)), func() { f.Set(x[i], emit.Load32Lane(x[i], p, 4*l, l)) })
			}
		}
		result := f.Var(four(x))
		for l := range 3 {
			f.If(emit.GtS(v.n, emit.Int(l)), func() { f.Store32Lane(v.to, 4*l, result, l) })
		}
	})
}

// gated writes the middle of a gated network:
//
//	…Mul(dst, gate, up, n)
//
// dst[i] = act(gate[i]) * up[i]; dst may be gate or up.
func gated(m *emit.Module, name string, act func(f *emit.Func, x emit.Local) emit.Expr) {
	f := function(m, name)
	dst, gate, up := f.Param(0), f.Param(1), f.Param(2)
	v := vectors{f: f, n: f.Param(3), to: dst, from: []emit.Local{gate, up}, moved: []emit.Local{dst, gate, up}}
	v.each(func(x []emit.Local) emit.Expr { return emit.MulF(act(f, x[0]), x[1]) })
}

// axpy writes Axpy(dst, x, -, n, a), a as the bits of a float32: dst[i] = dst[i] + a*x[i].
func axpy(m *emit.Module) {
	f := function(m, "Axpy")
	dst, x := f.Param(0), f.Param(1)
	a := f.Var(emit.Splat32(f.Param(4)))
	v := vectors{f: f, n: f.Param(3), to: dst, from: []emit.Local{dst, x}, moved: []emit.Local{dst, x}}
	v.each(func(x []emit.Local) emit.Expr { return emit.AddF(x[0], emit.MulF(a, x[1])) })
}

// softmax writes Softmax(x, -, -, n), which is kernels.Softmax of n numbers, n above 0.
func softmax(m *emit.Module) {
	f := function(m, "Softmax")
	x, n := f.Param(0), f.Param(3)
	begin := func() vectors {
		at := f.Var(x)
		return vectors{f: f, n: f.Var(n), to: at, from: []emit.Local{at}, moved: []emit.Local{at}}
	}
	// The largest; a NaN is none.
	top := f.Var(emit.Float(float32(math.Inf(-1))))
	at, end := f.Var(x), f.Var(emit.Add(x, emit.Shl(n, emit.Int(2))))
	most := f.Var(emit.SplatF32(top))
	larger := func(v emit.Local) { f.Set(most, emit.Choose(emit.GtF(v, most), v, most)) }
	f.While(emit.GeS(emit.Sub(end, at), emit.Int(16)), func() {
		larger(f.Var(emit.LoadV(at, 0)))
		f.Add(at, emit.Int(16))
	})
	f.While(emit.LtU(at, end), func() {
		larger(f.Var(emit.Load32Splat(at, 0)))
		f.Add(at, emit.Int(4))
	})
	larger(f.Var(emit.Shuffle64(most, most, [2]int{1, 0})))
	larger(f.Var(emit.Shuffle32(most, most, [4]int{1, 0, 3, 2})))

	v := begin()
	v.each(func(x []emit.Local) emit.Expr { return exp(f, emit.SubF(x[0], most)) })
	scale := f.Var(emit.SplatF32(emit.DivF32(emit.Float(1), sum(f, x, n))))
	v = begin()
	v.each(func(x []emit.Local) emit.Expr { return emit.MulF(x[0], scale) })
}

// sum is the sum of n numbers at x in the float form.
func sum(f *emit.Func, x, n emit.Local) emit.Expr {
	var acc [4]emit.Local
	for i := range acc {
		acc[i] = f.Var(emit.Floats(0))
	}
	at, left := f.Var(x), f.Var(n)
	f.While(emit.GeS(left, emit.Int(16)), func() {
		for i, a := range acc {
			f.Set(a, emit.AddF(a, emit.LoadV(at, 16*i)))
		}
		f.Add(at, emit.Int(64))
		f.Set(left, emit.Sub(left, emit.Int(16)))
	})
	for l := range 15 {
		f.If(emit.GtS(left, emit.Int(l)), func() {
			a := acc[l/4]
			f.Set(a, emit.AddF(a, emit.Load32Lane(emit.Ints32(0), at, 4*l, l%4)))
		})
	}
	return tree(f, acc)
}

// decode writes DecodeF16(dst, src, -, n): kernels.DecodeF16 of n numbers.
func decode(m *emit.Module) {
	f := function(m, "DecodeF16")
	dst, src, n := f.Param(0), f.Param(1), f.Param(3)
	f.While(emit.GeS(n, emit.Int(4)), func() {
		f.StoreV(dst, 0, loadHalves(f, src, 0))
		f.Add(dst, emit.Int(16))
		f.Add(src, emit.Int(8))
		f.Set(n, emit.Sub(n, emit.Int(4)))
	})
	f.While(emit.GtS(n, emit.Int(0)), func() {
		f.Store32Lane(dst, 0, half(f, emit.Splat32(emit.Load16U(src, 0))), 0)
		f.Add(dst, emit.Int(4))
		f.Add(src, emit.Int(2))
		f.Set(n, emit.Sub(n, emit.Int(1)))
	})
}
