package chat

import "unicode"

// tests by name; the table is made in methods.go.
var tests map[string]builtin

func (m *machine) test(name string, x Value, a *args) Value {
	b, ok := tests[name]
	if !ok {
		fail("there is no test named '%s'", clip(name))
	}
	return b.call(m, name, x, a)
}

func testTable() map[string]builtin {
	kind := func(f func(x Value) bool) builtin {
		return takes("", func(m *machine, x Value, a []Value) Value { return f(x) })
	}
	compared := func(o string) builtin {
		return takes("other", func(m *machine, x Value, a []Value) Value { return m.compare(o, x, a[0]) })
	}
	remainder := func(m *machine, x, y Value) bool { return !truth(m.binary("%", x, y)) }
	cased := func(is func(r rune) bool) builtin {
		return takes("", func(m *machine, x Value, a []Value) Value { return onlyCase(m.str(x), is) })
	}
	t := map[string]builtin{
		"defined":   kind(func(x Value) bool { _, ok := x.(*undefined); return !ok }),
		"undefined": kind(func(x Value) bool { _, ok := x.(*undefined); return ok }),
		"none":      kind(func(x Value) bool { return x == nil }),
		"boolean":   kind(func(x Value) bool { _, ok := x.(bool); return ok }),
		"true":      kind(func(x Value) bool { b, ok := x.(bool); return ok && b }),
		"false":     kind(func(x Value) bool { b, ok := x.(bool); return ok && !b }),
		"integer": kind(func(x Value) bool {
			_, isBool := x.(bool)
			_, ok := asFloat(x)
			_, isFloat := x.(float64)
			return ok && !isBool && !isFloat
		}),
		"float":   kind(func(x Value) bool { _, ok := x.(float64); return ok }),
		"number":  kind(func(x Value) bool { _, ok := asFloat(x); return ok }),
		"string":  kind(func(x Value) bool { _, ok := asString(x); return ok }),
		"escaped": kind(func(x Value) bool { _, ok := x.(markup); return ok }),
		"mapping": kind(func(x Value) bool { _, ok := x.(*Dict); return ok }),
		"sequence": kind(func(x Value) bool {
			switch x.(type) {
			case string, markup, *List, tuple, group, *Dict, rangeOf, *undefined:
				return true
			}
			return false
		}),
		"iterable": takes("", func(m *machine, x Value, a []Value) Value { _, ok := m.iterator(x); return ok }),
		"callable": kind(func(x Value) bool {
			switch x := x.(type) {
			case *macro, *function, method, *loop, *undefined:
				return true
			case *object:
				return x.call != nil
			}
			return false
		}),
		"filter": kind(func(x Value) bool { s, ok := asString(x); _, is := filters[s]; return ok && is }),
		"test":   kind(func(x Value) bool { s, ok := asString(x); _, is := tests[s]; return ok && is }),
		"odd":    takes("", func(m *machine, x Value, a []Value) Value { return m.equal(m.binary("%", x, int64(2)), int64(1)) }),
		"even":   takes("", func(m *machine, x Value, a []Value) Value { return remainder(m, x, int64(2)) }),
		"divisibleby": takes("num", func(m *machine, x Value, a []Value) Value {
			return remainder(m, x, a[0])
		}),
		"sameas": takes("other", func(m *machine, x Value, a []Value) Value { return same(x, a[0]) }),
		"in":     compared("in"),
		"upper":  cased(unicode.IsUpper),
		"lower":  cased(unicode.IsLower),
	}
	for o, names := range map[string][]string{"==": {"eq", "equalto"}, "!=": {"ne"}, "<": {"lt", "lessthan"}, "<=": {"le"},
		">": {"gt", "greaterthan"}, ">=": {"ge"}} {
		for _, name := range append(names, o) {
			t[name] = compared(o)
		}
	}
	return t
}
