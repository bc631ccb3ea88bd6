package chat

import "maps"

import "strings"

// filters by name; the table is made in methods.go.
var filters map[string]builtin

func (m *machine) filter(name string, x Value, a *args) Value {
	b, ok := filters[name]
	if !ok {
		fail("there is no filter named '%s'", clip(name))
	}
	return b.call(m, name, x, a)
}

// filterTable has jinja2's filters but those that make web pages (urlize, xmlattr), that show a
// programmer values (pprint), that wrap lines (wordwrap), and random: a prompt is no game of chance.
func filterTable() map[string]builtin {
	t := map[string]builtin{}
	for _, more := range []map[string]builtin{textFilters(), numberFilters(), listFilters(), choiceFilters()} {
		maps.Copy(t, more)
	}
	for name, of := range map[string]string{"d": "default", "count": "length", "e": "escape"} {
		t[name] = t[of]
	}
	return t
}

// wantText is the text of a value that a filter treats as text, and whether it is markup.
func (m *machine) wantText(x Value) (string, bool) {
	_, isMarkup := x.(markup)
	return m.str(x), isMarkup
}

// kept makes s markup again where it was.
func kept(s string, isMarkup bool) Value {
	if isMarkup {
		return markup(s)
	}
	return s
}

func textFilters() map[string]builtin {
	// plain is a filter of texts without arguments.
	plain := func(f func(s string) string) builtin {
		return takes("", func(m *machine, x Value, a []Value) Value {
			s, isMarkup := m.wantText(x)
			return kept(f(s), isMarkup)
		})
	}
	return map[string]builtin{
		"upper":      plain(upper),
		"lower":      plain(lower),
		"capitalize": plain(capitalize),
		"title": takes("", func(m *machine, x Value, a []Value) Value {
			return title(m.str(x), raised, func(r rune) bool { return strings.ContainsRune("-({[<", r) || isSpace(r) })
		}),
		"trim": takes("| chars", func(m *machine, x Value, a []Value) Value {
			s, isMarkup := m.wantText(x)
			if orNone(a[0]) == nil {
				return kept(strings.TrimFunc(s, isSpace), isMarkup)
			}
			return kept(strings.Trim(s, m.strArg(a[0], "")), isMarkup)
		}),
		"string": takes("", func(m *machine, x Value, a []Value) Value {
			s, isMarkup := m.wantText(x)
			return kept(s, isMarkup)
		}),
		"safe":        takes("", func(m *machine, x Value, a []Value) Value { return markup(m.str(x)) }),
		"escape":      takes("", func(m *machine, x Value, a []Value) Value { return markup(m.escaped(x)) }),
		"forceescape": takes("", func(m *machine, x Value, a []Value) Value { return markup(m.escaped(m.str(x))) }),
		"replace": takes("old new | count", func(m *machine, x Value, a []Value) Value {
			n := -1
			if orNone(a[2]) != nil {
				n = m.intArg(a[2], -1)
			}
			return m.replace(m.str(x), m.str(a[0]), m.str(a[1]), n)
		}),
		"format": raw(func(m *machine, x Value, a *args) Value {
			if len(a.pos) > 0 && len(a.names) > 0 {
				fail("format() takes either positional or named arguments")
			}
			var v Value = tuple(a.pos)
			if len(a.names) > 0 {
				d := NewDict()
				for i, n := range a.names {
					d.Set(n, a.named[i])
				}
				v = d
			}
			s, isMarkup := m.wantText(x)
			if isMarkup {
				v = m.escapedArgs(v)
			}
			return kept(m.percent(s, v), isMarkup)
		}),
		"indent": takes("| width first blank", func(m *machine, x Value, a []Value) Value {
			if _, ok := asString(x); !ok {
				m.binary("+", x, "\n") // complains, for it is no text
			}
			s, isMarkup := m.wantText(x)
			in, ok := asString(a[0])
			if !ok {
				n := max(m.intArg(a[0], 4), 0)
				m.fits(n)
				in = strings.Repeat(" ", n)
			}
			return kept(m.indented(s, in, boolArg(a[1], false), boolArg(a[2], false)), isMarkup)
		}),
		"center": takes("| width", func(m *machine, x Value, a []Value) Value {
			return m.padded(m.str(x), m.intArg(a[0], 80), " ", func(n, width int) int { return n/2 + n&width&1 })
		}),
		"truncate": takes("| length killwords end leeway", func(m *machine, x Value, a []Value) Value {
			n, dots, leeway := m.intArg(a[0], 255), m.strArg(a[2], "..."), 5
			if orNone(a[3]) != nil {
				leeway = m.intArg(a[3], 5)
			}
			s := m.str(x)
			size, ok := m.length(x)
			tail, _ := m.length(dots)
			switch {
			case !ok:
				fail("object of type '%s' has no len()", typeName(x))
			case n < tail:
				fail("truncate: expected length >= %d, got %d", tail, n)
			case leeway < 0:
				fail("truncate: expected leeway >= 0, got %d", leeway)
			case size <= n+leeway:
				return x
			}
			s, _ = asString(m.slice(s, nil, int64(n-tail), nil))
			if i := strings.LastIndexByte(s, ' '); i >= 0 && !boolArg(a[1], false) {
				s = s[:i]
			}
			return s + dots
		}),
		"wordcount": takes("", func(m *machine, x Value, a []Value) Value {
			return int64(len(strings.FieldsFunc(m.str(x), func(r rune) bool { return !wordChar(r) })))
		}),
		"striptags": takes("", func(m *machine, x Value, a []Value) Value { return stripTags(m.str(x)) }),
		"urlencode": takes("", func(m *machine, x Value, a []Value) Value { return m.urlEncode(x) }),
		"tojson": takes("| ensure_ascii indent separators sort_keys", func(m *machine, x Value, a []Value) Value {
			s := jsonStyle{item: ", ", key: ": ", ascii: boolArg(a[0], false), sort: boolArg(a[3], false)}
			switch in := orNone(a[1]); in.(type) {
			case nil:
			case string, markup:
				s.indent, _ = asString(in)
				s.pretty, s.item = true, ","
			default:
				n := max(m.intArg(in, 0), 0)
				m.fits(n)
				s.indent = strings.Repeat(" ", n)
				s.pretty, s.item = true, ","
			}
			if orNone(a[2]) != nil {
				pair := m.list(a[2])
				if len(pair) != 2 {
					fail("tojson: separators must be two texts")
				}
				s.item, s.key = m.strArg(pair[0], ""), m.strArg(pair[1], "")
			}
			p := printer{m: m}
			p.json(x, &s, 0)
			return p.b.String()
		}),
	}
}

