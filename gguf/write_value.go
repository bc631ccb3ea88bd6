package gguf

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"slices"
)

// ValueOf makes a value of a plain one: a bool, an integer of 8 to 64 bits, a float32 or float64, a string, or a slice of
// one of these. Its type is the Go type's; int and uint are not taken, since a file says how wide a number is. ok is
// false for anything else.
func ValueOf(v any) (value Value, ok bool) {
	switch s := v.(type) {
	case string:
		return Value{typ: String, bits: uint64(len(s)), text: s, kept: true, off: -1}, true
	case []bool:
		return arrayOf(Bool, s), true
	case []uint8:
		return arrayOf(Uint8, s), true
	case []int8:
		return arrayOf(Int8, s), true
	case []uint16:
		return arrayOf(Uint16, s), true
	case []int16:
		return arrayOf(Int16, s), true
	case []uint32:
		return arrayOf(Uint32, s), true
	case []int32:
		return arrayOf(Int32, s), true
	case []uint64:
		return arrayOf(Uint64, s), true
	case []int64:
		return arrayOf(Int64, s), true
	case []float32:
		return arrayOf(Float32, s), true
	case []float64:
		return arrayOf(Float64, s), true
	case []string:
		return arrayOf(String, s), true
	}
	b := scalar(nil, v)
	if b == nil {
		return Value{}, false
	}
	t := scalarType(v)
	return Value{typ: t, bits: number(binary.LittleEndian, t, b), off: -1}, true
}

// arrayOf is an array whose elements are in memory as a little-endian file has them.
func arrayOf[E any](elem ValueType, s []E) Value {
	raw, marks := []byte{}, []mark(nil)
	for i, x := range s {
		if elem == String && i%markStep == 0 {
			marks = append(marks, mark{i, int64(len(raw))})
		}
		raw = scalar(raw, x)
	}
	memory := &source{r: bytes.NewReader(raw), size: int64(len(raw)), order: binary.LittleEndian, wide: true}
	return Value{typ: Array, src: memory, arr: &array{elem: elem, n: len(s), size: int64(len(raw)), marks: marks, raw: raw}}
}

// scalar appends a number or string as a little-endian file has it; nil if v is neither.
func scalar(b []byte, v any) []byte {
	le := binary.LittleEndian
	switch v := v.(type) {
	case bool:
		if v {
			return append(b, 1)
		}
		return append(b, 0)
	case uint8:
		return append(b, v)
	case int8:
		return append(b, byte(v))
	case uint16:
		return le.AppendUint16(b, v)
	case int16:
		return le.AppendUint16(b, uint16(v))
	case uint32:
		return le.AppendUint32(b, v)
	case int32:
		return le.AppendUint32(b, uint32(v))
	case uint64:
		return le.AppendUint64(b, v)
	case int64:
		return le.AppendUint64(b, uint64(v))
	case float32:
		return le.AppendUint32(b, math.Float32bits(v))
	case float64:
		return le.AppendUint64(b, math.Float64bits(v))
	case string:
		return append(le.AppendUint64(b, uint64(len(v))), v...)
	}
	return nil
}

func scalarType(v any) ValueType {
	switch v.(type) {
	case bool:
		return Bool
	case uint8:
		return Uint8
	case int8:
		return Int8
	case uint16:
		return Uint16
	case int16:
		return Int16
	case uint32:
		return Uint32
	case int32:
		return Int32
	case uint64:
		return Uint64
	case int64:
		return Int64
	case float32:
		return Float32
	}
	return Float64
}

// encoding writes the fields of a header and counts their bytes; after an error it does nothing more. Into io.Discard
// it only counts, and reads no value whose size is known.
type encoding struct {
	w   io.Writer
	n   int64
	err error
}

func (e *encoding) bytes(p []byte) {
	if e.err == nil {
		_, e.err = e.w.Write(p)
		e.n += int64(len(p))
	}
}

func (e *encoding) uint32(n uint32) { e.bytes(binary.LittleEndian.AppendUint32(nil, n)) }
func (e *encoding) uint64(n uint64) { e.bytes(binary.LittleEndian.AppendUint64(nil, n)) }

func (e *encoding) text(s string) {
	e.uint64(uint64(len(s)))
	e.bytes([]byte(s))
}

