package chat

import (
	"slices"
	"strings"
)

// args are the evaluated arguments of a call.
type args struct {
	pos   []Value
	names []string // of named
	named []Value
}

func (a *args) add(name string, v Value) {
	if slices.Contains(a.names, name) {
		fail("got multiple values for argument '%s'", name)
	}
	a.names = append(a.names, name)
	a.named = append(a.named, v)
}

// bind orders the arguments of what by the names of its parameters; the first required ones must be
// there, others that are not are missing{}.
func (a *args) bind(what string, required int, names ...string) []Value {
	if len(a.pos) > len(names) {
		fail("%s() takes at most %d arguments (%d given)", what, len(names), len(a.pos))
	}
	values := make([]Value, len(names))
	for i := range values {
		if i < len(a.pos) {
			values[i] = a.pos[i]
		} else {
			values[i] = missing{}
		}
	}
	for i, n := range a.names {
		at := slices.Index(names, n)
		switch {
		case at < 0:
			fail("%s() got an unexpected keyword argument '%s'", what, clip(n))
		case at < len(a.pos):
			fail("%s() got multiple values for argument '%s'", what, n)
		}
		values[at] = a.named[i]
	}
	for i := range required {
		if !given(values[i]) {
			fail("%s() is missing the argument '%s'", what, names[i])
		}
	}
	return values
}

func given(v Value) bool {
	_, absent := v.(missing)
	return !absent
}

// builtin is a filter, a test or a method. Most have named parameters; raw ones get what they are given.
type builtin struct {
	params   []string
	required int
	fn       func(m *machine, x Value, a []Value) Value
	raw      func(m *machine, x Value, a *args) Value
}

// takes makes a builtin; params are words, those that may be left out follow a bar.
func takes(params string, fn func(m *machine, x Value, a []Value) Value) builtin {
	must, may, _ := strings.Cut(params, "|")
	b := builtin{fn: fn, params: strings.Fields(must)}
	b.required = len(b.params)
	b.params = append(b.params, strings.Fields(may)...)
	return b
}

func raw(fn func(m *machine, x Value, a *args) Value) builtin { return builtin{raw: fn} }

func (b *builtin) call(m *machine, name string, x Value, a *args) Value {
	m.work(x)
	m.work(a.pos...)
	if b.raw != nil {
		return m.made(b.raw(m, x, a))
	}
	return m.made(b.fn(m, x, a.bind(name, b.required, b.params...)))
}

// Arguments with Python's types, and defaults for what is missing.

func (m *machine) strArg(v Value, or string) string {
	if !given(v) {
		return or
	}
	s, ok := asString(v)
	if !ok {
		fail("a str is expected, not %s", typeName(v))
	}
	return s
}

func (m *machine) intArg(v Value, or int) int {
	if !given(v) {
		return or
	}
	i, ok := asInt(v)
	if !ok {
		if u, is := v.(*undefined); is {
			fail("%s", u.why)
		}
		fail("'%s' object cannot be interpreted as an integer", typeName(v))
	}
	const most = 1<<31 - 1
	return int(max(min(i, most), -most))
}

func boolArg(v Value, or bool) bool {
	if !given(v) {
		return or
	}
	return truth(v)
}

// orNone is nil for what is missing.
func orNone(v Value) Value {
	if !given(v) {
		return nil
	}
	return v
}
