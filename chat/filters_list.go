package chat

import (
	"slices"
	"strconv"
	"strings"
)

// getter takes an attribute of a value: a path with dots, or a number; nil: the value itself. What is
// undefined is replaced by or, if that is not nil. fold makes texts lower.
func (m *machine) getter(attribute, or Value, fold bool) func(Value) Value {
	var path []Value
	if s, ok := asString(attribute); ok {
		for part := range strings.SplitSeq(s, ".") {
			if n, err := strconv.ParseInt(part, 10, 64); err == nil {
				path = append(path, n)
			} else {
				path = append(path, part)
			}
		}
	} else if attribute != nil {
		path = []Value{attribute}
	}
	return func(v Value) Value {
		m.step()
		for _, part := range path {
			v = m.index(v, part)
			if _, ok := v.(*undefined); ok && or != nil {
				v = or
			}
		}
		if s, ok := asString(v); ok && fold {
			return lower(s)
		}
		return v
	}
}

func listFilters() map[string]builtin {
	return map[string]builtin{
		"length": takes("", func(m *machine, x Value, a []Value) Value {
			n, ok := m.length(x)
			if !ok {
				fail("object of type '%s' has no len()", typeName(x))
			}
			return int64(n)
		}),
		"list": takes("", func(m *machine, x Value, a []Value) Value { return &List{m.list(x)} }),
		"first": takes("", func(m *machine, x Value, a []Value) Value {
			if v, ok := m.iterate(x)(); ok {
				return v
			}
			return &undefined{"No first item, sequence was empty."}
		}),
		"last": takes("", func(m *machine, x Value, a []Value) Value {
			if v, ok := m.reversed(x)(); ok {
				return v
			}
			return &undefined{"No last item, sequence was empty."}
		}),
		"reverse": takes("", func(m *machine, x Value, a []Value) Value {
			if s, ok := asString(x); ok {
				return m.slice(s, nil, nil, int64(-1))
			}
			if _, ok := x.(*generator); ok {
				items := m.list(x)
				slices.Reverse(items)
				return &List{items}
			}
			return &generator{m.reversed(x)}
		}),
		"join": takes("| d attribute", func(m *machine, x Value, a []Value) Value {
			get := m.getter(orNone(a[1]), nil, false)
			items := m.list(x)
			parts := make([]string, len(items))
			for i, v := range items {
				parts[i] = m.str(get(v))
			}
			sep := ""
			if given(a[0]) {
				sep = m.str(a[0])
			}
			return m.join(parts, sep)
		}),
		"sort": takes("| reverse case_sensitive attribute", func(m *machine, x Value, a []Value) Value {
			var keys []func(Value) Value
			fold := !boolArg(a[1], false)
			if s, ok := asString(orNone(a[2])); ok {
				for part := range strings.SplitSeq(s, ",") {
					keys = append(keys, m.getter(part, nil, fold))
				}
			} else {
				keys = append(keys, m.getter(orNone(a[2]), nil, fold))
			}
			return &List{m.sorted(m.list(x), boolArg(a[0], false), func(v Value) Value {
				if len(keys) == 1 {
					return keys[0](v)
				}
				t := make(tuple, len(keys))
				for i, key := range keys {
					t[i] = key(v)
				}
				return t
			})}
		}),
		"unique": takes("| case_sensitive attribute", func(m *machine, x Value, a []Value) Value {
			get := m.getter(orNone(a[1]), nil, !boolArg(a[0], false))
			return later(func() func() (Value, bool) {
				next, seen := m.iterate(x), NewDict()
				return func() (Value, bool) {
					for {
						v, ok := next()
						if !ok {
							return nil, false
						}
						key := get(v)
						if _, ok := m.item(seen, key); !ok {
							m.alloc(4 * wordBytes)
							m.setItem(seen, key, true)
							return v, true
						}
					}
				}
			})
		}),
		"groupby": takes("attribute | default case_sensitive", func(m *machine, x Value, a []Value) Value {
			key := m.getter(a[0], orNone(a[1]), !boolArg(a[2], false))
			shown := m.getter(a[0], orNone(a[1]), false)
			var groups []Value
			var list *List
			var last Value
			for _, v := range m.sorted(m.list(x), false, key) {
				if k := key(v); list == nil || !m.equal(k, last) {
					list, last = &List{}, k
					groups = append(groups, group{shown(v), list})
				}
				list.Items = append(list.Items, v)
			}
			return &List{groups}
		}),
		"batch": takes("linecount | fill_with", func(m *machine, x Value, a []Value) Value {
			return later(func() func() (Value, bool) { return m.batches(m.list(x), m.intArg(a[0], 0), orNone(a[1])) })
		}),
		"slice": takes("slices | fill_with", func(m *machine, x Value, a []Value) Value {
			return later(func() func() (Value, bool) { return m.slices(m.list(x), m.intArg(a[0], 0), orNone(a[1])) })
		}),
		"items": takes("", func(m *machine, x Value, a []Value) Value {
			if _, ok := x.(*undefined); ok {
				return &generator{m.iterate(x)}
			}
			return later(func() func() (Value, bool) {
				d, ok := x.(*Dict)
				if !ok {
					fail("Can only get item pairs from a mapping.")
				}
				return m.iterate(view{d, "items"})
			})
		}),
		"dictsort": takes("| case_sensitive by reverse", func(m *machine, x Value, a []Value) Value {
			d, ok := x.(*Dict)
			if !ok {
				m.attr(x, "items") // complains where x is undefined
				fail("'%s' object has no attribute 'items'", typeName(x))
			}
			at, ok := map[string]int64{"key": 0, "value": 1}[m.strArg(a[1], "key")]
			if !ok {
				fail("You can only sort by either \"key\" or \"value\"")
			}
			key := m.getter(at, nil, !boolArg(a[0], false))
			return &List{m.sorted(m.list(view{d, "items"}), boolArg(a[2], false), key)}
		}),
	}
}