// indented puts in before each line but the first (unless first) and empty ones (unless blank).
func (m *machine) indented(s, in string, first, blank bool) string {
	all := lines(s+"\n", false)
	n := len(s) + m.times(len(all), len(in)+1)
	m.fits(n)
	var b strings.Builder
	if first {
		b.WriteString(in)
	}
	for i, line := range all {
		if i > 0 {
			b.WriteByte('\n')
			if line != "" || blank {
				b.WriteString(in)
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

func stripTags(s string) string {
	for _, pair := range [][2]string{{"<!--", "-->"}, {"<", ">"}} {
		var b strings.Builder
		for {
			before, rest, ok := strings.Cut(s, pair[0])
			if !ok {
				break
			}
			_, after, ok := strings.Cut(rest, pair[1])
			if !ok {
				break
			}
			b.WriteString(before)
			s = after
		}
		b.WriteString(s)
		s = b.String()
	}
	unescape := strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&#39;", "'", "&#34;", `"`, "&quot;", `"`)
	return unescape.Replace(strings.Join(strings.FieldsFunc(s, isSpace), " "))
}

func (m *machine) urlEncode(x Value) string {
	if _, ok := asString(x); ok {
		return m.quoteURL(m.str(x), "/")
	}
	if d, ok := x.(*Dict); ok {
		x = view{d, "items"}
	} else if _, ok := m.iterator(x); !ok {
		return m.quoteURL(m.str(x), "/")
	}
	var parts []string
	for _, v := range m.list(x) {
		pair := m.list(v)
		if len(pair) != 2 {
			fail("urlencode: pairs are expected")
		}
		quote := func(v Value) string { return strings.ReplaceAll(m.quoteURL(m.str(v), " "), " ", "+") }
		parts = append(parts, quote(pair[0])+"="+quote(pair[1]))
	}
	return m.join(parts, "&")
}

// quoteURL escapes all but letters, digits, _.-~ and what is safe.
func (m *machine) quoteURL(s, safe string) string {
	m.times(len(s), 3)
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c < 0x80 && (wordChar(rune(c)) || strings.IndexByte(".-~"+safe, c) >= 0) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}
