// Package emit writes WebAssembly modules: a small assembler with typed expressions, as much of the instruction set as the
// kernels of straw/wasm/kernels need, fixed-width SIMD and relaxed SIMD among it.
//
// Expressions are values that nest as in the arithmetic they stand for; a Func takes them as statements:
//
//	m := emit.Module{Memory: emit.Memory{From: "env", Name: "memory", Min: 1}}
//	f := m.Func("sum", emit.I32, emit.I32) // exported; pointer and count of float32
//	x, n := f.Param(0), f.Param(1)
//	acc := f.Var(emit.Float(0))
//	f.While(n, func() {
//		f.Set(acc, emit.AddF32(acc, emit.LoadF32(x, 0)))
//		f.Set(x, emit.Add(x, emit.Int(4)))
//		f.Set(n, emit.Sub(n, emit.Int(1)))
//	})
//	f.Return(acc)
//
// Operands of the wrong type, locals of another function and lanes that do not exist are errors of the program that
// writes the module, so they panic.
package emit

import "fmt"

// Type is the type of a value.
type Type byte

const (
	I32  Type = 0x7f
	F32  Type = 0x7d
	V128 Type = 0x7b
)

func (t Type) String() string {
	switch t {
	case I32:
		return "i32"
	case F32:
		return "f32"
	case V128:
		return "v128"
	}
	return fmt.Sprintf("type %#x", byte(t))
}

// Expr is something that has a value: a Local, a constant, an operation on other expressions. It is evaluated where it is
// used, each time it is used.
type Expr interface {
	typ() Type
	// write appends the code that leaves the value on the stack.
	write(code []byte) []byte
}

// value is an Expr that is code already.
type value struct {
	t    Type
	code []byte
}

func (v value) typ() Type                { return v.t }
func (v value) write(code []byte) []byte { return append(code, v.code...) }

// operation is the code of operands of type in, in their order, and then op.
func operation(out, in Type, op []byte, operands ...Expr) Expr {
	var code []byte
	for i, e := range operands {
		want(e, in, "operand", i)
		code = e.write(code)
	}
	return value{out, append(code, op...)}
}

func want(e Expr, t Type, what string, i int) {
	if e.typ() != t {
		panic(fmt.Sprintf("emit: %s %d is %s, %s is needed", what, i, e.typ(), t))
	}
}

// uleb is v as an unsigned LEB128 number, sleb as a signed one (WebAssembly 2.0, 5.2.2).
func uleb(code []byte, v uint32) []byte {
	for ; v >= 0x80; v >>= 7 {
		code = append(code, byte(v)|0x80)
	}
	return append(code, byte(v))
}

func sleb(code []byte, v int32) []byte {
	for {
		low, rest := byte(v)&0x7f, v>>7
		if rest == 0 && low < 0x40 || rest == -1 && low >= 0x40 {
			return append(code, low)
		}
		code = append(code, low|0x80)
		v = rest
	}
}
