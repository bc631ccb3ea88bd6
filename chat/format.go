package chat

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// spec says how a value is written: Python's mini-language of format(), to which % is translated.
type spec struct {
	fill      string
	align     byte // < > ^ =; 0: the type's own
	sign      byte // + - or a space; 0: -
	alternate bool
	width     int
	group     string // "," or "_"
	precision int    // -1: none
	kind      byte   // 0: the type's own
}

// format is text.format(arguments).
func (m *machine) format(text string, a *args) Value {
	p := printer{m: m}
	auto := 0
	m.formatFields(&p, text, a, &auto, 0)
	return p.b.String()
}

func (m *machine) formatFields(p *printer, text string, a *args, auto *int, depth int) {
	if depth > 1 {
		fail("Max string recursion exceeded")
	}
	for text != "" {
		i := strings.IndexAny(text, "{}")
		if i < 0 {
			p.write(text)
			return
		}
		p.write(text[:i])
		c := text[i]
		text = text[i+1:]
		if text != "" && text[0] == c {
			p.write(string(c))
			text = text[1:]
			continue
		}
		if c == '}' {
			fail("Single '}' encountered in format string")
		}
		n, open := 0, 1
		for ; n < len(text) && open > 0; n++ {
			switch text[n] {
			case '{':
				open++
			case '}':
				open--
			}
		}
		if open > 0 {
			fail("expected '}' before end of string")
		}
		field := text[:n-1]
		text = text[n:]
		m.formatField(p, field, a, auto, depth)
	}
}

// formatField writes one {name!conversion:spec}.
func (m *machine) formatField(p *printer, field string, a *args, auto *int, depth int) {
	name, how, hasSpec := strings.Cut(field, ":")
	name, conversion, converts := strings.Cut(name, "!")
	v := m.formatArg(name, a, auto)
	if converts {
		switch conversion {
		case "s":
			v = m.str(v)
		case "r", "a":
			v = m.repr(v)
		default:
			fail("Unknown conversion specifier %s", clip(conversion))
		}
	}
	if hasSpec && strings.Contains(how, "{") {
		q := printer{m: m}
		m.formatFields(&q, how, a, auto, depth+1)
		how = q.b.String()
	}
	if how == "" {
		p.write(m.str(v))
		return
	}
	s := parseSpec(how)
	p.write(m.formatValue(v, &s))
}

// formatArg finds the value of a field's name: an argument and then attributes and items of it.
func (m *machine) formatArg(name string, a *args, auto *int) Value {
	i := strings.IndexAny(name, ".[")
	if i < 0 {
		i = len(name)
	}
	first, rest := name[:i], name[i:]
	if first == "" {
		if *auto < 0 {
			fail("cannot switch from manual field specification to automatic field numbering")
		}
		first = strconv.Itoa(*auto)
		*auto++
	} else if first[0] >= '0' && first[0] <= '9' {
		if *auto > 0 {
			fail("cannot switch from automatic field numbering to manual field specification")
		}
		*auto = -1
	}
	var v Value = missing{}
	if n, err := strconv.Atoi(first); err == nil {
		if n >= len(a.pos) {
			fail("Replacement index %d out of range for positional args tuple", n)
		}
		v = a.pos[n]
	} else {
		for i, n := range a.names {
			if n == first {
				v = a.named[i]
			}
		}
		if !given(v) {
			fail("the format's argument %s is not there", reprString(clip(first)))
		}
	}
	for rest != "" {
		m.step()
		if rest[0] == '.' {
			n := strings.IndexAny(rest[1:], ".[") + 1
			if n == 0 {
				n = len(rest)
			}
			v = m.attr(v, rest[1:n])
			rest = rest[n:]
			continue
		}
		key, after, ok := strings.Cut(rest[1:], "]")
		if !ok {
			fail("Missing ']' in format string")
		}
		if n, err := strconv.ParseInt(key, 10, 64); err == nil {
			v = m.index(v, n)
		} else {
			v = m.index(v, key)
		}
		rest = after
	}
	return v
}

// parseSpec reads [[fill]align][sign][#][0][width][grouping][.precision][type].
func parseSpec(how string) spec {
	whole := how
	s := spec{fill: " ", precision: -1}
	isAlign := func(i int) bool { return i < len(how) && strings.IndexByte("<>=^", how[i]) >= 0 }
	if _, n := utf8.DecodeRuneInString(how); isAlign(n) {
		s.fill, s.align, how = how[:n], how[n], how[n+1:]
	} else if isAlign(0) {
		s.align, how = how[0], how[1:]
	}
	take := func(set string) byte {
		if how != "" && strings.IndexByte(set, how[0]) >= 0 {
			c := how[0]
			how = how[1:]
			return c
		}
		return 0
	}
	number := func() int {
		n := 0
		for how != "" && how[0] >= '0' && how[0] <= '9' {
			n = min(n*10+int(how[0]-'0'), math.MaxInt32/16)
			how = how[1:]
		}
		return n
	}
	s.sign = take("+- ")
	s.alternate = take("#") != 0
	if take("0") != 0 && s.align == 0 {
		s.fill, s.align = "0", '='
	}
	s.width = number()
	if g := take(",_"); g != 0 {
		s.group = string(g)
	}
	if take(".") != 0 {
		s.precision = number()
	}
	s.kind = take("bcdeEfFgGnosxX%")
	if how != "" {
		fail("Invalid format specifier %s", reprString(clip(whole)))
	}
	return s
}

