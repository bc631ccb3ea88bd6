package gguf

import (
	"encoding/binary"
	"math"
	"sort"
)

const (
	// markStep is how many elements of variable size lie between two places the index knows.
	markStep = 256
	// spanBytes is how much Slice reads at a time; a vocabulary of 300,000 tokens is one read.
	spanBytes = 32 << 20
	// decodeBytes bounds what one Slice may take in memory.
	decodeBytes = 1 << 30
)

// array is where the elements of an array lie. Numbers have their place by their size; strings and arrays are found
// from the nearest mark before them.
type array struct {
	elem  ValueType
	n     int
	size  int64  // bytes of all elements in the file
	marks []mark // of strings and arrays: ascending, the first is element 0
	raw   []byte // the elements' bytes if they are kept in memory
}

// mark is the place of one element.
type mark struct {
	elem int
	off  int64
}

// Slice decodes n elements of an array from the start-th on: []bool, []int64 ([]uint64 if one is above
// math.MaxInt64), []float64, []string, or []any for an array of arrays. It reads only what holds those elements.
func (v Value) Slice(start, n int) (any, error) {
	if v.typ != Array {
		return nil, problemf(ErrUnsupported, "a value of type %s is no array", v.typ)
	}
	a := v.arr
	if start < 0 || n < 0 || n > a.n-start {
		return nil, problemf(ErrUnsupported, "elements %d to %d of an array of %d", start, start+n, a.n)
	}
	if size := int64(a.elem.Size()); size > 0 {
		if int64(n)*8 > decodeBytes {
			return nil, v.tooLarge(n)
		}
		data, err := v.bytes(v.off+int64(start)*size, int64(n)*size)
		if err != nil {
			return nil, err
		}
		return numbers(v.src.order, a.elem, data), nil
	}
	if n == 0 {
		if a.elem == String {
			return []string{}, nil
		}
		return []any{}, nil
	}
	spans := v.spans(start, n)
	if last := spans[len(spans)-1]; last.end-spans[0].off+int64(n)*16 > decodeBytes {
		return nil, v.tooLarge(n)
	}
	if a.elem == String {
		out, err := slice(v, spans, start, n, (*cursor).strings)
		if err != nil {
			return nil, err
		}
		return out, nil
	}
	inner, err := slice(v, spans, start, n, (*cursor).arrays)
	if err != nil {
		return nil, err
	}
	out := make([]any, len(inner))
	for i, v := range inner {
		if out[i], err = v.Decode(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Arrays is n elements from the start-th on of an array of arrays, each as a value of its own, in memory.
func (v Value) Arrays(start, n int) ([]Value, error) {
	if v.Elem() != Array || start < 0 || n < 0 || n > v.Len()-start {
		return nil, problemf(ErrUnsupported, "arrays %d to %d of a value of %d of type %s", start, start+n, v.Len(), v.Elem())
	}
	if n == 0 {
		return nil, nil
	}
	return slice(v, v.spans(start, n), start, n, (*cursor).arrays)
}

func (v Value) tooLarge(n int) error {
	return &Error{Offset: v.off, Field: "array value", Err: problemf(ErrUnsupported,
		"%d elements of type %s are too much to decode at once; ask for fewer", n, v.arr.elem)}
}

// bytes are n bytes of the array's elements at a file offset; not to be changed.
func (v Value) bytes(off, n int64) ([]byte, error) {
	if v.arr.raw != nil {
		return v.arr.raw[off-v.off:][:n], nil
	}
	p := make([]byte, n)
	if err := readFull(v.src.r, p, off); err != nil {
		return nil, &Error{Offset: off, Field: "array value", Err: err}
	}
	return p, nil
}

// span is a run of elements that is read at once: bytes [off, end) hold elements from first on.
type span struct {
	first    int
	off, end int64
}

// spans cuts elements [start, start+n) at marks into runs of about spanBytes. n > 0.
func (v Value) spans(start, n int) []span {
	marks := v.arr.marks
	i := sort.Search(len(marks), func(i int) bool { return marks[i].elem > start }) - 1
	var out []span
	for i < len(marks) && marks[i].elem < start+n {
		s := span{marks[i].elem, marks[i].off, v.off + v.arr.size}
		for i++; i < len(marks); i++ {
			if marks[i].elem >= start+n || marks[i].off-s.off >= spanBytes {
				s.end = marks[i].off
				break
			}
		}
		out = append(out, s)
	}
	return out
}

// slice decodes elements [start, start+n) span by span. decode appends at most so many elements, having passed over
// the first skip ones.
func slice[E any](v Value, spans []span, start, n int, decode func(c *cursor, dst []E, skip, most int) []E) ([]E, error) {
	out := make([]E, 0, n)
	for i, s := range spans {
		data, err := v.bytes(s.off, s.end-s.off)
		if err != nil {
			return nil, err
		}
		c := cursor{src: v.src, data: data, off: s.off}
		skip, want := max(start-s.first, 0), n-len(out)
		if i+1 < len(spans) {
			want = spans[i+1].first - s.first - skip
		}
		before := len(out)
		out = decode(&c, out, skip, want)
		if len(out)-before != want {
			return nil, &Error{Offset: s.off, Field: "array value", Err: problemf(ErrTruncated, "the file has changed since it was opened")}
		}
	}
	return out, nil
}

// cursor walks over elements of variable size in memory. It stops early where they do not fit, which they did when the
// header was read.
type cursor struct {
	src  *source
	data []byte
	off  int64 // of data, in the file
	pos  int
}

// length reads a length or count, math.MaxInt if there is none.
func (c *cursor) length() int {
	size := 4
	if c.src.wide {
		size = 8
	}
	if len(c.data)-c.pos < size {
		return math.MaxInt
	}
	n := c.src.length(c.data[c.pos:])
	c.pos += size
	return int(min(n, math.MaxInt))
}

func (c *cursor) strings(dst []string, skip, most int) []string {
	text := string(c.data) // one allocation for all: they are needed together
	for i := 0; i < skip+most; i++ {
		n := c.length()
		if n > len(c.data)-c.pos {
			break
		}
		if i >= skip {
			dst = append(dst, text[c.pos:c.pos+n])
		}
		c.pos += n
	}
	return dst
}

func (c *cursor) arrays(dst []Value, skip, most int) []Value {
	for i := 0; i < skip+most; i++ {
		v, ok := c.array(1)
		if !ok {
			break
		}
		if i >= skip {
			dst = append(dst, v)
		}
	}
	return dst
}

// array passes over one array and returns it as a value whose elements are in memory. depth counts the arrays around it.
func (c *cursor) array(depth int) (Value, bool) {
	if len(c.data)-c.pos < 4 || depth >= maxDepth {
		return Value{}, false
	}
	elem := ValueType(c.src.order.Uint32(c.data[c.pos:]))
	c.pos += 4
	n := c.length()
	start := c.pos
	for i := 0; i < n && elem.Size() == 0; i++ {
		switch elem {
		case String:
			length := c.length()
			if length > len(c.data)-c.pos {
				return Value{}, false
			}
			c.pos += length
		case Array:
			if _, ok := c.array(depth + 1); !ok {
				return Value{}, false
			}
		default:
			return Value{}, false
		}
	}
	if size := elem.Size(); size > 0 {
		if n > (len(c.data)-c.pos)/size {
			return Value{}, false
		}
		c.pos += n * size
	}
	off := c.off + int64(start)
	raw := c.data[start:c.pos:c.pos]
	return Value{typ: Array, off: off, src: c.src, arr: &array{elem, n, int64(len(raw)), []mark{{0, off}}, raw}}, true
}

// length is the length or count at the start of b.
func (s *source) length(b []byte) uint64 {
	if s.wide {
		return s.order.Uint64(b)
	}
	return uint64(s.order.Uint32(b))
}

// numbers decodes elements of a fixed size.
func numbers(o binary.ByteOrder, elem ValueType, data []byte) any {
	n := len(data) / elem.Size()
	switch elem {
	case Bool:
		out := make([]bool, n)
		for i, b := range data {
			out[i] = b != 0
		}
		return out
	case Float32, Float64:
		out := make([]float64, n)
		for i := range out {
			if elem == Float32 {
				out[i] = float64(math.Float32frombits(o.Uint32(data[4*i:])))
			} else {
				out[i] = math.Float64frombits(o.Uint64(data[8*i:]))
			}
		}
		return out
	}
	out, size, above := make([]int64, n), elem.Size(), false
	for i := range out {
		bits := number(o, elem, data[i*size:])
		above = above || elem == Uint64 && bits > math.MaxInt64
		out[i] = int64(bits)
	}
	if !above {
		return out
	}
	wide := make([]uint64, n)
	for i, x := range out {
		wide[i] = uint64(x)
	}
	return wide
}

// number is the bits of one value of a fixed size, sign-extended.
func number(o binary.ByteOrder, t ValueType, b []byte) uint64 {
	switch t {
	case Uint8, Bool:
		return uint64(b[0])
	case Int8:
		return uint64(int8(b[0]))
	case Uint16:
		return uint64(o.Uint16(b))
	case Int16:
		return uint64(int16(o.Uint16(b)))
	case Uint32, Float32:
		return uint64(o.Uint32(b))
	case Int32:
		return uint64(int32(o.Uint32(b)))
	}
	return o.Uint64(b)
}
