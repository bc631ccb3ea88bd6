package gguf

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"unicode/utf8"
)

// metadata reads the keys and values.
func (p *parser) metadata() *fatal {
	for i := range min(p.nKV, maxCount) {
		at := p.offset()
		field := place("key", i)
		key, f := p.text(field)
		if f != nil {
			return f
		}
		if key == "" {
			// an all-zero stretch reads as empty keys without end: it is not worth going on
			return stop("key-empty", at, field, "", problemf(ErrFormat, "an empty key; the header is damaged"))
		}
		v, f := p.value(quoteKey(key))
		if f != nil {
			return f
		}
		p.checkKey(at, key, v)
		if _, twice := p.f.keys[key]; !twice {
			p.f.keys[key] = len(p.f.Metadata)
		}
		p.f.Metadata = append(p.f.Metadata, KV{key, v, at})
	}
	return nil
}

// quoteKey is a key as a field's name: plain if it is a plain word.
func quoteKey(key string) string {
	if q := quote(key); q != `"`+key+`"` || key == "" || bytes.ContainsAny([]byte(key), " =:") {
		return q
	}
	return key
}

func (p *parser) checkKey(at int64, key string, v Value) {
	if _, twice := p.f.keys[key]; twice {
		p.reportAbout("key-duplicate", key, &Error{at, quoteKey(key), "", problemf(ErrFormat,
			"the key is there twice; programs take the first or the last")})
	}
	switch {
	case !utf8.ValidString(key):
		p.add("key-not-utf8", SeverityWarning, key, "the key is not UTF-8; the specification allows ASCII")
	case !plainKey(key):
		p.add("key-form", SeverityNote, key, "the specification wants keys of small letters, digits, underscores and dots (architectures have hyphens too)")
	}
	if len(key) > 65535 {
		p.add("key-too-long", SeverityWarning, key, "a key of "+strconv.Itoa(len(key))+" bytes; the specification allows 65535")
	}
	if key == "general.alignment" {
		p.alignment(at, v)
	}
}

