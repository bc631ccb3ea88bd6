package reply

import "strings"

// keyedCalls reads calls whose arguments are written one by one between marks.
func keyedCalls(s *scanner, f *form) bool {
	if f.open == "" {
		return s.keyedCall(f) && s.closing(f)
	}
	return s.each(f, s.keyedCall)
}

func (s *scanner) keyedCall(f *form) bool {
	name, ok := s.keyedName(f)
	if !ok {
		return false
	}
	s.begin(name, "")
	s.delta = append(s.delta, '{')
	known := s.tools[name]
	for n := 0; ; n++ {
		if s.takeLoose(f.close[0]) {
			break
		}
		if !s.takeLoose(f.key) {
			return false
		}
		key, ok := s.until(f.keyEnd, maxName)
		if !ok {
			return false
		}
		key, attributes, _ := strings.Cut(strings.TrimSpace(key), `"`)
		if f.value != "" && !s.takeLoose(f.value) {
			return false
		}
		text, ok := s.until(f.valueEnd, maxCall)
		if !ok {
			return false
		}
		if n > 0 {
			s.delta = append(s.delta, ", "...)
		}
		s.delta = append(appendString(s.delta, key), ": "...)
		s.delta = append(s.delta, argument(trimValue(text), known.of(key, attributes))...)
	}
	s.delta = append(s.delta, '}')
	s.finish("")
	return true
}

// keyedName reads the name up to the first of its ends. An end that is also the next mark is left there.
func (s *scanner) keyedName(f *form) (string, bool) {
	from := s.pos
	for {
		c := s.peek()
		if c < 0 || s.pos-from > maxName {
			return "", false
		}
		for _, end := range f.nameEnd {
			if c != int(end[0]) || !s.at(end) {
				continue
			}
			name, _, _ := strings.Cut(strings.TrimSpace(s.slice(from, s.pos)), `"`)
			if end != f.key && end != f.close[0] {
				s.pos += len(end)
			}
			return name, validName(name)
		}
		s.pos++
	}
}

// trimValue removes the line breaks that set a value off from its marks, one at each side.
func trimValue(text string) string {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "\n"), "\n")
	if inner, ok := strings.CutPrefix(text, "<![CDATA["); ok {
		if inner, ok = strings.CutSuffix(inner, "]]>"); ok {
			return inner
		}
	}
	return text
}
