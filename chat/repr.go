package chat

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// printer writes values and stops at the limits: values that share parts print larger than they are.
type printer struct {
	m     *machine
	b     strings.Builder
	depth int
}

func (p *printer) write(s string) {
	p.m.alloc(len(s))
	p.b.WriteString(s)
	p.m.fits(p.b.Len())
}

func (p *printer) enter() {
	p.m.step()
	if p.depth++; p.depth > p.m.maxPrint {
		fail("a value is nested too deeply to be written")
	}
}

func (p *printer) leave() { p.depth-- }

// str is Python's str(v).
func (m *machine) str(v Value) string {
	switch v := v.(type) {
	case string:
		return v
	case markup:
		return string(v)
	case *undefined:
		return ""
	}
	return m.repr(v)
}

// repr is Python's repr(v).
func (m *machine) repr(v Value) string {
	p := printer{m: m}
	p.repr(v)
	return p.b.String()
}

func (p *printer) repr(v Value) {
	p.enter()
	defer p.leave()
	switch v := v.(type) {
	case nil:
		p.write("None")
	case bool:
		p.write(map[bool]string{true: "True", false: "False"}[v])
	case int64, bigInt, float64:
		p.write(reprNumber(v))
	case string:
		p.write(reprString(v))
	case markup:
		p.write("Markup(" + reprString(string(v)) + ")")
	case *undefined:
		p.write("Undefined")
	case *List:
		p.items("[", v.Items, "]")
	case tuple:
		if len(v) == 1 {
			p.items("(", v, ",)")
			return
		}
		p.items("(", v, ")")
	case group:
		p.items("(", []Value{v.grouper, v.list}, ")")
	case *Dict:
		p.dict(v)
	case view:
		p.write("dict_" + v.kind + "(")
		p.items("[", p.m.list(v), "]")
		p.write(")")
	case rangeOf:
		s := "range(" + strconv.FormatInt(v.start, 10) + ", " + strconv.FormatInt(v.stop, 10)
		if v.step != 1 {
			s += ", " + strconv.FormatInt(v.step, 10)
		}
		p.write(s + ")")
	case *namespace:
		p.write("<Namespace ")
		p.dict(v.attrs)
		p.write(">")
	case *macro:
		if v.def.name == "" {
			p.write("<Macro anonymous>")
		} else {
			p.write("<Macro " + reprString(v.def.name) + ">")
		}
	case *loop:
		p.write(fmt.Sprintf("<LoopContext %d/%d>", v.index0+1, v.length(p.m)))
	case *function:
		p.write("<function " + v.name + ">")
	default:
		p.write("<" + typeName(v) + " object>")
	}
}

func (p *printer) items(open string, items []Value, closing string) {
	p.write(open)
	for i, v := range items {
		if i > 0 {
			p.write(", ")
		}
		p.repr(v)
	}
	p.write(closing)
}

func (p *printer) dict(d *Dict) {
	p.write("{")
	for i, k := range d.keys {
		if i > 0 {
			p.write(", ")
		}
		p.repr(k)
		p.write(": ")
		p.repr(d.values[i])
	}
	p.write("}")
}

func reprNumber(v Value) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case bigInt:
		return string(v)
	case float64:
		return reprFloat(v)
	}
	panic("chat: not a number")
}

// reprFloat is the shortest decimal that reads back as f, in Python's choice of form: an exponent
// below 1e-4 and from 1e16 on.
func reprFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// reprString quotes s as Python does: with double quotes only where s has a single and no double one.
func reprString(s string) string {
	quote := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	b := make([]byte, 0, len(s)+2)
	b = append(b, quote)
	for _, r := range s {
		switch {
		case r == rune(quote) || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\r':
			b = append(b, '\\', 'r')
		case r == '\t':
			b = append(b, '\\', 't')
		case r >= 0x20 && r < 0x7f:
			b = append(b, byte(r))
		case r >= utf8.RuneSelf && strconv.IsPrint(r):
			b = utf8.AppendRune(b, r)
		case r < 0x100:
			b = fmt.Appendf(b, `\x%02x`, r)
		case r < 0x10000:
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = fmt.Appendf(b, `\U%08x`, r)
		}
	}
	return string(append(b, quote))
}
