package main

import "straw/wasm/emit"

// product is the frame of the functions that multiply packed rows with rounded activations:
//
//	Mul…(dst, w, x, stride, rows, k, n)
//
// For row r of w and column c of x, dst[c*stride+r] is their product: the accumulator of the package comment of straw,
// which takes the blocks of the row in order. Lanes are four columns, or four blocks. rows, k and n are above 0.
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

// emit writes the loops: fours of columns first, then single columns. columns is the terms of one block of a row at w with
// four columns at x; blocks those of n blocks of a row, 4 or 1, with as many blocks of a column, in the first n lanes.
func (p *product) emit(columns func(w emit.Local, x *activations) emit.Expr, blocks func(w emit.Local, x *activations, n int) emit.Expr) {
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
		p.oneColumn(blocks)
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

// oneColumn goes through the rows in the order of memory, which is what memory is fast at.
func (p *product) oneColumn(terms func(w emit.Local, x *activations, n int) emit.Expr) {
	f := p.f
	w, to, row := f.Var(p.w), f.Var(p.dst), f.Var(p.rows)
	acc, left := f.Local(emit.F32), f.Local(emit.I32)
	add := func(x *activations, n int) {
		t := f.Var(terms(w, x, n))
		for i := range n {
			f.Set(acc, emit.AddF32(acc, emit.LaneF32(t, i)))
		}
		f.Add(w, emit.Int(n*p.bytes))
		p.nextConst(x, n)
		f.Set(left, emit.Sub(left, emit.Int(n)))
	}
	f.Repeat(func() {
		x := p.x.from(f)
		f.Set(acc, emit.Float(0))
		f.Set(left, p.blocks)
		f.While(emit.GeS(left, emit.Int(4)), func() { add(&x, 4) })
		f.While(left, func() { add(&x, 1) })
		f.StoreF32(to, 0, acc)
		f.Add(to, emit.Int(4))
		f.Set(row, emit.Sub(row, emit.Int(1)))
	}, row)
}

// each is what of gives for n blocks of a row, 4 or 1; one is in all places.
func (p *product) each(w emit.Local, n int, of func(w emit.Local, i int) emit.Local) (v [4]emit.Local) {
	for i := range v {
		switch {
		case i == 0:
			v[i] = of(w, 0)
		case i < n:
			v[i] = of(p.f.Var(emit.Add(w, emit.Int(i*p.bytes))), i)
		default:
			v[i] = v[0]
		}
	}
	return v
}

// gather16 is the numbers of 16 bits at offset of n blocks at w, gather8 those of 8 bits, in lanes of 32 bits.
func (p *product) gather16(w emit.Expr, offset, n int) emit.Expr {
	v := emit.Ints32(0)
	for i := range n {
		v = emit.Load16Lane(v, w, i*p.bytes+offset, 2*i)
	}
	return v
}

func (p *product) gather8(w emit.Expr, offset, n int) emit.Expr {
	v := emit.Splat32(emit.Load8U(w, offset))
	for i := 1; i < n; i++ {
		v = emit.SetLane32(v, i, emit.Load8U(w, i*p.bytes+offset))
	}
	return v
}

// some is n numbers of 32 bits, 4 or 1.
func some(p emit.Expr, n int) emit.Expr {
	if n == 1 {
		return emit.Load32ZeroV(p, 0)
	}
	return emit.LoadV(p, 0)
}
