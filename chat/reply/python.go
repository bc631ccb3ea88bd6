package reply

import (
	"strconv"
	"unicode/utf8"
)

// pythonCalls reads calls written as Python: f(a=1, b="x"), one or several, or a list of them.
func pythonCalls(s *scanner, f *form) bool {
	s.space()
	list := s.take("[")
	n := 0
	for ; s.nCalls < maxCalls; n++ {
		back := s.pos
		s.space()
		if n > 0 && s.take(",") {
			s.space()
		}
		if c := s.peek(); !letter(c) {
			s.pos = back
			break
		}
		if !s.pythonCall(f) {
			return false
		}
	}
	if n == 0 {
		return false
	}
	if list {
		s.takeLoose("]")
	}
	return s.closing(f)
}

func letter(c int) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

// identifier reads a name of letters, digits and those of more.
func (s *scanner) identifier(more string) string {
	from := s.pos
	for s.pos-from <= maxName {
		c := s.peek()
		ok := letter(c) || c >= '0' && c <= '9' && s.pos > from
		for i := 0; !ok && i < len(more); i++ {
			ok = c == int(more[i])
		}
		if !ok {
			break
		}
		s.pos++
	}
	return s.slice(from, s.pos)
}

func (s *scanner) pythonCall(f *form) bool {
	name := s.identifier(".-")
	if name == "" || !s.take("(") || !s.beginKnown(f, name, "") {
		return false
	}
	s.delta = append(s.delta, '{')
	for n := 0; ; n++ {
		s.space()
		if s.take(")") {
			break
		}
		if n > 0 {
			if !s.take(",") {
				return false
			}
			if s.space(); s.take(")") {
				break
			}
			s.delta = append(s.delta, ", "...)
		}
		key := s.identifier("")
		if s.space(); key == "" || !s.take("=") {
			return false
		}
		s.space()
		s.delta = append(appendString(s.delta, key), ": "...)
		if !s.literal(&s.delta, 0) {
			return false
		}
	}
	s.delta = append(s.delta, '}')
	s.finish("")
	return true
}

// gemmaCalls reads call:name{key:value,...}, with strings between <|"|>.
func gemmaCalls(s *scanner, f *form) bool {
	if s.space(); !s.take("call:") {
		return false
	}
	name := s.identifier(".-:/")
	if s.space(); name == "" || s.peek() != '{' {
		return false
	}
	s.begin(name, "")
	if !s.literal(&s.delta, 0) {
		return false
	}
	s.finish("")
	return s.closing(f)
}

// literal reads a value as Python, JSON or Gemma write one and appends it to w as JSON.
func (s *scanner) literal(w *[]byte, depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch c := s.peek(); {
	case c == '{':
		return s.literals(w, "{", '}', depth)
	case c == '[':
		return s.literals(w, "[", ']', depth)
	case c == '(':
		return s.literals(w, "[", ')', depth)
	case c == '"' || c == '\'' || c == '<':
		return s.quoted(w)
	case c == '-' || c >= '0' && c <= '9':
		return s.number(w)
	}
	switch word := s.identifier(""); word {
	case "true", "True":
		*w = append(*w, "true"...)
	case "false", "False":
		*w = append(*w, "false"...)
	case "null", "None":
		*w = append(*w, "null"...)
	default:
		return false
	}
	return true
}

// literals reads a list, a tuple or a dictionary.
func (s *scanner) literals(w *[]byte, open string, end byte, depth int) bool {
	*w = append(*w, open...)
	s.pos++
	for n := 0; ; n++ {
		s.space()
		if n > 0 && s.peek() != int(end) {
			if !s.take(",") {
				return false
			}
			s.space()
		}
		if s.peek() == int(end) {
			s.pos++
			*w = append(*w, open[0]+2) // '}' of '{', ']' of '['
			return true
		}
		if n > 0 {
			*w = append(*w, ", "...)
		}
		if end == '}' && !s.literalKey(w) {
			return false
		}
		if !s.literal(w, depth+1) {
			return false
		}
	}
}

// literalKey reads a key, quoted or not, and the colon after it.
func (s *scanner) literalKey(w *[]byte) bool {
	if key := s.identifier("-"); key != "" {
		*w = appendString(*w, key)
	} else if !s.quoted(w) {
		return false
	}
	if s.space(); !s.take(":") {
		return false
	}
	s.space()
	*w = append(*w, ": "...)
	return true
}

// quoted reads a string of any kind of quotation marks.
func (s *scanner) quoted(w *[]byte) bool {
	for _, quote := range []string{`<|"|>`, `"""`, `'''`, `"`, `'`} {
		if !s.take(quote) {
			continue
		}
		var text []byte
		for !s.take(quote) {
			switch c := s.peek(); {
			case c < 0:
				return false
			case c == '\\' && quote[0] != '<':
				var ok bool
				if text, ok = s.pythonEscape(text); !ok {
					return false
				}
			default:
				text = append(text, s.character()...)
			}
		}
		*w = appendString(*w, string(text))
		return true
	}
	return false
}

// pythonEscape reads what follows a backslash. An escape that Python does not know stays as it is.
func (s *scanner) pythonEscape(text []byte) ([]byte, bool) {
	hex := func(n int) (rune, bool) {
		for i := range n {
			if s.peekAt(2+i) < 0 {
				return 0, false
			}
		}
		v, err := strconv.ParseUint(s.slice(s.pos+2, s.pos+2+n), 16, 32)
		return rune(v), err == nil && v <= utf8.MaxRune
	}
	n := 0
	switch c := s.peekAt(1); c {
	case -1:
		return nil, false
	case 'n':
		text = append(text, '\n')
	case 't':
		text = append(text, '\t')
	case 'r':
		text = append(text, '\r')
	case '\n':
	case '\\', '\'', '"', '/':
		text = append(text, byte(c))
	case 'x':
		n = 2
	case 'u':
		n = 4
	case 'U':
		n = 8
	default:
		s.pos++
		return append(append(text, '\\'), s.character()...), true
	}
	if n > 0 {
		r, ok := hex(n)
		if !ok {
			return nil, false
		}
		if low, paired := s.lowSurrogate(r, n); paired {
			r = low
			n = 10
		}
		text = utf8.AppendRune(text, r)
	}
	s.pos += 2 + n
	return text, true
}

// lowSurrogate returns the character of which JSON writes the first half r as \uXXXX, if its second half
// follows.
func (s *scanner) lowSurrogate(r rune, n int) (rune, bool) {
	if n != 4 || r < 0xD800 || r >= 0xDC00 || s.peekAt(6) != '\\' || s.peekAt(7) != 'u' || s.peekAt(11) < 0 {
		return 0, false
	}
	v, err := strconv.ParseUint(s.slice(s.pos+8, s.pos+12), 16, 32)
	if err != nil || v < 0xDC00 || v > 0xDFFF {
		return 0, false
	}
	return (r-0xD800)<<10 + rune(v) - 0xDC00 + 0x10000, true
}
