package reply

// nestedCalls reads calls whose arguments are elements named as they are, with a mark before each tag:
// <invoke name="f"><a>1</a><b><item>2</item></b></invoke>. Elements named item are a list's, others within
// an element an object's.
func nestedCalls(s *scanner, f *form) bool { return s.each(f, s.nestedCall) }

func (s *scanner) nestedCall(f *form) bool {
	name, ok := s.keyedName(f)
	if !ok {
		return false
	}
	s.begin(name, "")
	s.delta = append(s.delta, '{')
	known := s.tools[name]
	for n := 0; !s.takeLoose(f.close[0]); n++ {
		key, ok := s.tag(f)
		if !ok {
			return false
		}
		if n > 0 {
			s.delta = append(s.delta, ", "...)
		}
		s.delta = append(appendString(s.delta, key), ": "...)
		if !s.element(f, &s.delta, key, known.of(key, ""), 0) {
			return false
		}
	}
	s.delta = append(s.delta, '}')
	s.finish("")
	return true
}

// tag reads the beginning of an element.
func (s *scanner) tag(f *form) (name string, ok bool) {
	if !s.takeLoose(f.key) {
		return "", false
	}
	name, ok = s.until(">", maxName)
	return name, ok && validName(name) && name[0] != '/'
}

// element reads what is in the element of a name, and its end.
func (s *scanner) element(f *form, w *[]byte, name string, k kinds, depth int) bool {
	end := f.valueEnd + name + ">"
	if depth > maxDepth {
		return false
	}
	from := s.pos
	if s.space(); !s.at(f.key) || s.at(f.valueEnd) {
		s.pos = from
		text, ok := s.until(end, maxCall)
		if !ok {
			return false
		}
		if text == "" && k&isString == 0 {
			*w = append(*w, "null"...)
		} else {
			*w = append(*w, argument(text, k)...)
		}
		return true
	}
	list := s.at(f.key + "item>")
	brackets := "{}"
	if list {
		brackets = "[]"
	}
	*w = append(*w, brackets[0])
	for n := 0; !s.takeLoose(end); n++ {
		child, ok := s.tag(f)
		if !ok || list != (child == "item") {
			return false
		}
		if n > 0 {
			*w = append(*w, ", "...)
		}
		if !list {
			*w = append(appendString(*w, child), ": "...)
		}
		if !s.element(f, w, child, 0, depth+1) {
			return false
		}
	}
	*w = append(*w, brackets[1])
	return true
}
