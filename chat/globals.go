package chat

import "sync"

// globals are the names that every template knows.
var globals = sync.OnceValue(func() map[string]Value {
	return map[string]Value{
		"range":     &function{"range", callRange},
		"dict":      &function{"dict", callDict},
		"namespace": &function{"namespace", func(m *machine, a *args) Value { return &namespace{callDict(m, a).(*Dict)} }},
		"joiner":    &function{"joiner", callJoiner},
		"cycler":    &function{"cycler", callCycler},
		"raise_exception": &function{"raise_exception", func(m *machine, a *args) Value {
			fail("%s", m.str(a.bind("raise_exception", 1, "message")[0]))
			return nil
		}},
		"strftime_now": &function{"strftime_now", func(m *machine, a *args) Value {
			return m.strftime(m.now(), m.strArg(a.bind("strftime_now", 1, "format")[0], ""))
		}},
	}
})

func callRange(m *machine, a *args) Value {
	if len(a.pos) == 0 || len(a.pos) > 3 || len(a.names) > 0 {
		fail("range expected 1 to 3 arguments, got %d", len(a.pos)+len(a.names))
	}
	r := rangeOf{step: 1}
	n := [3]int64{}
	for i, v := range a.pos {
		n[i] = int64(m.intArg(v, 0))
	}
	switch len(a.pos) {
	case 1:
		r.stop = n[0]
	case 2:
		r.start, r.stop = n[0], n[1]
	default:
		r = rangeOf{n[0], n[1], n[2]}
	}
	if r.step == 0 {
		fail("range() arg 3 must not be zero")
	}
	if r.len() > maxRange {
		fail("Range too big. The sandbox blocks ranges larger than MAX_RANGE (%d).", maxRange)
	}
	return r
}

// callDict is dict(mapping or pairs, name=value, ...).
func callDict(m *machine, a *args) Value {
	d := NewDict()
	if len(a.pos) > 1 {
		fail("dict expected at most 1 argument, got %d", len(a.pos))
	}
	for _, v := range a.pos {
		if from, ok := v.(*Dict); ok {
			v = view{from, "items"}
		}
		for i, p := range m.list(v) {
			pair := m.list(p)
			if len(pair) != 2 {
				fail("dictionary update sequence element #%d has length %d; 2 is required", i, len(pair))
			}
			m.setItem(d, pair[0], pair[1])
		}
	}
	for i, name := range a.names {
		d.Set(name, a.named[i])
	}
	return d
}

// callJoiner makes a joiner: its first call is empty, the others are the separator.
func callJoiner(m *machine, a *args) Value {
	sep := a.bind("joiner", 0, "sep")[0]
	if !given(sep) {
		sep = ", "
	}
	used := false
	return &object{class: "Joiner", attr: noAttr, call: &function{"joiner", func(m *machine, a *args) Value {
		if used {
			return sep
		}
		used = true
		return ""
	}}}
}

func noAttr(*machine, string) (Value, bool) { return nil, false }

func callCycler(m *machine, a *args) Value {
	items, at := a.pos, 0
	if len(items) == 0 {
		fail("at least one item has to be provided")
	}
	next := &function{"next", func(m *machine, a *args) Value {
		at = (at + 1) % len(items)
		return items[(at+len(items)-1)%len(items)]
	}}
	reset := &function{"reset", func(m *machine, a *args) Value {
		at = 0
		return nil
	}}
	return &object{class: "Cycler", attr: func(m *machine, name string) (Value, bool) {
		switch name {
		case "next":
			return next, true
		case "reset":
			return reset, true
		case "current":
			return items[at], true
		}
		return nil, false
	}}
}
