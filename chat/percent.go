package chat

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// percent is text % v.
func (m *machine) percent(text string, v Value) string {
	p := printer{m: m}
	values, isTuple := v.(tuple)
	if !isTuple {
		values = tuple{v}
	}
	used := 0
	next := func() Value {
		if used >= len(values) {
			fail("not enough arguments for format string")
		}
		used++
		return values[used-1]
	}
	dict, isDict := v.(*Dict)
	for {
		before, rest, found := strings.Cut(text, "%")
		p.write(before)
		if !found {
			break
		}
		take := next
		if strings.HasPrefix(rest, "(") {
			name, after, ok := strings.Cut(rest[1:], ")")
			if !ok {
				fail("incomplete format key")
			}
			if !isDict {
				fail("format requires a mapping")
			}
			rest = after
			take = func() Value {
				x, ok := m.item(dict, name)
				if !ok {
					fail("the format's key %s is not there", reprString(clip(name)))
				}
				return x
			}
		}
		s := spec{fill: " ", align: '>', precision: -1}
		rest = s.percentFlags(rest, func() int { return m.intArg(next(), 0) })
		if rest == "" {
			fail("incomplete format")
		}
		s.kind, text = rest[0], rest[1:]
		if s.kind == '%' {
			p.write("%")
			continue
		}
		p.write(m.percentOne(&s, take()))
	}
	switch v.(type) {
	case *Dict, *List, rangeOf, *undefined: // whatever has items may be left over
	default:
		if used < len(values) {
			fail("not all arguments converted during string formatting")
		}
	}
	return p.b.String()
}

// percentFlags reads flags, width and precision, and returns what follows.
func (s *spec) percentFlags(rest string, star func() int) string {
	for rest != "" && strings.IndexByte("#0- +", rest[0]) >= 0 {
		switch rest[0] {
		case '#':
			s.alternate = true
		case '0':
			if s.align == '>' {
				s.fill, s.align = "0", '='
			}
		case '-':
			s.fill, s.align = " ", '<'
		case '+':
			s.sign = '+'
		case ' ':
			if s.sign == 0 {
				s.sign = ' '
			}
		}
		rest = rest[1:]
	}
	number := func() int {
		if strings.HasPrefix(rest, "*") {
			rest = rest[1:]
			return star()
		}
		n := 0
		for rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			n = min(n*10+int(rest[0]-'0'), math.MaxInt32/16)
			rest = rest[1:]
		}
		return n
	}
	if s.width = number(); s.width < 0 {
		s.width, s.align, s.fill = -s.width, '<', " "
	}
	if strings.HasPrefix(rest, ".") {
		rest = rest[1:]
		s.precision = max(number(), 0)
	}
	return strings.TrimLeft(rest, "hlL")
}

func (m *machine) percentOne(s *spec, v Value) string {
	switch s.kind {
	case 's', 'r', 'a':
		text := ""
		if s.kind == 's' {
			text = m.str(v)
		} else {
			text = m.repr(v)
		}
		s.kind = 's'
		if s.align == '=' {
			s.align, s.fill = '>', " "
		}
		return m.formatText(s, text)
	case 'c':
		if i, ok := asInt(v); ok {
			v = string(rune(i))
		}
		text, _ := asString(v)
		if utf8.RuneCountInString(text) != 1 {
			fail("%%c requires int or char")
		}
		s.kind = 's'
		return m.formatText(s, text)
	case 'd', 'i', 'u':
		s.kind = 'd'
		if f, ok := v.(float64); ok {
			v = truncated(f)
		}
	case 'x', 'X', 'o':
	case 'f', 'F', 'e', 'E', 'g', 'G':
	default:
		fail("unsupported format character '%c'", s.kind)
	}
	if _, ok := asFloat(v); !ok {
		if u, is := v.(*undefined); is {
			fail("%s", u.why)
		}
		fail("%%%c format: a real number is required, not %s", s.kind, typeName(v))
	}
	if i, ok := asInt(v); ok {
		if s.kind == 'd' && s.precision >= 0 {
			digits := strconv.FormatUint(magnitude(i), 10)
			m.fits(s.precision)
			digits = strings.Repeat("0", max(s.precision-len(digits), 0)) + digits
			return m.formatNumber(s, i < 0, "", digits)
		}
		v = i
	}
	return m.formatValue(v, s)
}
