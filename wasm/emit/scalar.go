package emit

import (
	"encoding/binary"
	"math"
)

// Int is a constant of type i32, the lower 32 bits of v; Float is one of type f32.
func Int(v int) Expr { return value{I32, sleb([]byte{0x41}, int32(v))} }

func Float(v float32) Expr {
	return value{F32, binary.LittleEndian.AppendUint32([]byte{0x43}, math.Float32bits(v))}
}

func i32(op byte, operands ...Expr) Expr { return operation(I32, I32, []byte{op}, operands...) }
func f32(op byte, operands ...Expr) Expr { return operation(F32, F32, []byte{op}, operands...) }

// Operations on i32, modulo 2^32. Those ending in S take numbers as signed, those in U as unsigned; comparisons are 1
// where they hold, else 0.
func Add(a, b Expr) Expr  { return i32(0x6a, a, b) }
func Sub(a, b Expr) Expr  { return i32(0x6b, a, b) }
func Mul(a, b Expr) Expr  { return i32(0x6c, a, b) }
func DivU(a, b Expr) Expr { return i32(0x6e, a, b) }
func And(a, b Expr) Expr  { return i32(0x71, a, b) }
func Or(a, b Expr) Expr   { return i32(0x72, a, b) }
func Shl(a, n Expr) Expr  { return i32(0x74, a, n) }
func ShrU(a, n Expr) Expr { return i32(0x76, a, n) }
func LtS(a, b Expr) Expr  { return i32(0x48, a, b) }
func LtU(a, b Expr) Expr  { return i32(0x49, a, b) }
func GtS(a, b Expr) Expr  { return i32(0x4a, a, b) }
func GeS(a, b Expr) Expr  { return i32(0x4e, a, b) }
func GeU(a, b Expr) Expr  { return i32(0x4f, a, b) }

// Select is a if cond is not 0, else b; both are evaluated.
func Select(cond, a, b Expr) Expr {
	want(cond, I32, "condition", 0)
	want(b, a.typ(), "operand", 1)
	return value{a.typ(), append(cond.write(b.write(a.write(nil))), 0x1b)}
}

// Operations on f32, each rounded once.
func AddF32(a, b Expr) Expr { return f32(0x92, a, b) }
func DivF32(a, b Expr) Expr { return f32(0x95, a, b) }

// BitsF32 is the f32 of some bits, F32Bits its bits.
func BitsF32(a Expr) Expr { return operation(F32, I32, []byte{0xbe}, a) }
func F32Bits(a Expr) Expr { return operation(I32, F32, []byte{0xbc}, a) }

// memory is an instruction's place in memory: an alignment of 1 byte is promised, whatever the address.
func memory(op []byte, offset int) []byte { return uleb(append(op, 0), uint32(offset)) }

// Loads from address p + offset, at any alignment.
func Load(p Expr, offset int) Expr    { return operation(I32, I32, memory([]byte{0x28}, offset), p) }
func Load8U(p Expr, offset int) Expr  { return operation(I32, I32, memory([]byte{0x2d}, offset), p) }
func Load16U(p Expr, offset int) Expr { return operation(I32, I32, memory([]byte{0x2f}, offset), p) }
func LoadF32(p Expr, offset int) Expr { return operation(F32, I32, memory([]byte{0x2a}, offset), p) }

// Store writes an i32, Store16 its lower half, StoreF32 an f32 to p + offset, at any alignment.
func (f *Func) Store(p Expr, offset int, v Expr) {
	want(p, I32, "address", 0)
	want(v, I32, "value", 0)
	f.effect(memory([]byte{0x36}, offset), p, v)
}

func (f *Func) Store16(p Expr, offset int, v Expr) {
	want(p, I32, "address", 0)
	want(v, I32, "value", 0)
	f.effect(memory([]byte{0x3b}, offset), p, v)
}

func (f *Func) StoreF32(p Expr, offset int, v Expr) {
	want(p, I32, "address", 0)
	want(v, F32, "value", 0)
	f.effect(memory([]byte{0x38}, offset), p, v)
}
