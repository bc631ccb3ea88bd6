package chat

// eval evaluates an expression in the scope s. While a built-in works, m.at is its place.
func (m *machine) eval(e expr, s *scope) Value {
	m.nest()
	defer func() { m.nested-- }()
	switch e := e.(type) {
	case *constExpr:
		return e.value
	case nameExpr:
		return m.lookup(s, e.name)
	case captured:
		return m.lookup(s, "")
	case *tupleExpr:
		return m.made(tuple(m.evalAll(e.items, s)))
	case *listExpr:
		return m.made(&List{m.evalAll(e.items, s)})
	case *dictExpr:
		d := NewDict()
		for i, k := range e.keys {
			key, value := m.eval(k, s), m.eval(e.values[i], s)
			m.at = k.pos()
			m.setItem(d, key, value)
		}
		return m.made(d)
	case *unaryExpr:
		x := m.eval(e.x, s)
		m.at = e.place
		if e.op == "not" {
			return !truth(x)
		}
		return signed(e.op, x)
	case *binaryExpr:
		x, y := m.eval(e.x, s), m.eval(e.y, s)
		m.at = e.place
		return m.binary(e.op, x, y)
	case *logicExpr:
		if x := m.eval(e.x, s); truth(x) == e.or {
			return x
		}
		return m.eval(e.y, s)
	case *concatExpr:
		return m.concat(e, s)
	case *compareExpr:
		x := m.eval(e.x, s)
		for i, o := range e.ops {
			y := m.eval(e.ys[i], s)
			m.at = e.place
			if !m.compare(o, x, y) {
				return false
			}
			x = y
		}
		return true
	case *condExpr:
		switch {
		case truth(m.eval(e.test, s)):
			return m.eval(e.yes, s)
		case e.no != nil:
			return m.eval(e.no, s)
		}
		return &undefined{"the inline if-expression evaluated to false and no else section was defined"}
	case *attrExpr:
		x := m.eval(e.x, s)
		m.at = e.place
		return m.attr(x, e.name)
	case *indexExpr:
		x, i := m.eval(e.x, s), m.eval(e.index, s)
		m.at = e.place
		return m.index(x, i)
	case *sliceExpr:
		x := m.eval(e.x, s)
		bounds := [3]Value{}
		for i, b := range []expr{e.start, e.stop, e.step} {
			if b != nil {
				bounds[i] = m.eval(b, s)
			}
		}
		m.at = e.place
		return m.slice(x, bounds[0], bounds[1], bounds[2])
	case *callExpr:
		return m.callWith(e, s, nil)
	case *filterExpr:
		x, a := m.eval(e.x, s), m.args(&e.argExprs, s)
		m.at = e.place
		return m.filter(e.name, x, a)
	case *testExpr:
		x, a := m.eval(e.x, s), m.args(&e.argExprs, s)
		m.at = e.place
		return m.test(e.name, x, a)
	}
	panic("chat: an expression of unknown kind")
}

func (m *machine) evalAll(list []expr, s *scope) []Value {
	values := make([]Value, len(list))
	for i, e := range list {
		values[i] = m.eval(e, s)
	}
	return values
}

func (m *machine) concat(e *concatExpr, s *scope) Value {
	parts, n := make([]string, len(e.items)), 0
	for i, x := range e.items {
		v := m.eval(x, s)
		m.at = x.pos()
		parts[i] = m.str(v)
		n += len(parts[i])
		m.fits(n)
	}
	return m.appended(parts[0], parts[1:]...)
}

// args evaluates the arguments of a call.
func (m *machine) args(e *argExprs, s *scope) *args {
	a := &args{}
	values := m.evalAll(e.args, s)
	split := len(values) - len(e.names)
	a.pos, a.names, a.named = values[:split:split], e.names, values[split:]
	if e.star != nil {
		a.pos = append(a.pos, m.list(m.eval(e.star, s))...)
	}
	if e.stars != nil {
		v := m.eval(e.stars, s)
		d, ok := v.(*Dict)
		if !ok {
			m.at = e.stars.pos()
			fail("argument after ** must be a mapping, not %s", typeName(v))
		}
		a.names, a.named = append([]string(nil), a.names...), append([]Value(nil), a.named...)
		for i, k := range d.keys {
			name, ok := asString(k)
			if !ok {
				fail("keywords must be strings")
			}
			a.add(name, d.values[i])
		}
	}
	return a
}

// callWith calls; caller, if there is one, is the body of a call block.
func (m *machine) callWith(e *callExpr, s *scope, caller *macro) Value {
	f := m.eval(e.f, s)
	a := m.args(&e.argExprs, s)
	if caller != nil {
		a.names, a.named = append([]string(nil), a.names...), append([]Value(nil), a.named...)
		a.add("caller", caller)
	}
	m.at = e.place
	return m.call(f, a)
}

func (m *machine) call(f Value, a *args) Value {
	switch f := f.(type) {
	case *macro:
		return m.callMacro(f, a)
	case *function:
		return m.made(f.call(m, a))
	case method:
		return m.callMethod(f, a)
	case *undefined:
		fail("%s", f.why)
	case *loop:
		if f.recurse == nil {
			fail("the loop must have the 'recursive' marker to be called recursively")
		}
		return f.recurse(a.bind("loop", 1, "iterable")[0])
	case *object:
		if f.call != nil {
			return f.call.call(m, a)
		}
	}
	fail("'%s' object is not callable", typeName(f))
	return nil
}