// value writes a value without its type.
func (e *encoding) value(v Value) {
	switch {
	case v.typ == Array:
		e.uint32(uint32(v.arr.elem))
		e.uint64(uint64(v.arr.n))
		e.elements(v)
	case v.typ == String && v.kept:
		e.text(v.text)
	case v.typ == String:
		e.uint64(v.bits)
		e.copy(v.src.r, v.off, int64(v.bits), "string value")
	default:
		e.bytes(binary.LittleEndian.AppendUint64(nil, v.bits)[:v.typ.Size()])
	}
}

// elements writes the elements of an array: the bytes of the file they are in, if that has the layout of version 3.
func (e *encoding) elements(v Value) {
	switch {
	case v.src.wide && !v.src.bigEndian():
		if v.arr.raw != nil {
			e.bytes(v.arr.raw)
			return
		}
		e.copy(v.src.r, v.off, v.arr.size, "array value")
	default:
		r := v.src.r
		if v.arr.raw != nil {
			r = offsetReader{bytes.NewReader(v.arr.raw), v.off}
		}
		t := turner{window: newWindow(r, v.off+v.arr.size), src: v.src, e: e}
		defer t.free()
		t.skip(v.off)
		t.elements(v.arr.elem, v.arr.n, 1)
	}
}

// copy writes n bytes from off on.
func (e *encoding) copy(r io.ReaderAt, off, n int64, field string) {
	if e.w == io.Discard {
		e.n += n
		return
	}
	p := make([]byte, min(n, windowBytes))
	for n > 0 && e.err == nil {
		p = p[:min(n, int64(len(p)))]
		if err := readFull(r, p, off); err != nil {
			e.err = &Error{Offset: off, Field: field, Err: err}
			return
		}
		e.bytes(p)
		off, n = off+int64(len(p)), n-int64(len(p))
	}
}

// offsetReader is a reader whose first byte is at off.
type offsetReader struct {
	io.ReaderAt
	off int64
}

func (r offsetReader) ReadAt(p []byte, off int64) (int, error) {
	return r.ReaderAt.ReadAt(p, off-r.off)
}

// turner writes the elements of an array of version 1, or of a big-endian file, in the layout of version 3.
type turner struct {
	window
	src *source
	e   *encoding
}

// take is the next n bytes, at most windowTail; nil after an error.
func (t *turner) take(n int) []byte {
	if t.e.err != nil {
		return nil
	}
	if int64(n) > t.left() {
		t.changed()
		return nil
	}
	b, err := t.need(n)
	if err != nil {
		t.e.err = &Error{Offset: t.offset(), Field: "array value", Err: err}
		return nil
	}
	t.pos += n
	return b
}

// changed is the error of an array that was whole when the file was opened.
func (t *turner) changed() {
	if t.e.err == nil {
		t.e.err = &Error{Offset: t.offset(), Field: "array value", Err: problemf(ErrTruncated, "the file has changed since it was opened")}
	}
}

func (t *turner) length() (n uint64) {
	size := 4
	if t.src.wide {
		size = 8
	}
	if b := t.take(size); b != nil {
		n = t.src.length(b)
	}
	return n
}

// elements writes n elements. depth counts the arrays around them.
func (t *turner) elements(elem ValueType, n, depth int) {
	size := elem.Size()
	for i := 0; i < n && t.e.err == nil; i++ {
		switch {
		case size > 0:
			if b := t.take(size); b != nil {
				var number [8]byte
				copy(number[:], b)
				if t.src.bigEndian() {
					slices.Reverse(number[:size])
				}
				t.e.bytes(number[:size])
			}
		case elem == String:
			length := t.length()
			t.e.uint64(length)
			for length > 0 && t.e.err == nil {
				part := int(min(length, windowTail))
				t.e.bytes(t.take(part))
				length -= uint64(part)
			}
		default:
			b := t.take(4)
			if b == nil {
				return
			}
			inner := ValueType(t.src.order.Uint32(b))
			count := t.length()
			if count > maxElements || !inner.Known() || depth >= maxDepth {
				t.changed()
				return
			}
			t.e.uint32(uint32(inner))
			t.e.uint64(count)
			t.elements(inner, int(count), depth+1)
		}
	}
}