// batches passes items in rows of n; the last one is filled up with fill, if that is not nil.
func (m *machine) batches(items []Value, n int, fill Value) func() (Value, bool) {
	if n <= 0 {
		fail("batch: at least 1 is needed, got %d", n)
	}
	from := 0
	return func() (Value, bool) {
		if from >= len(items) {
			return nil, false
		}
		row := slices.Clone(items[from:min(from+n, len(items))])
		from += n
		if fill != nil {
			m.fits(m.times(n, wordBytes))
			for len(row) < n {
				row = append(row, fill)
			}
		}
		return m.made(&List{row}), true
	}
}

// slices passes items in n columns of about the same length; the shorter ones get fill, if that is not nil.
func (m *machine) slices(items []Value, n int, fill Value) func() (Value, bool) {
	if n <= 0 {
		fail("slice: at least 1 is needed, got %d", n)
	}
	each, more, from := len(items)/n, len(items)%n, 0
	return over(n, func(i int) Value {
		to := from + each
		if i < more {
			to++
		}
		column := slices.Clone(items[from:to])
		if fill != nil && i >= more {
			column = append(column, fill)
		}
		from = to
		return m.made(&List{column})
	})
}

// reversed passes the values from the last on.
func (m *machine) reversed(x Value) func() (Value, bool) {
	switch x.(type) {
	case *generator, *loop:
		fail("'%s' object is not reversible", typeName(x))
	}
	items := m.list(x)
	return over(len(items), func(i int) Value { return items[len(items)-1-i] })
}

// choiceFilters choose among values, or make others of them.
func choiceFilters() map[string]builtin {
	choice := func(want, byAttr bool) builtin {
		return raw(func(m *machine, x Value, a *args) Value {
			return later(func() func() (Value, bool) { return m.chosenBy(x, a, want, byAttr) })
		})
	}
	return map[string]builtin{
		"default": takes("| default_value boolean", func(m *machine, x Value, a []Value) Value {
			if _, ok := x.(*undefined); ok || boolArg(a[1], false) && !truth(x) {
				return orZero(a[0], "")
			}
			return x
		}),
		"attr": takes("name", func(m *machine, x Value, a []Value) Value {
			name := m.strArg(a[0], "")
			if v, ok := m.attribute(x, name); ok {
				return v
			}
			return without(x, name)
		}),
		"map": raw(func(m *machine, x Value, a *args) Value {
			return later(func() func() (Value, bool) { return m.mapped(x, a) })
		}),
		"select":     choice(true, false),
		"reject":     choice(false, false),
		"selectattr": choice(true, true),
		"rejectattr": choice(false, true),
	}
}

// mapped is the filter map: an attribute of each value, or a filter of each. What is false has none.
func (m *machine) mapped(x Value, a *args) func() (Value, bool) {
	if !truth(x) {
		return over(0, nil)
	}
	var f func(Value) Value
	if len(a.pos) == 0 && slices.Contains(a.names, "attribute") {
		b := a.bind("map", 0, "attribute", "default")
		f = m.getter(b[0], orNone(b[1]), false)
	} else {
		if len(a.pos) == 0 {
			fail("map requires a filter argument")
		}
		name := m.strArg(a.pos[0], "")
		rest := &args{a.pos[1:], a.names, a.named}
		f = func(v Value) Value { return m.filter(name, v, rest) }
	}
	next := m.iterate(x)
	return func() (Value, bool) {
		v, ok := next()
		if !ok {
			return nil, false
		}
		return f(v), true
	}
}

// chosenBy is select and reject, with byAttr of an attribute of each value: those for which a test
// holds, or which are true.
func (m *machine) chosenBy(x Value, a *args, want, byAttr bool) func() (Value, bool) {
	if !truth(x) {
		return over(0, nil)
	}
	rest := &args{a.pos, a.names, a.named}
	get := m.getter(nil, nil, false)
	if byAttr {
		if len(rest.pos) == 0 {
			fail("Missing parameter for attribute name")
		}
		get = m.getter(rest.pos[0], nil, false)
		rest.pos = rest.pos[1:]
	}
	holds := truth
	if len(rest.pos) > 0 {
		name := m.strArg(rest.pos[0], "")
		rest.pos = rest.pos[1:]
		holds = func(v Value) bool { return truth(m.test(name, v, rest)) }
	}
	next := m.iterate(x)
	return func() (Value, bool) {
		for {
			v, ok := next()
			if !ok || holds(get(v)) == want {
				return v, ok
			}
		}
	}
}
