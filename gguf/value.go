package gguf

import (
	"math"
	"strconv"
)

// ValueType is the type of a metadata value, as the file codes it.
type ValueType uint32

// The value types of the specification.
const (
	Uint8 ValueType = iota
	Int8
	Uint16
	Int16
	Uint32
	Int32
	Float32
	Bool
	String
	Array
	Uint64
	Int64
	Float64
)

var valueTypes = [...]struct {
	name string
	size int // bytes in the file, 0 for strings and arrays
}{
	Uint8: {"u8", 1}, Int8: {"i8", 1}, Uint16: {"u16", 2}, Int16: {"i16", 2}, Uint32: {"u32", 4}, Int32: {"i32", 4},
	Float32: {"f32", 4}, Bool: {"bool", 1}, String: {"str", 0}, Array: {"arr", 0}, Uint64: {"u64", 8}, Int64: {"i64", 8},
	Float64: {"f64", 8},
}

// Known reports whether the specification has this type.
func (t ValueType) Known() bool { return int64(t) < int64(len(valueTypes)) }

// Size is the number of bytes of one value, 0 for strings and arrays.
func (t ValueType) Size() int {
	if !t.Known() {
		return 0
	}
	return valueTypes[t].size
}

// String is the short name: "u32", "str", "arr".
func (t ValueType) String() string {
	if !t.Known() {
		return "type " + strconv.FormatUint(uint64(t), 10)
	}
	return valueTypes[t].name
}

// KV is one metadata pair.
type KV struct {
	Key    string // bytes as in the file, not necessarily UTF-8
	Value  Value
	Offset int64 // of the pair in its file
}

// Value is a metadata value: a number, a string, or an array that is decoded on demand. Small values are in memory;
// others are read from the file, so the methods that return an error may read.
type Value struct {
	typ  ValueType
	bits uint64 // a number's bits, sign-extended; a string's length in bytes
	text string // a string that is kept in memory
	kept bool   // text holds it
	off  int64  // of the number, of the string's first byte, of the array's first element
	arr  *array
	src  *source
}

// Type is the value's type.
func (v Value) Type() ValueType { return v.typ }

// Offset is where the value itself stands in its file: the number, the first byte of the string, the first element.
func (v Value) Offset() int64 { return v.off }

// Elem is the type of an array's elements.
func (v Value) Elem() ValueType {
	if v.arr == nil {
		return v.typ
	}
	return v.arr.elem
}

// Len is the number of elements of an array, of bytes of a string, and 1 for a number.
func (v Value) Len() int {
	switch v.typ {
	case Array:
		return v.arr.n
	case String:
		return int(v.bits)
	}
	return 1
}

// Int is the number as an int64; ok is false for anything but integers and bools, and above math.MaxInt64.
func (v Value) Int() (n int64, ok bool) {
	switch v.typ {
	case Uint8, Int8, Uint16, Int16, Uint32, Int32, Int64, Bool:
		return int64(v.bits), true
	case Uint64:
		return int64(v.bits), v.bits <= math.MaxInt64
	}
	return 0, false
}

// Uint is the number as a uint64; ok is false for anything but integers and bools, and for negative ones.
func (v Value) Uint() (n uint64, ok bool) {
	switch v.typ {
	case Uint8, Uint16, Uint32, Uint64, Bool:
		return v.bits, true
	case Int8, Int16, Int32, Int64:
		return v.bits, int64(v.bits) >= 0
	}
	return 0, false
}

// Float is an f32 or f64; ok is false for others.
func (v Value) Float() (x float64, ok bool) {
	switch v.typ {
	case Float32:
		return float64(math.Float32frombits(uint32(v.bits))), true
	case Float64:
		return math.Float64frombits(v.bits), true
	}
	return 0, false
}

// Text is the bytes of a string, not necessarily UTF-8.
func (v Value) Text() (string, error) {
	if v.typ != String {
		return "", problemf(ErrUnsupported, "a value of type %s is no string", v.typ)
	}
	if v.kept {
		return v.text, nil
	}
	p := make([]byte, v.bits)
	if err := readFull(v.src.r, p, v.off); err != nil {
		return "", &Error{Offset: v.off, Field: "string value", Err: err}
	}
	return string(p), nil
}

// Decode is the value as a plain one: bool, int64 (uint64 only above math.MaxInt64), float64, string, or for an array
// what Slice gives for all of it. Any integer width becomes int64, any float float64.
func (v Value) Decode() (any, error) {
	switch v.typ {
	case Bool:
		return v.bits != 0, nil
	case Float32, Float64:
		x, _ := v.Float()
		return x, nil
	case String:
		return v.Text()
	case Array:
		return v.Slice(0, v.arr.n)
	}
	if n, ok := v.Int(); ok {
		return n, nil
	}
	return v.bits, nil
}
