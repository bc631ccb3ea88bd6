package chat

import (
	"math"
	"strings"
	"unicode/utf8"
)

// attr is x.name: an attribute of Python's first, then an item, as jinja2 has it. So the key "items"
// of a dict hides behind the method.
func (m *machine) attr(x Value, name string) Value {
	if v, ok := m.attribute(x, name); ok {
		return v
	}
	if d, ok := x.(*Dict); ok {
		if v, ok := d.Get(name); ok {
			return v
		}
	}
	return without(x, name)
}

// without is the undefined value for what x has not.
func without(x Value, name string) *undefined {
	return &undefined{reprString(described(x)) + " has no attribute " + reprString(clip(name))}
}

// attribute is Python's getattr, within what the sandbox allows.
func (m *machine) attribute(x Value, name string) (Value, bool) {
	switch x := x.(type) {
	case *undefined:
		fail("%s", x.why)
	case *namespace:
		if v, ok := x.attrs.Get(name); ok {
			return v, true
		}
		return nil, false
	case *loop:
		return x.attr(m, name)
	case *macro:
		return x.attr(name)
	case *object:
		return x.attr(m, name)
	case group:
		switch name {
		case "grouper":
			return x.grouper, true
		case "list":
			return x.list, true
		}
	}
	class := typeName(x)
	if strings.Contains(changing[class], " "+name+" ") {
		return &undefined{"access to attribute '" + name + "' of '" + class + "' object is unsafe."}, true
	}
	if _, ok := methodsOf(x)[name]; ok {
		return method{x, name}, true
	}
	return nil, false
}

// changing are the methods that the sandbox does not give away, for they change the value.
var changing = map[string]string{
	"list": " append clear extend insert pop remove reverse sort ",
	"dict": " clear pop popitem setdefault update ",
}

func methodsOf(x Value) map[string]builtin {
	switch x.(type) {
	case string, markup:
		return strMethods
	case *Dict:
		return dictMethods
	case *List, tuple, rangeOf, group:
		return listMethods
	case float64:
		return floatMethods
	}
	return nil
}

func (m *machine) callMethod(f method, a *args) Value {
	b := methodsOf(f.self)[f.name]
	v := b.call(m, f.name, f.self, a)
	if _, ok := f.self.(markup); ok && f.name != "join" {
		return asMarkup(v)
	}
	return v
}

// asMarkup gives what a method of markup returns its kind.
func asMarkup(v Value) Value {
	switch v := v.(type) {
	case string:
		return markup(v)
	case *List:
		l := &List{make([]Value, len(v.Items))}
		for i, x := range v.Items {
			l.Items[i] = asMarkup(x)
		}
		return l
	}
	return v
}

// index is x[i]: an item first, then an attribute.
func (m *machine) index(x, i Value) Value {
	switch x := x.(type) {
	case *undefined:
		fail("%s", x.why)
	case *Dict:
		if !hashable(i) {
			break
		}
		if v, ok := m.item(x, i); ok {
			return v
		}
	}
	if n, ok := asInt(i); ok {
		if v, ok := at(x, n); ok {
			return v
		}
		return &undefined{described(x) + " has no element " + reprNumber(n)}
	}
	if name, ok := asString(i); ok {
		if v, ok := m.attribute(x, name); ok {
			return v
		}
		return without(x, name)
	}
	return &undefined{described(x) + " has no element " + clip(m.repr(i))}
}

// at is item n of a sequence, from the end where n is negative.
func at(x Value, n int64) (Value, bool) {
	if s, ok := asString(x); ok {
		return charAt(s, n)
	}
	if items, ok := sequence(x); ok {
		if n < 0 {
			n += int64(len(items))
		}
		if n < 0 || n >= int64(len(items)) {
			return nil, false
		}
		return items[n], true
	}
	if r, ok := x.(rangeOf); ok {
		if n < 0 {
			n += r.len()
		}
		if n < 0 || n >= r.len() {
			return nil, false
		}
		return r.start + n*r.step, true
	}
	return nil, false
}

func charAt(s string, n int64) (Value, bool) {
	if n < 0 {
		for ; s != ""; n++ {
			_, size := utf8.DecodeLastRuneInString(s)
			if n == -1 {
				return s[len(s)-size:], true
			}
			s = s[:len(s)-size]
		}
		return nil, false
	}
	for i := range s {
		if n == 0 {
			_, size := utf8.DecodeRuneInString(s[i:])
			return s[i : i+size], true
		}
		n--
	}
	return nil, false
}

// slice is x[start:stop:step].
func (m *machine) slice(x, start, stop, step Value) Value {
	m.work(x)
	if u, ok := x.(*undefined); ok {
		fail("%s", u.why)
	}
	n, _ := m.length(x)
	items, isSeq := sequence(x)
	s, isText := asString(x)
	r, isRange := x.(rangeOf)
	if !isSeq && !isText && !isRange {
		fail("a slice of '%s' object cannot be taken", typeName(x))
	}
	from, to, by := bounds(start, stop, step, n)
	picked := rangeOf{int64(from), int64(to), int64(by)}
	count := int(picked.len())
	switch {
	case isText:
		text := sliceText(s, n, from, count, by)
		if _, ok := x.(markup); ok {
			return m.made(markup(text))
		}
		return m.made(text)
	case isRange:
		return rangeOf{r.start + int64(from)*r.step, r.start + int64(to)*r.step, r.step * int64(by)}
	}
	part := make([]Value, count)
	for i := range part {
		part[i] = items[from+i*by]
	}
	if _, ok := x.(*List); ok {
		return m.made(&List{part})
	}
	return m.made(tuple(part))
}

func sliceText(s string, n, from, count, by int) string {
	if count == 0 {
		return ""
	}
	if n == len(s) && by == 1 {
		return s[from : from+count]
	}
	runes := []rune(s)
	part := make([]rune, count)
	for i := range part {
		part[i] = runes[from+i*by]
	}
	return string(part)
}

// bounds are Python's rules for slices of n items: every bound may be None, negative or far away.
func bounds(start, stop, step Value, n int) (from, to, by int) {
	number := func(v Value, or int) int {
		if v == nil {
			return or
		}
		i, ok := asInt(v)
		if !ok {
			fail("slice indices must be integers or None or have an __index__ method")
		}
		return int(max(min(i, math.MaxInt32), -math.MaxInt32))
	}
	by = number(step, 1)
	if by == 0 {
		fail("slice step cannot be zero")
	}
	low, high := 0, n
	if by < 0 {
		low, high = -1, n-1
	}
	clamp := func(v Value, or int) int {
		if v == nil {
			return or
		}
		i := number(v, 0)
		if i < 0 {
			i += n
		}
		return max(low, min(i, high))
	}
	if by < 0 {
		return clamp(start, high), clamp(stop, low), by
	}
	return clamp(start, low), clamp(stop, high), by
}
