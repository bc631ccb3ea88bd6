package main

import "straw/wasm/emit"

// product is the frame of the functions that multiply packed rows with rounded activations:
//
//	Mul…(dst, w, x, stride, rows, k, n)
//
// For row r of w and column c of x, dst[c*stride+r] is their product: the accumulator of the package comment of straw,
// which takes the blocks of the row in order. Lanes are four rows, or four columns of a row. rows, k and n are above 0.
//
// x is what Round… wrote for n columns of k elements: the elements in 8 bits and again in 16 bits, then each block's
// scale and its sums. Each of these parts is [n/4][blocks][4][…] for as many columns as there are whole fours, and then
// [n%4][blocks][…].
type product struct {
	f                          *emit.Func
	dst, stride, w, rows, k, n emit.Local
	x                          activations
	elems                      int // of a block
	bytes                      int // of a block of w
	blocks, rowBytes           emit.Local
}

// activations is where the parts of x begin, later where those of some column and block do.
type activations struct {
	wide   bool // elements of 16 bits are used, not of 8
	sized  int  // bytes of a block's sums
	q      emit.Local
	scales emit.Local
	sums   emit.Local
}

func newProduct(m *emit.Module, name string, elems, bytes, sized int, wide bool) *product {
	f := function(m, name)
	p := &product{
		f: f, dst: f.Param(0), w: f.Param(1), stride: f.Param(3), rows: f.Param(4), k: f.Param(5), n: f.Param(6),
		elems: elems, bytes: bytes,
	}
	x, size := f.Param(2), f.Var(emit.Mul(p.n, p.k))
	p.blocks = f.Var(emit.DivU(p.k, emit.Int(elems)))
	p.rowBytes = f.Var(emit.Mul(p.blocks, emit.Int(bytes)))
	p.x = activations{wide: wide, sized: sized}
	p.x.scales = f.Var(emit.Add(x, emit.Mul(size, emit.Int(3))))
	p.x.sums = f.Var(emit.Add(p.x.scales, emit.Mul(emit.Mul(p.n, p.blocks), emit.Int(4))))
	p.x.q = f.Var(x)
	if wide {
		f.Add(p.x.q, size)
	}
	return p
}

// width is the bytes of an element.
func (a *activations) width() int {
	if a.wide {
		return 2
	}
	return 1
}

// from is a copy of a that can be moved.
func (a *activations) from(f *emit.Func) activations {
	b := *a
	b.q, b.scales, b.sums = f.Var(a.q), f.Var(a.scales), f.Var(a.sums)
	return b
}

// next moves a by count blocks, which may be an expression.
func (p *product) next(a *activations, count emit.Expr) {
	p.f.Add(a.q, emit.Mul(count, emit.Int(p.elems*a.width())))
	p.f.Add(a.scales, emit.Mul(count, emit.Int(4)))
	p.f.Add(a.sums, emit.Mul(count, emit.Int(a.sized)))
}

func (p *product) nextConst(a *activations, count int) {
	p.f.Add(a.q, emit.Int(count*p.elems*a.width()))
	p.f.Add(a.scales, emit.Int(count*4))
	p.f.Add(a.sums, emit.Int(count*a.sized))
}

// emit writes the loops: fours of columns first, then single columns with four rows at once. column is the term of one
// block of a row at w with four columns at x, row that of four rows with one column.
func (p *product) emit(columns func(w emit.Local, x *activations) emit.Expr, rows func(w [4]emit.Local, x *activations) emit.Expr) {
	f := p.f
	step := f.Var(emit.Shl(p.stride, emit.Int(2)))
	left := f.Var(p.n)
	f.While(emit.GeS(left, emit.Int(4)), func() {
		p.fourColumns(step, columns)
		p.next(&p.x, emit.Shl(p.blocks, emit.Int(2)))
		f.Add(p.dst, emit.Shl(step, emit.Int(2)))
		f.Set(left, emit.Sub(left, emit.Int(4)))
	})
	f.While(left, func() {
		p.fourRows(rows)
		p.next(&p.x, p.blocks)
		f.Add(p.dst, step)
		f.Set(left, emit.Sub(left, emit.Int(1)))
	})
}

func (p *product) fourColumns(step emit.Local, term func(w emit.Local, x *activations) emit.Expr) {
	f := p.f
	w, to := f.Var(p.w), [4]emit.Local{f.Var(p.dst)}
	for i := 1; i < 4; i++ {
		to[i] = f.Var(emit.Add(to[i-1], step))
	}
	acc, block, row := f.Local(emit.V128), f.Local(emit.I32), f.Var(p.rows)
	f.While(row, func() {
		x := p.x.from(f)
		f.Set(acc, emit.Floats(0))
		f.Set(block, p.blocks)
		f.While(block, func() {
			f.Set(acc, emit.AddF(acc, term(w, &x)))
			f.Add(w, emit.Int(p.bytes))
			p.nextConst(&x, 4)
			f.Set(block, emit.Sub(block, emit.Int(1)))
		})
		for i := range to {
			f.Store32Lane(to[i], 0, acc, i)
			f.Add(to[i], emit.Int(4))
		}
		f.Set(row, emit.Sub(row, emit.Int(1)))
	})
}

// fourRows: where fewer than four rows are left, the last stands in for those that are not there.
func (p *product) fourRows(term func(w [4]emit.Local, x *activations) emit.Expr) {
	f := p.f
	var w [4]emit.Local
	first, last := f.Var(p.w), f.Var(emit.Add(p.w, emit.Mul(emit.Sub(p.rows, emit.Int(1)), p.rowBytes)))
	for i := range w {
		w[i] = f.Local(emit.I32)
	}
	to, acc, block, left := f.Var(p.dst), f.Local(emit.V128), f.Local(emit.I32), f.Var(p.rows)
	f.While(emit.GtS(left, emit.Int(0)), func() {
		f.Set(w[0], first)
		for i := 1; i < 4; i++ {
			f.Set(w[i], emit.Add(w[i-1], p.rowBytes))
		}
		f.If(emit.LtS(left, emit.Int(4)), func() {
			for i := 1; i < 4; i++ {
				f.Set(w[i], emit.Select(emit.GtS(left, emit.Int(i)), w[i], last))
			}
		})
		x := p.x.from(f)
		f.Set(acc, emit.Floats(0))
		f.Set(block, p.blocks)
		f.While(block, func() {
			f.Set(acc, emit.AddF(acc, term(w, &x)))
			for i := range w {
				f.Add(w[i], emit.Int(p.bytes))
			}
			p.nextConst(&x, 1)
			f.Set(block, emit.Sub(block, emit.Int(1)))
		})
		f.IfElse(emit.GeS(left, emit.Int(4)), func() { f.StoreV(to, 0, acc) }, func() {
			for i := range 3 {
				f.If(emit.GtS(left, emit.Int(i)), func() { f.Store32Lane(to, 4*i, acc, i) })
			}
		})
		f.Add(to, emit.Int(16))
		f.Add(first, emit.Shl(p.rowBytes, emit.Int(2)))
		f.Set(left, emit.Sub(left, emit.Int(4)))
	})
}