// formatValue is Python's format(v, spec).
func (m *machine) formatValue(v Value, s *spec) string {
	if text, ok := asString(v); ok {
		if s.kind != 0 && s.kind != 's' || s.align == '=' && s.fill != "0" || s.sign != 0 {
			fail("the format does not fit a str")
		}
		if s.align == '=' {
			s.align = '<'
		}
		return m.formatText(s, text)
	}
	if i, ok := asInt(v); ok {
		return m.formatInt(s, i)
	}
	switch v := v.(type) {
	case bigInt:
		if s.kind == 0 || s.kind == 'd' {
			digits, negative := strings.CutPrefix(string(v), "-")
			return m.formatNumber(s, negative, "", digits)
		}
		f, _ := asFloat(v)
		return m.formatFloat(s, f)
	case float64:
		return m.formatFloat(s, v)
	}
	fail("unsupported format string passed to %s.__format__", typeName(v))
	return ""
}

func (m *machine) formatText(s *spec, text string) string {
	if s.precision >= 0 {
		text, _ = asString(m.slice(text, nil, int64(s.precision), nil))
	}
	return m.aligned(s, "", text, '<')
}

func (m *machine) formatInt(s *spec, i int64) string {
	base, prefix := 10, ""
	switch s.kind {
	case 'b':
		base, prefix = 2, "0b"
	case 'o':
		base, prefix = 8, "0o"
	case 'x':
		base, prefix = 16, "0x"
	case 'X':
		base, prefix = 16, "0X"
	case 'c':
		return m.aligned(s, "", string(rune(i)), '<')
	case 'e', 'E', 'f', 'F', 'g', 'G', '%':
		return m.formatFloat(s, float64(i))
	case 's':
		fail("Unknown format code 's' for object of type 'int'")
	}
	if !s.alternate {
		prefix = ""
	}
	digits := strconv.FormatUint(magnitude(i), base)
	if s.kind == 'X' {
		digits = strings.ToUpper(digits)
	}
	return m.formatNumber(s, i < 0, prefix, digits)
}

func (m *machine) formatFloat(s *spec, f float64) string {
	kind, precision, percent := s.kind, s.precision, ""
	negative := math.Signbit(f) && !math.IsNaN(f)
	a := math.Abs(f)
	switch kind {
	case 0:
		if precision < 0 {
			return m.formatNumber(s, negative, "", reprFloat(a))
		}
		kind = 'g'
	case '%':
		a, kind, percent = a*100, 'f', "%"
	case 'n':
		kind = 'g'
	case 'd', 's', 'x', 'X', 'o', 'b', 'c':
		fail("Unknown format code '%c' for object of type 'float'", kind)
	}
	if precision < 0 {
		precision = 6
	}
	m.fits(precision + 400)
	digits := ""
	switch {
	case math.IsInf(a, 0):
		digits = "inf"
	case math.IsNaN(a):
		digits = "nan"
	case kind|0x20 == 'f':
		digits = strconv.FormatFloat(a, 'f', precision, 64)
	case kind|0x20 == 'e':
		digits = strconv.FormatFloat(a, 'e', precision, 64)
	default:
		digits = general(a, max(precision, 1))
		if s.kind == 0 && !strings.ContainsAny(digits, ".e") {
			digits += ".0"
		}
	}
	if kind >= 'A' && kind <= 'Z' {
		digits = strings.ToUpper(digits)
	}
	return m.formatNumber(s, negative, "", digits+percent)
}

// general is C's %g: n significant digits without zeros at the end.
func general(a float64, n int) string {
	e := strconv.FormatFloat(a, 'e', n-1, 64)
	mantissa, exponent, _ := strings.Cut(e, "e")
	x, _ := strconv.Atoi(exponent)
	if x >= -4 && x < n {
		s := strconv.FormatFloat(a, 'f', n-1-x, 64)
		if strings.Contains(s, ".") {
			s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
		}
		return s
	}
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	return mantissa + "e" + exponent
}

// formatNumber puts sign, prefix, groups of digits and padding around the digits.
func (m *machine) formatNumber(s *spec, negative bool, prefix, digits string) string {
	sign := ""
	switch {
	case negative:
		sign = "-"
	case s.sign == '+' || s.sign == ' ':
		sign = string(s.sign)
	}
	if s.group != "" {
		size := 3
		if s.group == "_" && strings.IndexByte("bxXo", s.kind) >= 0 && s.kind != 0 {
			size = 4
		}
		n := strings.IndexFunc(digits, func(r rune) bool { return r == '.' || r == 'e' || r == '%' })
		if n < 0 {
			n = len(digits)
		}
		whole, rest := digits[:n], digits[n:]
		grouped := ""
		for len(whole) > size {
			grouped = s.group + whole[len(whole)-size:] + grouped
			whole = whole[:len(whole)-size]
		}
		digits = whole + grouped + rest
	}
	return m.aligned(s, sign+prefix, digits, '>')
}

// aligned pads to the width; with the alignment = the padding is between head and text.
func (m *machine) aligned(s *spec, head, text string, usual byte) string {
	n := s.width - utf8.RuneCountInString(head) - utf8.RuneCountInString(text)
	if n <= 0 {
		return head + text
	}
	m.fits(m.times(n, len(s.fill)) + len(text))
	align := s.align
	if align == 0 {
		align = usual
	}
	pad := func(n int) string { return strings.Repeat(s.fill, n) }
	switch align {
	case '<':
		return head + text + pad(n)
	case '^':
		return pad(n/2) + head + text + pad(n-n/2)
	case '=':
		return head + pad(n) + text
	}
	return pad(n) + head + text
}

// truncated is int(f).
func truncated(f float64) Value {
	switch {
	case math.IsNaN(f):
		fail("cannot convert float NaN to integer")
	case math.IsInf(f, 0):
		fail("cannot convert float infinity to integer")
	}
	f = math.Trunc(f)
	if f >= -1<<63 && f < 1<<63 {
		return int64(f)
	}
	return bigInt(strconv.FormatFloat(f, 'f', 0, 64))
}
