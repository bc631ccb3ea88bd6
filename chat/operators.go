package chat

import (
	"math"
	"math/bits"
	"strings"
)

// signed is +x or -x.
func signed(o string, x Value) Value {
	if u, ok := x.(*undefined); ok {
		fail("%s", u.why)
	}
	if i, ok := asInt(x); ok {
		switch {
		case o == "+":
			return i
		case i == math.MinInt64:
			tooLarge()
		}
		return -i
	}
	if f, ok := x.(float64); ok {
		if o == "-" {
			return -f
		}
		return f
	}
	if b, ok := x.(bigInt); ok {
		switch {
		case o == "+":
			return b
		case b[0] == '-':
			return b[1:]
		case b == "9223372036854775808":
			return int64(math.MinInt64)
		}
		return "-" + b
	}
	fail("bad operand type for unary %s: '%s'", o, typeName(x))
	return nil
}

func tooLarge() { fail("an integer is too large to reckon with") }

// binary is x o y for the operators of arithmetic.
func (m *machine) binary(o string, x, y Value) Value {
	for _, v := range []Value{x, y} {
		if u, ok := v.(*undefined); ok {
			if s, isText := asString(x); isText && o == "%" {
				return m.percent(s, y)
			}
			fail("%s", u.why)
		}
	}
	a, xInt := asInt(x)
	b, yInt := asInt(y)
	if xInt && yInt {
		return ints(o, a, b)
	}
	f, xNum := asFloat(x)
	g, yNum := asFloat(y)
	if xNum && yNum {
		if _, big := x.(bigInt); big {
			tooLarge()
		}
		if _, big := y.(bigInt); big {
			tooLarge()
		}
		return floats(o, f, g)
	}
	switch o {
	case "+":
		if v, ok := m.joined(x, y); ok {
			return v
		}
	case "*":
		if xInt {
			x, y, b, yInt = y, x, a, true
		}
		if yInt {
			if v, ok := m.repeated(x, b); ok {
				return m.made(v)
			}
		}
	case "%":
		if s, ok := x.(markup); ok {
			return markup(m.percent(string(s), m.escapedArgs(y)))
		}
		if s, ok := x.(string); ok {
			return m.percent(s, y)
		}
	}
	if o == "+" {
		_, xs := asString(x)
		if xs {
			fail("can only concatenate str (not \"%s\") to str", typeName(y))
		}
	}
	fail("unsupported operand type(s) for %s: '%s' and '%s'", o, typeName(x), typeName(y))
	return nil
}

// joined is x + y for texts, lists and tuples. Markup escapes what it is joined with.
func (m *machine) joined(x, y Value) (Value, bool) {
	if s, ok := asString(x); ok {
		t, ok := asString(y)
		if !ok {
			return nil, false
		}
		_, xm := x.(markup)
		_, ym := y.(markup)
		if xm || ym {
			return markup(m.appended(m.escaped(x), m.escaped(y))), true
		}
		return m.appended(s, t), true
	}
	switch x := x.(type) {
	case *List:
		if y, ok := y.(*List); ok {
			m.fits((len(x.Items) + len(y.Items)) * wordBytes)
			return m.made(&List{append(append(make([]Value, 0, len(x.Items)+len(y.Items)), x.Items...), y.Items...)}), true
		}
	case tuple:
		if y, ok := y.(tuple); ok {
			m.fits((len(x) + len(y)) * wordBytes)
			return m.made(append(append(make(tuple, 0, len(x)+len(y)), x...), y...)), true
		}
	}
	return nil, false
}

// repeated is x * n for texts, lists and tuples.
func (m *machine) repeated(x Value, n int64) (Value, bool) {
	count := int(max(min(n, math.MaxInt32), 0))
	items := func(list []Value) []Value {
		m.times(len(list)*wordBytes, count)
		var all []Value
		if len(list) > 0 {
			for range count {
				all = append(all, list...)
			}
		}
		return all
	}
	switch x := x.(type) {
	case string:
		m.times(len(x), count)
		return strings.Repeat(x, count), true
	case markup:
		m.times(len(x), count)
		return markup(strings.Repeat(string(x), count)), true
	case *List:
		return &List{items(x.Items)}, true
	case tuple:
		return tuple(items(x)), true
	}
	return nil, false
}

func ints(o string, a, b int64) Value {
	switch o {
	case "+":
		c := a + b
		if (c > a) != (b > 0) && b != 0 {
			tooLarge()
		}
		return c
	case "-":
		c := a - b
		if (c < a) != (b > 0) && b != 0 {
			tooLarge()
		}
		return c
	case "*":
		return product(a, b)
	case "**":
		if b < 0 {
			return floats(o, float64(a), float64(b))
		}
		r := int64(1)
		for ; b > 0; b >>= 1 {
			if b&1 == 1 {
				r = product(r, a)
			}
			if b > 1 {
				if a == 0 || a == 1 {
					return product(r, a)
				}
				a = product(a, a)
			}
		}
		return r
	}
	if b == 0 {
		switch o {
		case "/":
			fail("division by zero")
		}
		fail("integer division or modulo by zero")
	}
	if a == math.MinInt64 && b == -1 && o != "/" {
		if o == "%" {
			return int64(0)
		}
		tooLarge()
	}
	switch o {
	case "//":
		q := a / b
		if a%b != 0 && (a < 0) != (b < 0) {
			q--
		}
		return q
	case "%":
		r := a % b
		if r != 0 && (r < 0) != (b < 0) {
			r += b
		}
		return r
	}
	return float64(a) / float64(b)
}

func product(a, b int64) int64 {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	negative := (a < 0) != (b < 0)
	switch {
	case hi == 0 && lo <= math.MaxInt64:
	case hi == 0 && lo == 1<<63 && negative:
		return math.MinInt64
	default:
		tooLarge()
	}
	if negative {
		return -int64(lo)
	}
	return int64(lo)
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

func floats(o string, f, g float64) Value {
	switch o {
	case "+":
		return f + g
	case "-":
		return f - g
	case "*":
		return f * g
	case "**":
		if f == 0 && g < 0 {
			fail("0.0 cannot be raised to a negative power")
		}
		if f < 0 && g != math.Trunc(g) {
			fail("complex numbers are not known here")
		}
		r := math.Pow(f, g)
		if math.IsInf(r, 0) && !math.IsInf(f, 0) && !math.IsInf(g, 0) {
			fail("the result is too large")
		}
		return r
	}
	if g == 0 {
		if o == "/" {
			fail("float division by zero")
		}
		fail("float floor division or modulo by zero")
	}
	if o == "/" {
		return f / g
	}
	r := math.Mod(f, g)
	if r != 0 && (r < 0) != (g < 0) {
		r += g
	} else if r == 0 {
		r = math.Copysign(0, g)
	}
	if o == "%" {
		return r
	}
	q := (f - r) / g
	return math.Floor(q + 0.5)
}