func plainKey(key string) bool {
	for i := range len(key) {
		if c := key[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

// alignment takes the value of general.alignment. ggml wants a power of two; the specification's text a multiple of 8.
// Both are read, what is neither is refused.
func (p *parser) alignment(at int64, v Value) {
	const key = "general.alignment"
	if v.typ != Uint32 {
		p.badAlign = true
		p.reportAbout("alignment", key, &Error{at, key, "", problemf(ErrFormat, "it must be a u32 and is of type %s", v.typ)})
		return
	}
	a := v.bits
	switch {
	case a == 0 || a&(a-1) != 0 && a%8 != 0:
		p.badAlign = true
		p.reportAbout("alignment", key, &Error{at, key, strconv.FormatUint(a, 10), problemf(ErrFormat, "neither a power of two nor a multiple of 8")})
		return
	case a&(a-1) != 0:
		p.add("alignment", SeverityWarning, key, strconv.FormatUint(a, 10)+" is a multiple of 8, as the specification says, but no power of two, which llama.cpp wants")
	case a%8 != 0:
		p.add("alignment", SeverityNote, key, strconv.FormatUint(a, 10)+" is a power of two, which llama.cpp takes, but no multiple of 8, which the specification wants")
	}
	p.f.Alignment = a
}

// value reads a value type and the value.
func (p *parser) value(field string) (Value, *fatal) {
	at := p.offset()
	code, f := p.uint32(field + " type")
	if f != nil {
		return Value{}, f
	}
	v := Value{typ: ValueType(code), src: p.src}
	switch {
	case v.typ == String:
		f = p.stringValue(&v, field)
	case v.typ == Array:
		f = p.arrayValue(&v, field)
	case v.typ.Known():
		v.off = p.offset()
		var b []byte
		if b, f = p.fixed(v.typ.Size(), field); f == nil {
			v.bits = number(p.src.order, v.typ, b)
			p.pos += v.typ.Size()
		}
		if v.typ == Bool && v.bits > 1 {
			p.add("bool-not-0-1", SeverityWarning, field, "a bool of "+strconv.FormatUint(v.bits, 10)+", read as true; the specification allows 0 and 1")
		}
	default:
		f = stop("value-type", at, field+" type", strconv.FormatUint(uint64(code), 10), problemf(ErrFormat, "no such value type; types are 0 to 12"))
	}
	return v, f
}

// stringValue keeps a short string and passes over a long one.
func (p *parser) stringValue(v *Value, field string) *fatal {
	at := p.offset()
	n, f := p.length(field + " length")
	if f != nil {
		return f
	}
	if n > uint64(p.left()) {
		return p.tooLong(at, field+" length", strconv.FormatUint(n, 10), n > maxString)
	}
	if n > maxString {
		return stop("too-long", at, field+" length", strconv.FormatUint(n, 10), problemf(ErrUnsupported, "a string of more than 1 GiB"))
	}
	v.bits, v.off = n, p.offset()
	if !p.keep(int64(n)) {
		p.skip(int64(n))
		return nil
	}
	s, err := p.window.text(int(n))
	if err != nil {
		return p.readError(field, err)
	}
	v.text, v.kept = s, true
	return nil
}

// keep reports whether a value of n bytes may stay in memory, and counts it.
func (p *parser) keep(n int64) bool {
	if n > keepBytes || p.kept+n > keepBytesOf {
		return false
	}
	p.kept += n
	return true
}

func (p *parser) arrayValue(v *Value, field string) *fatal {
	elem, n, f := p.arrayHead(field)
	if f != nil {
		return f
	}
	if elem == Array {
		p.add("nested-array", SeverityWarning, field, "an array of arrays: the specification allows it, llama.cpp refuses the file")
	}
	v.off = p.offset()
	v.arr = &array{elem: elem, n: n}
	if f := p.elements(field, elem, n, 1, &v.arr.marks); f != nil {
		return f
	}
	v.arr.size = p.offset() - v.off
	if inWindow := v.off >= p.base; inWindow && p.keep(v.arr.size) {
		v.arr.raw = bytes.Clone(p.buf[v.off-p.base : p.pos])
	}
	return nil
}

// arrayHead reads an array's element type and count, and compares the count with the bytes that are left.
func (p *parser) arrayHead(field string) (ValueType, int, *fatal) {
	at := p.offset()
	code, f := p.uint32(field + " element type")
	if f != nil {
		return 0, 0, f
	}
	elem := ValueType(code)
	if !elem.Known() {
		return 0, 0, stop("value-type", at, field+" element type", strconv.FormatUint(uint64(code), 10), problemf(ErrFormat, "no such value type; types are 0 to 12"))
	}
	at = p.offset()
	n, f := p.length(field + " count")
	if f != nil {
		return 0, 0, f
	}
	least := uint64(elem.Size())
	switch elem {
	case String:
		least = uint64(p.lengthBytes())
	case Array:
		least = 4 + uint64(p.lengthBytes())
	}
	switch value := strconv.FormatUint(n, 10); {
	case n > uint64(p.left())/least:
		return 0, 0, p.tooLong(at, field+" count", value, n > maxElements)
	case n > maxElements:
		return 0, 0, stop("too-long", at, field+" count", value, problemf(ErrUnsupported, "an array of more than 2^30 elements"))
	}
	return elem, int(n), nil
}

// elements passes over an array's n elements, checking lengths, and marks places if they have no fixed size. depth
// counts the arrays around them.
func (p *parser) elements(field string, elem ValueType, n, depth int, marks *[]mark) *fatal {
	switch elem {
	case String:
		return p.strings(field, n, marks)
	case Bool:
		return p.bools(field, n)
	case Array:
		if depth >= maxDepth {
			return stop("nested-array", p.offset(), field, "", problemf(ErrUnsupported, "arrays nested more than %d deep", maxDepth))
		}
		for i := range n {
			if marks != nil && (i%markStep == 0 || p.offset()-(*marks)[len(*marks)-1].off > windowBytes) {
				*marks = append(*marks, mark{i, p.offset()})
			}
			inner, count, f := p.arrayHead(field)
			if f == nil {
				f = p.elements(field, inner, count, depth+1, nil)
			}
			if f != nil {
				return f
			}
		}
		return nil
	}
	p.skip(int64(n) * int64(elem.Size()))
	return nil
}

func (p *parser) bools(field string, n int) *fatal {
	odd := false
	for n > 0 {
		if p.pos == len(p.buf) {
			if err := p.refill(); err != nil {
				return p.readError(field, err)
			}
		}
		m := min(n, len(p.buf)-p.pos)
		for _, b := range p.buf[p.pos : p.pos+m] {
			odd = odd || b > 1
		}
		p.pos += m
		n -= m
	}
	if odd {
		p.add("bool-not-0-1", SeverityWarning, field, "bools other than 0 and 1, read as true; the specification allows 0 and 1")
	}
	return nil
}

// strings passes over n strings. A vocabulary has 300,000 of them: in the common layout the loop touches a length a
// string and nothing else.
func (p *parser) strings(field string, n int, marks *[]mark) *fatal {
	size, fast := p.lengthBytes(), p.src.wide && !p.f.BigEndian
	lastBase := int64(-1)
	for i := 0; i < n; i++ {
		if marks != nil && (i%markStep == 0 || p.base != lastBase) {
			*marks = append(*marks, mark{i, p.offset()})
			lastBase = p.base
		}
		buf, pos := p.buf, p.pos
		if fast {
			// up to the next mark, as long as whole strings lie in the window
			end := min(n, i-i%markStep+markStep)
			for i < end && len(buf)-pos >= 8 {
				length := binary.LittleEndian.Uint64(buf[pos:])
				if length > uint64(len(buf)-pos-8) {
					break
				}
				pos += 8 + int(length)
				i++
			}
			p.pos = pos
			if i == end {
				i--
				continue
			}
		}
		b, f := p.fixed(size, field)
		if f != nil {
			return f
		}
		length := p.src.length(b)
		if length > uint64(p.left())-uint64(size) {
			return p.tooLong(p.offset(), field+" element "+strconv.Itoa(i)+" length", strconv.FormatUint(length, 10), length > maxString)
		}
		if length > maxString {
			return stop("too-long", p.offset(), field+" element "+strconv.Itoa(i)+" length", strconv.FormatUint(length, 10), problemf(ErrUnsupported, "a string of more than 1 GiB"))
		}
		p.skip(int64(size) + int64(length))
	}
	return nil
}
