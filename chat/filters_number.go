package chat

import (
	"math"
	"strconv"
	"strings"
)

func numberFilters() map[string]builtin {
	return map[string]builtin{
		"abs": takes("", func(m *machine, x Value, a []Value) Value {
			if f, ok := asFloat(x); ok && f >= 0 {
				return signed("+", x)
			}
			return signed("-", x)
		}),
		"int": takes("| default base", func(m *machine, x Value, a []Value) Value {
			if v, ok := m.toInt(x, m.intArg(a[1], 10)); ok {
				return v
			}
			return orZero(a[0], int64(0))
		}),
		"float": takes("| default", func(m *machine, x Value, a []Value) Value {
			if f, ok := m.toFloat(x); ok {
				return f
			}
			return orZero(a[0], 0.0)
		}),
		"round": takes("| precision method", func(m *machine, x Value, a []Value) Value {
			return m.round(x, m.intArg(a[0], 0), m.strArg(a[1], "common"))
		}),
		"filesizeformat": takes("| binary", func(m *machine, x Value, a []Value) Value {
			f, ok := m.toFloat(x)
			if !ok {
				fail("filesizeformat: a number is expected, not %s", typeName(x))
			}
			return fileSize(f, boolArg(a[0], false))
		}),
		"sum": takes("| attribute start", func(m *machine, x Value, a []Value) Value {
			sum := orZero(a[1], int64(0))
			get := m.getter(orNone(a[0]), nil, false)
			for next := m.iterate(x); ; {
				v, ok := next()
				if !ok {
					return sum
				}
				sum = m.binary("+", sum, get(v))
			}
		}),
		"min": extreme(-1),
		"max": extreme(1),
	}
}

func orZero(v, zero Value) Value {
	if !given(v) {
		return zero
	}
	return v
}

// extreme is min and max.
func extreme(sign int) builtin {
	return takes("| case_sensitive attribute", func(m *machine, x Value, a []Value) Value {
		get := m.getter(orNone(a[1]), nil, !boolArg(a[0], false))
		next := m.iterate(x)
		best, ok := next()
		if !ok {
			return &undefined{"No aggregated item, sequence was empty."}
		}
		for key := get(best); ; {
			v, ok := next()
			if !ok {
				return best
			}
			k := get(v)
			if c, ordered := m.order(map[int]string{-1: "<", 1: ">"}[sign], k, key); ordered && c*sign > 0 {
				best, key = v, k
			}
		}
	})
}

// toInt is Python's int(x), for texts also of a float.
func (m *machine) toInt(x Value, base int) (Value, bool) {
	if u, ok := x.(*undefined); ok {
		fail("%s", u.why)
	}
	if i, ok := asInt(x); ok {
		return i, true
	}
	if s, ok := asString(x); ok {
		if base != 0 && (base < 2 || base > 36) {
			return nil, false
		}
		if v, ok := parsedInt(s, base); ok {
			return v, true
		}
	}
	switch x := x.(type) {
	case bigInt:
		return x, true
	case float64:
		if math.IsNaN(x) {
			return nil, false
		}
		return truncated(x), true
	}
	f, ok := m.toFloat(x)
	if !ok || math.IsNaN(f) {
		return nil, false
	}
	return truncated(f), true
}

// parsedInt reads an integer as Python's int(s, base).
func parsedInt(s string, base int) (Value, bool) {
	s = strings.TrimFunc(s, isSpace)
	sign := ""
	if s != "" && (s[0] == '-' || s[0] == '+') {
		sign, s = strings.TrimPrefix(s[:1], "+"), s[1:]
	}
	if len(s) > 2 && s[0] == '0' {
		if b := map[byte]int{'x': 16, 'o': 8, 'b': 2}[s[1]|0x20]; b != 0 && (base == b || base == 0) {
			s, base = s[2:], b
		}
	}
	if base == 0 {
		base = 10
	}
	if s == "" || s[0] == '_' || s[len(s)-1] == '_' || strings.Contains(s, "__") || s[0] == '-' || s[0] == '+' {
		return nil, false
	}
	s = sign + strings.ReplaceAll(s, "_", "")
	i, err := strconv.ParseInt(s, base, 64)
	if err == nil {
		return i, true
	}
	if base == 10 && len(s) <= 4300 && strings.Trim(strings.TrimPrefix(s, "-"), "0123456789") == "" {
		digits := strings.TrimLeft(strings.TrimPrefix(s, "-"), "0")
		return bigInt(sign + digits), true
	}
	return nil, false
}

// toFloat is Python's float(x).
func (m *machine) toFloat(x Value) (float64, bool) {
	if f, ok := asFloat(x); ok {
		return f, true
	}
	if u, ok := x.(*undefined); ok {
		fail("%s", u.why)
	}
	s, ok := asString(x)
	if !ok {
		return 0, false
	}
	s = strings.TrimFunc(s, isSpace)
	if strings.ContainsAny(s, "xXpP") {
		return 0, false
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	return f, err == nil || math.IsInf(f, 0)
}

// round rounds to a number of decimals: half to even on the exact value, up or down.
func (m *machine) round(x Value, decimals int, method string) Value {
	f, ok := asFloat(x)
	if !ok {
		if u, is := x.(*undefined); is {
			fail("%s", u.why)
		}
		fail("type %s doesn't define __round__ method", typeName(x))
	}
	_, isInt := asInt(x)
	switch method {
	case "common":
		if isInt && decimals >= 0 {
			return signed("+", x)
		}
		r := roundTo(f, decimals)
		if isInt {
			return int64(r)
		}
		return r
	case "ceil", "floor":
		scale := math.Pow(10, float64(decimals))
		if method == "ceil" {
			return math.Ceil(f*scale) / scale
		}
		return math.Floor(f*scale) / scale
	}
	fail("round: method must be common, ceil or floor")
	return nil
}

func roundTo(f float64, decimals int) float64 {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0) || decimals > 323:
		return f
	case decimals < 0:
		scale := math.Pow(10, float64(-decimals))
		return math.RoundToEven(f/scale) * scale
	}
	r, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'f', decimals, 64), 64)
	return r
}

func fileSize(f float64, binary bool) string {
	base, letter := 1000.0, "B"
	if binary {
		base, letter = 1024, "iB"
	}
	if f == 1 {
		return "1 Byte"
	}
	if f < base {
		return strconv.FormatInt(int64(f), 10) + " Bytes"
	}
	unit := base
	for i := 0; ; i++ {
		unit *= base
		if f < unit || i == 7 {
			prefix := "KMGTPEZY"[i : i+1]
			if i == 0 && !binary {
				prefix = "k"
			}
			return strconv.FormatFloat(base*f/unit, 'f', 1, 64) + " " + prefix + letter
		}
	}
}
