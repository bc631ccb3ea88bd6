package chat

import "unicode/utf8"

// generator is a sequence that can be passed once, as map, select and others return it. Each value
// is made when it is asked for.
type generator struct{ next func() (Value, bool) }

// later is a generator that begins to work when it is asked for its first value, as Python's do.
func later(begin func() func() (Value, bool)) *generator {
	var next func() (Value, bool)
	return &generator{func() (Value, bool) {
		if next == nil {
			next = begin()
		}
		return next()
	}}
}

// over passes n values.
func over(n int, at func(i int) Value) func() (Value, bool) {
	i := 0
	return func() (Value, bool) {
		if i >= n {
			return nil, false
		}
		i++
		return at(i - 1), true
	}
}

// iterate passes the values of v as a Python for loop does.
func (m *machine) iterate(v Value) func() (Value, bool) {
	next, ok := m.iterator(v)
	if !ok {
		fail("'%s' object is not iterable", typeName(v))
	}
	return next
}

func (m *machine) iterator(v Value) (func() (Value, bool), bool) {
	if items, ok := sequence(v); ok {
		return over(len(items), func(i int) Value { return items[i] }), true
	}
	if s, ok := asString(v); ok {
		return func() (Value, bool) {
			if s == "" {
				return nil, false
			}
			_, n := utf8.DecodeRuneInString(s)
			c := s[:n]
			s = s[n:]
			return c, true
		}, true
	}
	switch v := v.(type) {
	case *Dict:
		return over(v.Len(), func(i int) Value { return v.keys[i] }), true
	case view:
		return over(v.of.Len(), v.at), true
	case rangeOf:
		return over(int(v.len()), func(i int) Value { return v.start + int64(i)*v.step }), true
	case *generator:
		return v.next, true
	case *loop:
		return func() (Value, bool) {
			if !v.advance() {
				return nil, false
			}
			return tuple{v.current, v}, true
		}, true
	case *undefined:
		return func() (Value, bool) { return nil, false }, true
	}
	return nil, false
}

func (v view) at(i int) Value {
	switch v.kind {
	case "keys":
		return v.of.keys[i]
	case "values":
		return v.of.values[i]
	}
	return tuple{v.of.keys[i], v.of.values[i]}
}

// list is Python's list(v).
func (m *machine) list(v Value) []Value {
	if items, ok := sequence(v); ok {
		m.alloc(len(items) * wordBytes)
		return append([]Value(nil), items...)
	}
	next := m.iterate(v)
	var items []Value
	for {
		x, ok := next()
		if !ok {
			return items
		}
		m.step()
		m.alloc(wordBytes)
		items = append(items, x)
		m.fits(len(items) * wordBytes)
	}
}

// length is Python's len(v), if v has one.
func (m *machine) length(v Value) (int, bool) {
	if items, ok := sequence(v); ok {
		return len(items), true
	}
	if s, ok := asString(v); ok {
		return utf8.RuneCountInString(s), true
	}
	switch v := v.(type) {
	case *Dict:
		return v.Len(), true
	case view:
		return v.of.Len(), true
	case rangeOf:
		return int(v.len()), true
	case *undefined:
		return 0, true
	case *loop:
		return v.length(m), true
	}
	return 0, false
}
