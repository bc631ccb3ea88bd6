package chat

import (
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Methods of dicts, lists, tuples, ranges and floats.
var dictMethods, listMethods, floatMethods map[string]builtin

// makeTables makes the tables for the first template that is parsed: their functions lead back to the tables, and a program
// that renders none starts without them.
var makeTables sync.Once

func fillTables() {
	strMethods = stringMethods()
	filters = filterTable()
	tests = testTable()
	dictMethods = map[string]builtin{
		"get": takes("key | default", func(m *machine, x Value, a []Value) Value {
			if v, ok := m.item(x.(*Dict), a[0]); ok {
				return v
			}
			return orNone(a[1])
		}),
		"items":  takes("", func(m *machine, x Value, a []Value) Value { return view{x.(*Dict), "items"} }),
		"keys":   takes("", func(m *machine, x Value, a []Value) Value { return view{x.(*Dict), "keys"} }),
		"values": takes("", func(m *machine, x Value, a []Value) Value { return view{x.(*Dict), "values"} }),
		"copy":   takes("", func(m *machine, x Value, a []Value) Value { return x.(*Dict).clone() }),
	}
	listMethods = map[string]builtin{
		"count": takes("value", func(m *machine, x Value, a []Value) Value {
			n := 0
			for _, v := range m.list(x) {
				if m.equal(v, a[0]) {
					n++
				}
			}
			return int64(n)
		}),
		"index": takes("value | start stop", func(m *machine, x Value, a []Value) Value {
			items := m.list(x)
			from, to, _ := bounds(orNone(a[1]), orNone(a[2]), nil, len(items))
			for i := from; i < to; i++ {
				if m.equal(items[i], a[0]) {
					return int64(i)
				}
			}
			fail("%s is not in list", clip(m.repr(a[0])))
			return nil
		}),
		"copy": takes("", func(m *machine, x Value, a []Value) Value { return &List{m.list(x)} }),
	}
	floatMethods = map[string]builtin{
		"is_integer": takes("", func(m *machine, x Value, a []Value) Value {
			f := x.(float64)
			return f == math.Trunc(f) && !math.IsInf(f, 0)
		}),
	}
}

// strMethods are Python's methods of str. Positions and widths count characters.
var strMethods map[string]builtin

func stringMethods() map[string]builtin {
	text := func(v Value) string { s, _ := asString(v); return s }
	// plain is a method without parameters.
	plain := func(f func(s string) string) builtin {
		return takes("", func(m *machine, x Value, a []Value) Value { return f(text(x)) })
	}
	// all is a test that holds if there are characters and it holds for each.
	all := func(f func(r rune) bool) builtin {
		return takes("", func(m *machine, x Value, a []Value) Value {
			s := text(x)
			return s != "" && strings.IndexFunc(s, func(r rune) bool { return !f(r) }) < 0
		})
	}
	strip := func(f func(s string, in func(r rune) bool) string) builtin {
		return takes("| chars", func(m *machine, x Value, a []Value) Value {
			if orNone(a[0]) == nil {
				return f(text(x), isSpace)
			}
			chars := m.strArg(a[0], "")
			return f(text(x), func(r rune) bool { return strings.ContainsRune(chars, r) })
		})
	}
	// affix is startswith and endswith: one text or a tuple of them, in a part of the string.
	affix := func(f func(s, part string) bool) builtin {
		return takes("prefix | start stop", func(m *machine, x Value, a []Value) Value {
			s := text(x)
			if given(a[1]) {
				s = text(m.slice(s, orNone(a[1]), orNone(a[2]), nil))
			}
			if t, ok := a[0].(tuple); ok {
				return slices.ContainsFunc(t, func(v Value) bool { return f(s, m.strArg(v, "")) })
			}
			return f(s, m.strArg(a[0], ""))
		})
	}
	// find is find, rfind, index and rindex.
	find := func(f func(s, sub string) int, must bool) builtin {
		return takes("sub | start stop", func(m *machine, x Value, a []Value) Value {
			s := text(x)
			from := 0
			if given(a[1]) {
				from, _, _ = bounds(orNone(a[1]), nil, nil, utf8.RuneCountInString(s))
				s = text(m.slice(s, orNone(a[1]), orNone(a[2]), nil))
			}
			i := f(s, m.strArg(a[0], ""))
			switch {
			case i >= 0:
				return int64(from + utf8.RuneCountInString(s[:i]))
			case must:
				fail("substring not found")
			}
			return int64(-1)
		})
	}
	// pad is ljust, rjust and center; left is how much of n goes before the text.
	pad := func(left func(n, width int) int) builtin {
		return takes("width | fillchar", func(m *machine, x Value, a []Value) Value {
			return m.padded(text(x), m.intArg(a[0], 0), m.strArg(a[1], " "), left)
		})
	}
	split := func(last bool) builtin {
		return takes("| sep maxsplit", func(m *machine, x Value, a []Value) Value {
			parts := m.split(text(x), orNone(a[0]), m.intArg(a[1], -1), last)
			return texts(parts)
		})
	}
	partition := func(last bool) builtin {
		return takes("sep", func(m *machine, x Value, a []Value) Value {
			s, sep := text(x), m.strArg(a[0], "")
			if sep == "" {
				fail("empty separator")
			}
			if last {
				if i := strings.LastIndex(s, sep); i >= 0 {
					return tuple{s[:i], sep, s[i+len(sep):]}
				}
				return tuple{"", "", s}
			}
			if before, after, ok := strings.Cut(s, sep); ok {
				return tuple{before, sep, after}
			}
			return tuple{s, "", ""}
		})
	}
	cased := func(is func(r rune) bool) builtin {
		return takes("", func(m *machine, x Value, a []Value) Value { return onlyCase(text(x), is) })
	}
	return map[string]builtin{
		"upper":      plain(upper),
		"lower":      plain(lower),
		"casefold":   plain(func(s string) string { return lower(strings.ReplaceAll(s, "ß", "ss")) }),
		"capitalize": plain(capitalize),
		"title":      plain(func(s string) string { return title(s, capitalize, func(r rune) bool { return !unicode.IsLetter(r) }) }),
		"swapcase": plain(func(s string) string {
			var b strings.Builder
			for _, r := range s {
				if unicode.IsUpper(r) {
					b.WriteString(lower(string(r)))
				} else {
					b.WriteString(upper(string(r)))
				}
			}
			return b.String()
		}),
		"strip":  strip(func(s string, in func(r rune) bool) string { return strings.TrimFunc(s, in) }),
		"lstrip": strip(strings.TrimLeftFunc),
		"rstrip": strip(strings.TrimRightFunc),
		"removeprefix": takes("prefix", func(m *machine, x Value, a []Value) Value {
			return strings.TrimPrefix(text(x), m.strArg(a[0], ""))
		}),
		"removesuffix": takes("suffix", func(m *machine, x Value, a []Value) Value {
			return strings.TrimSuffix(text(x), m.strArg(a[0], ""))
		}),
		"startswith": affix(strings.HasPrefix),
		"endswith":   affix(strings.HasSuffix),
		"find":       find(strings.Index, false),
		"rfind":      find(strings.LastIndex, false),
		"index":      find(strings.Index, true),
		"rindex":     find(strings.LastIndex, true),
		"count": takes("sub | start stop", func(m *machine, x Value, a []Value) Value {
			s := text(m.slice(text(x), orNone(a[1]), orNone(a[2]), nil))
			return int64(strings.Count(s, m.strArg(a[0], "")))
		}),
		"replace": takes("old new | count", func(m *machine, x Value, a []Value) Value {
			with := m.strArg(a[1], "")
			if _, ok := x.(markup); ok {
				with = m.escaped(a[1])
			}
			return m.replace(text(x), m.strArg(a[0], ""), with, m.intArg(a[2], -1))
		}),
		"split":      split(false),
		"rsplit":     split(true),
		"splitlines": takes("| keepends", func(m *machine, x Value, a []Value) Value { return texts(lines(text(x), boolArg(a[0], false))) }),
		"partition":  partition(false),
		"rpartition": partition(true),
		"join": takes("iterable", func(m *machine, x Value, a []Value) Value {
			items := m.list(a[0])
			parts := make([]string, len(items))
			_, escape := x.(markup)
			for i, v := range items {
				s, ok := asString(v)
				if !ok {
					fail("sequence item %d: expected str instance, %s found", i, typeName(v))
				}
				if escape {
					s = m.escaped(v)
				}
				parts[i] = s
			}
			s := m.join(parts, text(x))
			if escape {
				return markup(s)
			}
			return s
		}),
		"ljust":  pad(func(n, _ int) int { return 0 }),
		"rjust":  pad(func(n, _ int) int { return n }),
		"center": pad(func(n, width int) int { return n/2 + n&width&1 }),
		"zfill": takes("width", func(m *machine, x Value, a []Value) Value {
			s, sign := text(x), ""
			if s != "" && (s[0] == '-' || s[0] == '+') {
				sign, s = s[:1], s[1:]
			}
			return sign + m.padded(s, m.intArg(a[0], 0)-len(sign), "0", func(n, _ int) int { return n })
		}),
		"expandtabs": takes("| tabsize", func(m *machine, x Value, a []Value) Value {
			return m.expandTabs(text(x), m.intArg(a[0], 8))
		}),
		"isalpha":   all(unicode.IsLetter),
		"isdigit":   all(unicode.IsDigit),
		"isdecimal": all(unicode.IsDigit),
		"isnumeric": all(unicode.IsNumber),
		"isalnum":   all(func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }),
		"isspace":   all(isSpace),
		"isascii":   takes("", func(m *machine, x Value, a []Value) Value { return len(text(x)) == utf8.RuneCountInString(text(x)) }),
		"isupper":   cased(unicode.IsUpper),
		"islower":   cased(unicode.IsLower),
		"istitle": takes("", func(m *machine, x Value, a []Value) Value {
			s := text(x)
			return strings.IndexFunc(s, unicode.IsLetter) >= 0 && s == title(s, capitalize, func(r rune) bool { return !unicode.IsLetter(r) })
		}),
		"isidentifier": takes("", func(m *machine, x Value, a []Value) Value {
			s := text(x)
			return s != "" && !(s[0] >= '0' && s[0] <= '9') && strings.IndexFunc(s, func(r rune) bool { return !wordChar(r) }) < 0
		}),
		"isprintable": takes("", func(m *machine, x Value, a []Value) Value {
			return strings.IndexFunc(text(x), func(r rune) bool { return !unicode.IsPrint(r) }) < 0
		}),
		"format": raw(func(m *machine, x Value, a *args) Value { return m.format(text(x), a) }),
		"format_map": takes("mapping", func(m *machine, x Value, a []Value) Value {
			d, ok := a[0].(*Dict)
			if !ok {
				fail("format_map() needs a mapping, not %s", typeName(a[0]))
			}
			b := &args{}
			for i, k := range d.keys {
				if s, ok := asString(k); ok {
					b.add(s, d.values[i])
				}
			}
			return m.format(text(x), b)
		}),
	}
}
