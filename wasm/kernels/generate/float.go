package main

import "straw/wasm/emit"

// typeFloat is a type of single numbers that become float32.
type typeFloat struct {
	name  string
	bytes int // of a number
	// four is the four numbers at p + offset. lane puts the one at p + offset into a lane of raw, and widen makes numbers
	// of such lanes.
	four  func(f *emit.Func, p emit.Expr, offset int) emit.Expr
	lane  func(raw, p emit.Expr, offset, lane int) emit.Expr
	widen func(f *emit.Func, raw emit.Expr) emit.Expr
}

var typesFloat = []typeFloat{
	{name: "MulF32", bytes: 4, four: loadFloats, lane: emit.Load32Lane, widen: func(_ *emit.Func, raw emit.Expr) emit.Expr { return raw }},
	{name: "MulF16", bytes: 2, four: loadHalves, lane: lowLane, widen: half},
	{name: "MulBF16", bytes: 2, four: func(f *emit.Func, p emit.Expr, offset int) emit.Expr {
		return brain(f, emit.Load16x4U(p, offset))
	}, lane: lowLane, widen: brain},
}

func loadFloats(_ *emit.Func, p emit.Expr, offset int) emit.Expr { return emit.LoadV(p, offset) }

func loadHalves(f *emit.Func, p emit.Expr, offset int) emit.Expr {
	return half(f, emit.Load16x4U(p, offset))
}

func lowLane(raw, p emit.Expr, offset, lane int) emit.Expr {
	return emit.Load16Lane(raw, p, offset, 2*lane)
}

func brain(_ *emit.Func, raw emit.Expr) emit.Expr { return emit.Shl32(raw, 16) }

// mulFloat writes the multiplication of rows of numbers with columns of float32, [n][k]:
//
//	Mul…(dst, w, x, stride, rows, k, n)
//
// For row r and column c, dst[c*stride+r] = kernels.Dot(row r, column c). rows, k and n are above 0.
func mulFloat(m *emit.Module, t typeFloat) {
	f := function(m, t.name)
	dst, w, x, stride, rows, k, n := f.Param(0), f.Param(1), f.Param(2), f.Param(3), f.Param(4), f.Param(5), f.Param(6)
	step := f.Var(emit.Shl(stride, emit.Int(2)))
	size := f.Var(emit.Shl(k, emit.Int(2))) // of a column
	some := func(columns int) {
		d := dots{f: f, t: t, k: k, w: f.Var(w)}
		for range columns {
			var acc [4]emit.Local
			for i := range acc {
				acc[i] = f.Local(emit.V128)
			}
			d.acc, d.x = append(d.acc, acc), append(d.x, f.Local(emit.I32))
		}
		to, row := f.Var(dst), f.Var(rows)
		f.Repeat(func() {
			for i := range d.x {
				f.Set(d.x[i], emit.Add(x, emit.Mul(size, emit.Int(i))))
			}
			d.row()
			at := f.Var(to)
			for i := range d.acc {
				f.StoreF32(at, 0, tree(f, d.acc[i]))
				f.Add(at, step)
			}
			f.Add(to, emit.Int(4))
			f.Set(row, emit.Sub(row, emit.Int(1)))
		}, row)
		f.Add(x, emit.Mul(size, emit.Int(columns)))
		f.Add(dst, emit.Mul(step, emit.Int(columns)))
		f.Set(n, emit.Sub(n, emit.Int(columns)))
	}
	f.While(emit.GeS(n, emit.Int(2)), func() { some(2) })
	f.If(n, func() { some(1) })
}

// dots multiplies a row with some columns, in 16 lanes each.
type dots struct {
	f   *emit.Func
	t   typeFloat
	k   emit.Local
	w   emit.Local // moves to the next row
	x   []emit.Local
	acc [][4]emit.Local
}

func (d *dots) row() {
	f := d.f
	for _, acc := range d.acc {
		for _, a := range acc {
			f.Set(a, emit.Floats(0))
		}
	}
	add := func(i, quarter int, w, x emit.Expr) {
		a := d.acc[i][quarter]
		f.Set(a, emit.AddF(a, emit.MulF(w, x)))
	}
	left := f.Var(d.k)
	f.While(emit.GeS(left, emit.Int(16)), func() {
		for q := range 4 {
			w := f.Var(d.t.four(f, d.w, 4*d.t.bytes*q))
			for i, x := range d.x {
				add(i, q, w, emit.LoadV(x, 16*q))
			}
		}
		f.Add(d.w, emit.Int(16*d.t.bytes))
		for _, x := range d.x {
			f.Add(x, emit.Int(64))
		}
		f.Set(left, emit.Sub(left, emit.Int(16)))
	})
	// Fewer than 16: lanes that have no number get 0, which changes nothing.
	raw, xs := f.Local(emit.V128), f.Locals(len(d.x), emit.V128)
	for q := range 4 {
		f.If(emit.GtS(left, emit.Int(4*q)), func() {
			f.Set(raw, emit.Ints32(0))
			for _, x := range xs {
				f.Set(x, emit.Ints32(0))
			}
			for l := range 4 {
				f.If(emit.GtS(left, emit.Int(4*q+l)), func() {
					f.Set(raw, d.t.lane(raw, d.w, d.t.bytes*(4*q+l), l))
					for i, x := range xs {
						f.Set(x, emit.Load32Lane(x, d.x[i], 4*(4*q+l), l))
					}
				})
			}
			w := f.Var(d.t.widen(f, raw))
			for i, x := range xs {
				add(i, q, w, x)
			}
		})
	}
	f.Add(d.w, emit.Mul(left, emit.Int(d.t.bytes)))
}

// tree adds 16 lanes in halves.
func tree(f *emit.Func, acc [4]emit.Local) emit.Expr {
	s := f.Var(emit.AddF(emit.AddF(acc[0], acc[2]), emit.AddF(acc[1], acc[3])))
	f.Set(s, emit.AddF(s, emit.Shuffle64(s, s, [2]int{1, 0})))
	return emit.AddF32(emit.LaneF32(s, 0), emit.LaneF32(s, 1))
}
