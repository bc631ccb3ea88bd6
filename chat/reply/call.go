package reply

// calls reads the calls that begin with a mark, in the first of the forms that fits. Where none does, what
// was read is text.
func (s *scanner) calls(mark string, forms []*form) bool {
	start, n := s.pos, s.nCalls
	if n >= maxCalls {
		return false
	}
	least := start + len(mark)
	for _, f := range forms {
		s.pos = least
		s.bound()
		ok := f.syntax(s, f)
		s.limit = 0
		if ok {
			s.frame()
			s.kind = Content
			return true
		}
		s.drop()
		if s.nCalls > n { // the calls before this one stand
			s.kind = Content
			least = s.base
			break
		}
	}
	s.giveUp(least)
	return true
}

// giveUp makes text of what was read and came to nothing, up to least in any case.
func (s *scanner) giveUp(least int) {
	from := max(s.safe, s.off)
	s.pos = max(least, s.far-window)
	for s.pos > least && s.pos-s.off < len(s.buf) && s.buf[s.pos-s.off]&0xC0 == 0x80 {
		s.pos--
	}
	for i := from; i < s.pos; i++ {
		if !blank(int(s.buf[i-s.off])) {
			s.safe = s.pos
			return
		}
	}
}

// bare reads a call that has no mark, where an answer begins.
func (s *scanner) bare() {
	if len(s.family.bare) == 0 || len(s.tools) == 0 {
		return
	}
	from := s.pos
	s.space()
	if c := s.peek(); c != '{' && c != '[' {
		s.pos = from
		return
	}
	s.calls("", s.family.bare)
}

// header reads what a message says of itself before its text, and the call if it is one. Where it is none
// of these it returns false, and what was read is text.
func (s *scanner) header(h *header) bool {
	least := s.pos
	s.limit = s.pos + 2*maxName
	text, ok := s.until(h.end, maxName)
	s.limit = 0
	var kind Kind
	var name string
	if ok {
		kind, name, ok = h.read(text)
	}
	switch {
	case !ok:
	case name == "":
		s.frame()
		s.kind = kind
		s.frameBlanks()
		return true
	case s.nCalls < maxCalls:
		s.bound()
		s.begin(name, "")
		s.space()
		ok = s.peek() == '{' && s.value(&s.delta, 0)
		if ok {
			s.finish("")
			s.kind = Content
		}
		s.limit = 0
		if ok {
			return true
		}
		s.drop()
	}
	s.giveUp(least)
	return false
}

// validName reports whether a model may have meant s as a tool's name.
func validName(s string) bool {
	if s == "" || len(s) > maxName {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; c {
		case '<', '>', '{', '}', '[', ']', '(', ')', '"', '\'', '=', ',', ';':
			return false
		default:
			if c <= ' ' || c == 0x7F {
				return false
			}
		}
	}
	return true
}
