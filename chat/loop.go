package chat

// loop is the variable of that name.
type loop struct {
	of      Value // nil: its length is unknown
	next    func() (Value, bool)
	recurse func(Value) Value // nil: not recursive
	depth   int

	index0          int // -1 before the first
	started         bool
	current         Value
	previous, after Value
	hasAfter        bool // after is read already
	exhausted       bool
	size            int // -1: unknown
	changed         []Value
	hasChanged      bool
}

// advance takes the next value.
func (l *loop) advance() bool {
	if !l.peek() {
		return false
	}
	if l.started {
		l.previous = l.current
		l.index0++
	} else {
		l.started = true
	}
	l.current, l.after, l.hasAfter = l.after, nil, false
	return true
}

// peek reads the value after the current one.
func (l *loop) peek() bool {
	if !l.hasAfter && !l.exhausted {
		v, ok := l.next()
		l.after, l.hasAfter, l.exhausted = v, ok, !ok
	}
	return l.hasAfter
}

func (l *loop) length(m *machine) int {
	if l.size >= 0 {
		return l.size
	}
	if n, ok := m.length(l.of); ok && l.of != nil {
		l.size = n
		return n
	}
	var rest []Value
	l.peek()
	if l.hasAfter {
		rest = append(rest, l.after)
		for {
			v, ok := l.next()
			if !ok {
				break
			}
			m.alloc(wordBytes)
			m.step()
			rest = append(rest, v)
		}
	}
	l.size = l.index0 + 1 + len(rest)
	l.exhausted, l.hasAfter, l.after = false, false, nil
	l.next = over(len(rest), func(i int) Value { return rest[i] })
	return l.size
}

// attr is an attribute of the loop.
func (l *loop) attr(m *machine, name string) (Value, bool) {
	switch name {
	case "index":
		return int64(l.index0 + 1), true
	case "index0":
		return int64(l.index0), true
	case "revindex":
		return int64(l.length(m) - l.index0), true
	case "revindex0":
		return int64(l.length(m) - l.index0 - 1), true
	case "first":
		return l.index0 == 0, true
	case "last":
		return !l.peek(), true
	case "length":
		return int64(l.length(m)), true
	case "depth":
		return int64(l.depth), true
	case "depth0":
		return int64(l.depth - 1), true
	case "previtem":
		if l.index0 == 0 {
			return &undefined{"there is no previous item"}, true
		}
		return l.previous, true
	case "nextitem":
		if !l.peek() {
			return &undefined{"there is no next item"}, true
		}
		return l.after, true
	case "cycle":
		return &function{"cycle", func(m *machine, a *args) Value {
			if len(a.pos) == 0 {
				fail("no items for cycling given")
			}
			return a.pos[l.index0%len(a.pos)]
		}}, true
	case "changed":
		return &function{"changed", func(m *machine, a *args) Value {
			same := l.hasChanged && m.equal(tuple(l.changed), tuple(a.pos))
			l.changed, l.hasChanged = a.pos, true
			return !same
		}}, true
	}
	return nil, false
}
