package main

import "straw/wasm/emit"

// mix writes the sum of weighted rows of numbers, [rows][dim]:
//
//	Mix…(dst, weights, values, stride, queries, rows, dim)
//
// For query i, dst[i*dim:] becomes what it is plus weights[i*stride+j] times row j, for one j after the other. Numbers are
// above 0.
func mix(m *emit.Module, name string, t typeFloat) {
	f := function(m, name)
	mx := mixture{
		f: f, t: t, dst: f.Param(0), weights: f.Param(1), values: f.Param(2), rows: f.Param(5),
		step: f.Var(emit.Shl(f.Param(3), emit.Int(2))), row: f.Var(emit.Shl(f.Param(6), emit.Int(2))),
		stride: f.Var(emit.Mul(f.Param(6), emit.Int(t.bytes))),
	}
	queries, dim := f.Param(4), f.Param(6)
	some := func(n int) {
		at, values, left := f.Var(mx.dst), f.Var(mx.values), f.Var(dim)
		for _, width := range []int{8, 4, 1} {
			f.While(emit.GeS(left, emit.Int(width)), func() {
				mx.part(n, width, at, values)
				f.Add(at, emit.Int(4*width))
				f.Add(values, emit.Int(t.bytes*width))
				f.Set(left, emit.Sub(left, emit.Int(width)))
			})
		}
		f.Add(mx.dst, emit.Mul(mx.row, emit.Int(n)))
		f.Add(mx.weights, emit.Mul(mx.step, emit.Int(n)))
		f.Set(queries, emit.Sub(queries, emit.Int(n)))
	}
	f.While(emit.GeS(queries, emit.Int(4)), func() { some(4) })
	f.While(queries, func() { some(1) })
}

// mixture is what does not change while the numbers of some queries are computed.
type mixture struct {
	f                          *emit.Func
	t                          typeFloat
	dst, weights, values, rows emit.Local
	step                       emit.Local // bytes from a query's weights to the next one's
	row, stride                emit.Local // bytes of a row of dst, and of values
}

// part computes width numbers of n queries at dst.
func (m *mixture) part(n, width int, dst, values emit.Local) {
	f := m.f
	vectors := (width + 3) / 4
	load := func(p emit.Expr, i int) emit.Expr {
		if width == 1 {
			return m.t.widen(f, m.t.lane(emit.Ints32(0), p, 0, 0))
		}
		return m.t.four(f, p, 4*m.t.bytes*i)
	}
	to, weight, acc := make([]emit.Local, n), make([]emit.Local, n), make([][]emit.Local, n)
	for q := range n {
		to[q] = f.Var(emit.Add(dst, emit.Mul(m.row, emit.Int(q))))
		weight[q] = f.Var(emit.Add(m.weights, emit.Mul(m.step, emit.Int(q))))
		for i := range vectors {
			v := emit.LoadV(to[q], 16*i)
			if width == 1 {
				v = emit.Load32ZeroV(to[q], 0)
			}
			acc[q] = append(acc[q], f.Var(v))
		}
	}
	from, left := f.Var(values), f.Var(m.rows)
	f.Repeat(func() {
		v := make([]emit.Local, vectors)
		for i := range v {
			v[i] = f.Var(load(from, i))
		}
		for q := range n {
			w := f.Var(emit.Load32Splat(weight[q], 0))
			for i, a := range acc[q] {
				f.Set(a, emit.AddF(a, emit.MulF(w, v[i])))
			}
			f.Add(weight[q], emit.Int(4))
		}
		f.Add(from, m.stride)
		f.Set(left, emit.Sub(left, emit.Int(1)))
	}, left)
	for q := range n {
		for i, a := range acc[q] {
			if width == 1 {
				f.Store32Lane(to[q], 0, a, 0)
			} else {
				f.StoreV(to[q], 16*i, a)
			}
		}
	}
}
