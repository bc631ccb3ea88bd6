package reply

import "strings"

// namedCalls reads calls that name the tool in plain text and give the arguments in JSON.
func namedCalls(s *scanner, f *form) bool {
	if f.open == "" { // the mark was the call's own
		return s.namedCall(f) && s.closing(f)
	}
	return s.each(f, s.namedCall)
}

// each reads what a form's begin and end go around: calls that begin with its open.
func (s *scanner) each(f *form, call func(*form) bool) bool {
	n := 0
	for s.nCalls < maxCalls && s.takeLoose(f.open) {
		if !call(f) {
			return false
		}
		n++
	}
	return n > 0 && s.closing(f)
}

func (s *scanner) closing(f *form) bool {
	for _, end := range f.end {
		s.takeLoose(end)
	}
	return true
}

func (s *scanner) namedCall(f *form) bool {
	head, ok := s.until(f.nameEnd[0], maxName)
	if !ok {
		return false
	}
	head = strings.TrimSpace(head)
	name, ok := strings.CutPrefix(head, f.prefix)
	id := ""
	switch {
	case f.idAfter != "":
		name, id, _ = strings.Cut(name, f.idAfter)
	case f.idBefore != "":
		if before, after, found := strings.Cut(name, f.idBefore); found {
			id, name = before, after
		}
	case f.numbered: // functions.name:0
		id = head
		if i := strings.LastIndexByte(name, ':'); i >= 0 {
			name = name[:i]
		}
		name = strings.TrimPrefix(name, "functions.")
	}
	if name = strings.TrimSpace(name); !ok || !validName(name) {
		return false
	}
	s.space()
	if s.peek() != '{' {
		return false
	}
	s.begin(name, id)
	if !s.value(&s.delta, 0) {
		return false
	}
	for _, end := range f.close {
		s.takeLoose(end)
	}
	s.finish(id)
	return true
}
