package chat

// macro is a macro with the scope that it was written in.
type macro struct {
	def   *macroNode
	scope *scope
}

func (m *machine) callMacro(f *macro, a *args) Value {
	def := f.def
	called := def.name
	if called == "" {
		called = "caller"
	}
	s := &scope{parent: f.scope}
	given := make([]Value, len(def.params))
	for i := range given {
		given[i] = missing{}
		if i < len(a.pos) {
			given[i] = a.pos[i]
		}
	}
	if len(a.pos) > len(given) && !def.varargs {
		fail("macro '%s' takes not more than %d argument(s)", called, len(given))
	}
	kwargs := NewDict()
	ownCaller := false
named:
	for i, name := range a.names {
		for j, p := range def.params {
			if p.name != name {
				continue
			}
			if j < len(a.pos) {
				fail("macro '%s' got multiple values for argument '%s'", called, name)
			}
			given[j] = a.named[i]
			ownCaller = ownCaller || name == "caller"
			continue named
		}
		switch {
		case name == "caller" && def.caller:
			s.set("caller", a.named[i])
			ownCaller = true
		case def.kwargs:
			kwargs.Set(name, a.named[i])
		default:
			fail("macro '%s' takes no keyword argument '%s'", called, clip(name))
		}
	}
	if def.caller && !ownCaller {
		s.set("caller", &undefined{"No caller defined"})
	}
	if def.varargs {
		s.set("varargs", tuple(a.pos[min(len(given), len(a.pos)):]))
	}
	if def.kwargs {
		s.set("kwargs", kwargs)
	}
	m.enterCall()
	at := m.at
	text := m.capture(func() {
		for i, p := range def.params {
			v := given[i]
			if _, absent := v.(missing); absent {
				if p.value != nil {
					v = m.eval(p.value, s)
				} else {
					v = &undefined{"parameter '" + p.name + "' was not provided"}
				}
			}
			s.set(p.name, v)
		}
		m.block(def.body, s)
	})
	m.at = at
	m.depth--
	return text
}

func (f *macro) attr(name string) (Value, bool) {
	switch name {
	case "name":
		if f.def.name == "" {
			return nil, true
		}
		return f.def.name, true
	case "arguments":
		var names tuple
		for _, p := range f.def.params {
			names = append(names, p.name)
		}
		return names, true
	case "caller":
		return f.def.caller, true
	case "catch_varargs":
		return f.def.varargs, true
	case "catch_kwargs":
		return f.def.kwargs, true
	}
	return nil, false
}
