package chat

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// compare is x o y for the operators of comparison and in.
func (m *machine) compare(o string, x, y Value) bool {
	m.work(x, y)
	switch o {
	case "==":
		return m.equal(x, y)
	case "!=":
		return !m.equal(x, y)
	case "in":
		return m.contains(y, x)
	case "not in":
		return !m.contains(y, x)
	}
	c, ordered := m.order(o, x, y)
	if !ordered {
		return false
	}
	switch o {
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	}
	return c >= 0
}

// deeper counts a level of a comparison; leave it with m.nested--.
func (m *machine) deeper() {
	m.step()
	if m.nested++; m.nested > maxEval {
		fail("a value is nested too deeply to be compared")
	}
}

// equal is Python's x == y.
func (m *machine) equal(x, y Value) bool {
	m.deeper()
	defer func() { m.nested-- }()
	if s, ok := asString(x); ok {
		t, ok := asString(y)
		return ok && s == t
	}
	if a, ok := asInt(x); ok {
		if b, ok := asInt(y); ok {
			return a == b
		}
	}
	if f, ok := asFloat(x); ok {
		if a, ok := x.(bigInt); ok {
			if b, ok := y.(bigInt); ok {
				return a == b
			}
		}
		g, ok := asFloat(y)
		return ok && f == g
	}
	switch x := x.(type) {
	case nil:
		return y == nil
	case *undefined:
		_, ok := y.(*undefined)
		return ok
	case *List:
		y, ok := y.(*List)
		return ok && m.equalItems(x.Items, y.Items)
	case tuple, group:
		switch y.(type) {
		case tuple, group:
			a, _ := sequence(x)
			b, _ := sequence(y)
			return m.equalItems(a, b)
		}
		return false
	case *Dict:
		y, ok := y.(*Dict)
		if !ok || x.Len() != y.Len() {
			return false
		}
		for i, k := range x.keys {
			v, ok := m.item(y, k)
			if !ok || !m.equal(x.values[i], v) {
				return false
			}
		}
		return true
	case rangeOf:
		y, ok := y.(rangeOf)
		return ok && x.len() == y.len() && (x.len() == 0 || x.start == y.start && (x.len() == 1 || x.step == y.step))
	case view:
		y, ok := y.(view)
		return ok && x.kind == y.kind && x.kind != "values" && m.equal(x.of, y.of)
	case method:
		y, ok := y.(method)
		return ok && x.name == y.name && same(x.self, y.self)
	}
	return same(x, y)
}

func (m *machine) equalItems(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !m.equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

// same tells whether two values are one object, Python's is.
func same(x, y Value) bool {
	switch x := x.(type) {
	case tuple:
		y, ok := y.(tuple)
		return ok && len(x) == len(y) && (len(x) == 0 || &x[0] == &y[0])
	case method:
		return false
	case group:
		y, ok := y.(group)
		return ok && x.list == y.list
	}
	switch y.(type) {
	case tuple, method, group:
		return false
	}
	return x == y
}

// contains is Python's x in v.
func (m *machine) contains(v, x Value) bool {
	if s, ok := asString(v); ok {
		t, ok := asString(x)
		if !ok {
			fail("'in <string>' requires string as left operand, not %s", typeName(x))
		}
		return strings.Contains(s, t)
	}
	switch v := v.(type) {
	case *Dict:
		_, ok := m.item(v, x)
		return ok
	case view:
		if v.kind == "keys" {
			_, ok := m.item(v.of, x)
			return ok
		}
	case rangeOf:
		if i, ok := asInt(x); ok {
			n := v.len()
			return n > 0 && (i-v.start)%v.step == 0 && (i-v.start)/v.step >= 0 && (i-v.start)/v.step < n
		}
	}
	next, ok := m.iterator(v)
	if !ok {
		fail("argument of type '%s' is not iterable", typeName(v))
	}
	for {
		y, ok := next()
		if !ok {
			return false
		}
		if m.equal(x, y) {
			return true
		}
	}
}

// order compares as Python's <, o is for the message. ordered is false for NaN.
func (m *machine) order(o string, x, y Value) (c int, ordered bool) {
	m.deeper()
	defer func() { m.nested-- }()
	if s, ok := asString(x); ok {
		if t, ok := asString(y); ok {
			return strings.Compare(s, t), true
		}
	}
	a, xInt := asInt(x)
	b, yInt := asInt(y)
	if xInt && yInt {
		return cmp.Compare(a, b), true
	}
	f, xNum := asFloat(x)
	g, yNum := asFloat(y)
	if xNum && yNum {
		if p, ok := x.(bigInt); ok {
			if q, ok := y.(bigInt); ok {
				return compareBig(string(p), string(q)), true
			}
		}
		return cmp.Compare(f, g), !math.IsNaN(f) && !math.IsNaN(g)
	}
	for _, v := range []Value{x, y} {
		if u, ok := v.(*undefined); ok {
			fail("%s", u.why)
		}
	}
	p, xSeq := sequence(x)
	q, ySeq := sequence(y)
	_, xList := x.(*List)
	_, yList := y.(*List)
	if xSeq && ySeq && xList == yList {
		for i := range min(len(p), len(q)) {
			if !m.equal(p[i], q[i]) {
				return m.order(o, p[i], q[i])
			}
		}
		return cmp.Compare(len(p), len(q)), true
	}
	fail("'%s' not supported between instances of '%s' and '%s'", o, typeName(x), typeName(y))
	return 0, false
}

func compareBig(a, b string) int {
	an, bn := a[0] == '-', b[0] == '-'
	switch {
	case an && !bn:
		return -1
	case bn && !an:
		return 1
	}
	c := cmp.Compare(len(a), len(b))
	if c == 0 {
		c = strings.Compare(a, b)
	}
	if an {
		c = -c
	}
	return c
}

// sorted is a sorted copy; key makes of a value what is compared. Equal values keep their order.
func (m *machine) sorted(items []Value, reverse bool, key func(Value) Value) []Value {
	type pair struct{ key, value Value }
	pairs := make([]pair, len(items))
	for i, v := range items {
		pairs[i] = pair{v, v}
		if key != nil {
			pairs[i].key = key(v)
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int {
		m.work(a.key, b.key)
		c, _ := m.order("<", a.key, b.key)
		if reverse {
			c = -c
		}
		return c
	})
	all := make([]Value, len(pairs))
	for i, p := range pairs {
		all[i] = p.value
	}
	return all
}

// sortedKeys are a dict's keys in order, with their values.
func (m *machine) sortedKeys(d *Dict) (keys, values []Value) {
	keys = m.sorted(d.keys, false, nil)
	values = make([]Value, len(keys))
	for i, k := range keys {
		values[i], _ = m.item(d, k)
	}
	return keys, values
}
