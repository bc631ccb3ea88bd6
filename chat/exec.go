package chat

// signal is how a body ended.
type signal uint8

const (
	ended signal = iota
	broken
	continued
)

// block runs a body in the scope s.
func (m *machine) block(body []node, s *scope) signal {
	m.nest()
	defer func() { m.nested-- }()
	for _, n := range body {
		if sig := m.statement(n, s); sig != ended {
			return sig
		}
	}
	return ended
}

// inner runs a body in a scope of its own.
func (m *machine) inner(body []node, s *scope) signal { return m.block(body, &scope{parent: s}) }

func (m *machine) statement(n node, s *scope) signal {
	switch n := n.(type) {
	case textNode:
		m.write(string(n))
	case outputNode:
		m.write(m.str(m.eval(n.value, s)))
	case ifNode:
		for i, t := range n.tests {
			if truth(m.eval(t, s)) {
				return m.block(n.bodies[i], s)
			}
		}
		return m.block(n.last, s)
	case forNode:
		m.at = n.place
		m.forLoop(&n, m.eval(n.iter, s), s, 1)
	case setNode:
		m.assign(n.target, m.eval(n.value, s), s)
	case setBlockNode:
		v := Value(m.capture(func() { m.inner(n.body, s) }))
		if n.filter != nil {
			v = m.filtered(n.filter, v, s)
		}
		m.assign(n.target, v, s)
	case filterNode:
		text := m.capture(func() { m.inner(n.body, s) })
		m.write(m.str(m.filtered(n.filter, text, s)))
	case withNode:
		in := &scope{parent: s}
		values := make([]Value, len(n.values))
		for i, v := range n.values {
			values[i] = m.eval(v, s)
		}
		for i, t := range n.targets {
			m.assign(t, values[i], in)
		}
		return m.block(n.body, in)
	case *macroNode:
		s.set(n.name, &macro{n, s})
	case callNode:
		m.write(m.str(m.callWith(n.call, s, &macro{n.macro, s})))
	case scopeNode:
		if n.global {
			s = m.global
		}
		return m.inner(n.body, s)
	case breakNode:
		return broken
	case continueNode:
		return continued
	case refusedNode:
		m.at = n.place
		fail("{%% %s %%}: there are no other templates", n.what)
	}
	return ended
}

// filtered applies the filters of a block to its text.
func (m *machine) filtered(filter expr, text Value, s *scope) Value {
	return m.eval(filter, &scope{parent: s, vars: []variable{{"", text}}})
}

// assign sets a name, an attribute of a namespace, or names for the parts of v.
func (m *machine) assign(target expr, v Value, s *scope) {
	switch t := target.(type) {
	case nameExpr:
		s.set(t.name, v)
	case nsExpr:
		ns, ok := m.lookup(s, t.name).(*namespace)
		if !ok {
			m.at = t.place
			fail("cannot assign attribute on non-namespace object")
		}
		ns.attrs.Set(t.attr, v)
	case *tupleExpr:
		m.at = t.place
		next := m.iterate(v)
		for i, part := range t.items {
			x, ok := next()
			if !ok {
				m.at = t.place
				fail("not enough values to unpack (expected %d, got %d)", len(t.items), i)
			}
			m.assign(part, x, s)
		}
		if _, more := next(); more {
			m.at = t.place
			fail("too many values to unpack (expected %d)", len(t.items))
		}
	}
}

// forLoop runs a loop over v; s is the scope around it, depth the level of recursion.
func (m *machine) forLoop(n *forNode, v Value, s *scope, depth int) {
	l := &loop{of: v, next: m.iterate(v), depth: depth, size: -1}
	if n.test != nil {
		l.of = nil
		l.next = m.chosen(n, l.next, s)
	}
	if n.recursive {
		l.recurse = func(v Value) Value {
			m.enterCall()
			defer func() { m.depth-- }()
			return m.capture(func() { m.forLoop(n, v, s, depth+1) })
		}
	}
	whole := false // an iteration came to its end
	for l.advance() {
		m.step()
		in := &scope{parent: s, vars: make([]variable, 0, 4)}
		m.assign(n.target, l.current, in)
		in.set("loop", l)
		sig := m.block(n.body, in)
		if sig == broken {
			break
		}
		whole = whole || sig == ended
	}
	// As in jinja2, a break or continue in each iteration counts as no iteration.
	if !whole && n.last != nil {
		m.inner(n.last, s)
	}
}

// chosen are the values for which the test of a loop holds.
func (m *machine) chosen(n *forNode, next func() (Value, bool), s *scope) func() (Value, bool) {
	return func() (Value, bool) {
		for {
			v, ok := next()
			if !ok {
				return nil, false
			}
			in := &scope{parent: s}
			m.assign(n.target, v, in)
			if truth(m.eval(n.test, in)) {
				return v, true
			}
		}
	}
}
