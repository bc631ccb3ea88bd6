package emit

import "fmt"

// Func is a function while it is written.
type Func struct {
	name   string
	params []Type
	result []Type
	locals []Type
	code   []byte
	open   int // blocks that are not closed
}

// Local is a variable of a function, and an Expr: its value where it is used.
type Local struct {
	f     *Func
	index uint32
	t     Type
}

func (l Local) typ() Type                { return l.t }
func (l Local) write(code []byte) []byte { return uleb(append(code, 0x20), l.index) }

// Param is parameter i, a local like any other.
func (f *Func) Param(i int) Local { return Local{f, uint32(i), f.params[i]} }

// Local is a new variable, 0 at first.
func (f *Func) Local(t Type) Local {
	f.locals = append(f.locals, t)
	return Local{f, uint32(len(f.params) + len(f.locals) - 1), t}
}

// Locals is n new variables.
func (f *Func) Locals(n int, t Type) []Local {
	list := make([]Local, n)
	for i := range list {
		list[i] = f.Local(t)
	}
	return list
}

// Var is a new variable with the value of e.
func (f *Func) Var(e Expr) Local {
	l := f.Local(e.typ())
	f.Set(l, e)
	return l
}

// Set gives l the value of e.
func (f *Func) Set(l Local, e Expr) {
	if l.f != f {
		panic("emit: local of another function")
	}
	want(e, l.t, "value", 0)
	f.code = uleb(append(e.write(f.code), 0x21), l.index)
}

// Add adds e to l: integers.
func (f *Func) Add(l Local, e Expr) { f.Set(l, Add(l, e)) }

// effect is an operation without a value.
func (f *Func) effect(op []byte, operands ...Expr) {
	for _, e := range operands {
		f.code = e.write(f.code)
	}
	f.code = append(f.code, op...)
}

// While repeats body as long as cond, which is looked at before each turn, is not 0.
func (f *Func) While(cond Expr, body func()) {
	f.If(cond, func() { f.Repeat(body, cond) })
}

// Repeat runs body once, and again as long as cond is not 0 at its end.
func (f *Func) Repeat(body func(), cond Expr) {
	want(cond, I32, "condition", 0)
	f.block(0x03, body, func() { f.code = append(cond.write(f.code), 0x0d, 0) })
}

// If runs then if cond is not 0.
func (f *Func) If(cond Expr, then func()) {
	want(cond, I32, "condition", 0)
	f.code = cond.write(f.code)
	f.block(0x04, then, func() {})
}

// IfElse runs then if cond is not 0, otherwise if it is.
func (f *Func) IfElse(cond Expr, then, otherwise func()) {
	f.If(cond, func() {
		then()
		f.code = append(f.code, 0x05)
		otherwise()
	})
}

func (f *Func) block(op byte, body, end func()) {
	f.code = append(f.code, op, 0x40) // without a value
	f.open++
	body()
	end()
	f.open--
	f.code = append(f.code, 0x0b)
}

// Return ends the function with the value of e.
func (f *Func) Return(e Expr) {
	if f.open > 0 || f.result != nil {
		panic(fmt.Sprintf("emit: %s: a value is returned once, at the end", f.name))
	}
	f.result = []Type{e.typ()}
	f.code = e.write(f.code)
}
