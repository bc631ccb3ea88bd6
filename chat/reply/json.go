package reply

import "encoding/json"

// jsonCalls reads {"name": ..., "arguments": {...}}, one or several, or a list of them.
func jsonCalls(s *scanner, f *form) bool {
	s.space()
	list := s.take("[")
	n := 0
	for ; ; n++ {
		back := s.pos
		s.space()
		if n > 0 && (s.take(",") || s.take(";")) {
			s.space()
		}
		if s.peek() != '{' || s.nCalls >= maxCalls {
			s.pos = back
			break
		}
		if !s.jsonCall(f) {
			return false
		}
	}
	if n == 0 {
		return false
	}
	if list {
		s.takeLoose("]")
	}
	for _, end := range f.end {
		s.takeLoose(end)
	}
	return true
}

// draft is a call of which the parts come in any order.
type draft struct {
	name, id  string
	arguments []byte // read before the name
	has       bool   // arguments were read
}

func (s *scanner) jsonCall(f *form) bool {
	var d draft
	if !s.members(f, &d, 0) || !validName(d.name) {
		return false
	}
	if !s.open && !s.beginKnown(f, d.name, d.id) {
		return false
	}
	if !d.has {
		d.arguments = []byte("{}")
	}
	s.delta = append(s.delta, d.arguments...)
	s.finish(d.id)
	return true
}

// beginKnown begins a call, unless it has no mark and there is no such tool.
func (s *scanner) beginKnown(f *form, name, id string) bool {
	if _, known := s.tools[name]; f.unmarked && !known {
		return false
	}
	s.begin(name, id)
	return true
}

// members reads an object that is a call, or the object within it that says more.
func (s *scanner) members(f *form, d *draft, depth int) bool {
	if !s.take("{") {
		return false
	}
	s.space()
	if s.take("}") {
		return true
	}
	for {
		s.space()
		key, ok := s.jsonString(maxName)
		if !ok {
			return false
		}
		s.space()
		if !s.take(":") {
			return false
		}
		s.space()
		if !s.member(f, d, key, depth) {
			return false
		}
		s.space()
		if s.take("}") {
			return true
		}
		if !s.take(",") {
			return false
		}
	}
}

func (s *scanner) member(f *form, d *draft, key string, depth int) (ok bool) {
	c := s.peek()
	switch {
	case f.nameIsKey && d.name == "":
		d.name = key
		return c == '{' && s.jsonArguments(f, d)
	case key == "function" && c == '{' && depth == 0:
		return s.members(f, d, depth+1)
	case c == '"' && d.name == "" && (key == "name" || key == "tool_name" || key == "function"):
		d.name, ok = s.jsonString(maxName)
		return ok
	case key == "arguments" || key == "parameters":
		return s.jsonArguments(f, d)
	case c == '"' && (key == "id" || key == "tool_call_id"):
		d.id, ok = s.jsonString(maxName)
		return ok
	}
	var skipped []byte
	return s.value(&skipped, 0)
}

// jsonArguments reads an object, or a string that holds one, or null.
func (s *scanner) jsonArguments(f *form, d *draft) bool {
	if d.has {
		return false
	}
	d.has = true
	to := &d.arguments
	if d.name != "" {
		if !validName(d.name) || !s.beginKnown(f, d.name, d.id) {
			return false
		}
		to = &s.delta
	}
	switch s.peek() {
	case '{':
		return s.value(to, 0)
	case '"':
		text, ok := s.jsonString(maxCall)
		if !ok {
			return false
		}
		inner := whole(text)
		inner.space()
		if inner.peek() != '{' || !inner.value(to, 0) {
			return false
		}
		inner.space()
		return inner.peek() < 0
	case 'n':
		*to = append(*to, "{}"...)
		return s.take("null")
	}
	return false
}

// whole returns a scanner of a text that is all there.
func whole(text string) *scanner { return &scanner{buf: []byte(text), ended: true} }

// jsonString reads a string of at most n bytes as written, and returns what it stands for.
func (s *scanner) jsonString(n int) (string, bool) {
	from := s.pos
	var raw []byte
	if s.peek() != '"' || !s.stringTo(&raw) || s.pos-from > n {
		return "", false
	}
	var text string
	return text, json.Unmarshal(raw, &text) == nil
}

// value reads a JSON value and appends it to w, as it is but for control characters in strings, which
// models leave unescaped.
func (s *scanner) value(w *[]byte, depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch c := s.peek(); {
	case c == '{' || c == '[':
		return s.composite(w, byte(c), depth)
	case c == '"':
		return s.stringTo(w)
	case c == '-' || c >= '0' && c <= '9':
		return s.number(w)
	}
	for _, word := range []string{"true", "false", "null"} {
		if s.take(word) {
			*w = append(*w, word...)
			return true
		}
	}
	return false
}

func (s *scanner) blanks(w *[]byte) {
	for c := s.peek(); blank(c); c = s.peek() {
		*w = append(*w, byte(c))
		s.pos++
	}
}

// byteTo steps over c and appends it to w, if the output goes on with it.
func (s *scanner) byteTo(w *[]byte, c byte) bool {
	if s.peek() != int(c) {
		return false
	}
	s.pos++
	*w = append(*w, c)
	return true
}

// composite reads an object or a list, which open begins.
func (s *scanner) composite(w *[]byte, open byte, depth int) bool {
	end := open + 2 // '}' of '{', ']' of '['
	s.byteTo(w, open)
	s.blanks(w)
	if s.byteTo(w, end) {
		return true
	}
	for {
		s.blanks(w)
		if open == '{' {
			if s.peek() != '"' || !s.stringTo(w) {
				return false
			}
			s.blanks(w)
			if !s.byteTo(w, ':') {
				return false
			}
			s.blanks(w)
		}
		if !s.value(w, depth+1) {
			return false
		}
		s.blanks(w)
		if s.byteTo(w, end) {
			return true
		}
		if !s.byteTo(w, ',') {
			return false
		}
	}
}

// stringTo reads a string, which begins with a quotation mark.
func (s *scanner) stringTo(w *[]byte) bool {
	s.byteTo(w, '"')
	for {
		switch c := s.peek(); {
		case c < 0:
			return false
		case c == '"':
			return s.byteTo(w, '"')
		case c == '\\':
			if !s.escape(w) {
				return false
			}
		case c < ' ':
			*w = append(*w, `\u00`...)
			*w = append(*w, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
			s.pos++
		default:
			c := s.character() // before *w is read: waiting for more empties it
			*w = append(*w, c...)
		}
	}
}

func (s *scanner) escape(w *[]byte) bool {
	n := 2
	switch s.peekAt(1) {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
	case 'u':
		n = 6
		for i := 2; i < n; i++ {
			if c := s.peekAt(i); !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
				return false
			}
		}
	default:
		return false
	}
	*w = append(*w, s.slice(s.pos, s.pos+n)...)
	s.pos += n
	return true
}

// number reads a number of JSON's grammar.
func (s *scanner) number(w *[]byte) bool {
	digits := func() bool {
		n := 0
		for c := s.peek(); c >= '0' && c <= '9'; c = s.peek() {
			*w = append(*w, byte(c))
			s.pos++
			n++
		}
		return n > 0
	}
	s.byteTo(w, '-')
	if !s.byteTo(w, '0') && !digits() {
		return false
	}
	if s.byteTo(w, '.') && !digits() {
		return false
	}
	if s.byteTo(w, 'e') || s.byteTo(w, 'E') {
		if !s.byteTo(w, '+') {
			s.byteTo(w, '-')
		}
		return digits()
	}
	return true
}
