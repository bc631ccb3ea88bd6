package grammar

import (
	"strings"
)

// decimal is a number by its digits: whole without zeros before (but "0"), frac without zeros after.
type decimal struct {
	negative    bool // never for 0
	whole, frac string
}

// maxDigits are those of a limit before and after the point.
const maxDigits = 40

// readDecimal reads a number of JSON. false: it has too many digits.
func readDecimal(text string) (decimal, bool) {
	digits, negative := strings.CutPrefix(text, "-")
	exponent := 0
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		e := strings.TrimPrefix(digits[i+1:], "+")
		e, down := strings.CutPrefix(e, "-")
		for _, c := range e {
			if exponent = 10*exponent + int(c-'0'); exponent > maxDigits {
				return decimal{}, false
			}
		}
		if down {
			exponent = -exponent
		}
		digits = digits[:i]
	}
	whole, frac, _ := strings.Cut(digits, ".")
	if exponent > 0 {
		frac += strings.Repeat("0", max(exponent-len(frac), 0))
		whole, frac = whole+frac[:exponent], frac[exponent:]
	} else if n := -exponent; n > 0 {
		whole = strings.Repeat("0", max(n-len(whole), 0)) + whole
		whole, frac = whole[:len(whole)-n], whole[len(whole)-n:]+frac
	}
	d := decimal{negative, strings.TrimLeft(whole, "0"), strings.TrimRight(frac, "0")}
	if d.whole == "" {
		d.whole = "0"
	}
	d.negative = negative && d != decimal{negative, "0", ""}
	return d, len(d.whole) <= maxDigits && len(d.frac) <= maxDigits
}

// compare orders the magnitudes.
func (d decimal) compare(x decimal) int {
	if len(d.whole) != len(x.whole) {
		return len(d.whole) - len(x.whole)
	}
	if c := strings.Compare(d.whole, x.whole); c != 0 {
		return c
	}
	return strings.Compare(d.frac, x.frac)
}

// bound is a limit of numbers; without, the number itself is beyond it.
type bound struct {
	decimal
	without bool
}

// narrower is the bound that leaves less: of two lower ones the higher.
func narrower(a, b *bound, lower bool) *bound {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	c := a.compare(b.decimal)
	if a.negative {
		c = -c
	}
	if a.negative != b.negative {
		c = 1
		if a.negative {
			c = -1
		}
	}
	if !lower {
		c = -c
	}
	if c > 0 || c == 0 && a.without {
		return a
	}
	return b
}

// limit reads minimum, maximum and their exclusive forms, of which earlier drafts made booleans beside the others.
func (sh *shape) limit(sub schema, name string, s schema) error {
	lower := name == "minimum" || name == "exclusiveMinimum"
	b := &bound{without: strings.HasPrefix(name, "exclusive")}
	if sub.v.kind == 'b' && b.without {
		return nil
	}
	ok := false
	if sub.v.kind == '0' {
		b.decimal, ok = readDecimal(sub.v.text)
	}
	if !ok {
		return sub.fault("a number of at most %d digits is needed, not %s", maxDigits, sub.v)
	}
	if lower {
		if x := s.v.members["exclusiveMinimum"]; x != nil && x.kind == 'b' {
			b.without = x.yes
		}
		sh.low = narrower(sh.low, b, true)
		return nil
	}
	if x := s.v.members["exclusiveMaximum"]; x != nil && x.kind == 'b' {
		b.without = x.yes
	}
	sh.high = narrower(sh.high, b, false)
	return nil
}

// number is the grammar of the numbers of a shape. Those with a limit have no exponent.
func (c *converter) number(s *shape, of types) *expr {
	if of&isFraction == 0 {
		if s.low == nil && s.high == nil {
			return c.json("integer")
		}
		return signed(s.low, s.high, wholeBetween)
	}
	if s.low == nil && s.high == nil {
		return c.json("number")
	}
	return signed(s.low, s.high, numberBetween)
}

// signed is what is between two limits, nil for none, from between for numbers that are not negative.
func signed(low, high *bound, between func(low bound, high *bound) *expr) *expr {
	zero := bound{decimal: decimal{whole: "0"}}
	var choices []*expr
	if low == nil || low.negative {
		from := bound{zero.decimal, true} // there is no -0
		if high != nil && high.negative {
			from = bound{decimal{false, high.whole, high.frac}, high.without}
		}
		var to *bound
		if low != nil {
			to = &bound{decimal{false, low.whole, low.frac}, low.without}
		}
		choices = append(choices, seq(char('-'), between(from, to)))
	}
	if high == nil || !high.negative {
		from := zero
		if low != nil && !low.negative {
			from = *low
		}
		choices = append(choices, between(from, high))
	}
	return alt(choices...)
}

// wholeBetween is the integers between two limits.
func wholeBetween(low bound, high *bound) *expr {
	from := low.whole
	if low.frac != "" || low.without {
		from = plusOne(from)
	}
	if high == nil {
		return magnitudes(from, "")
	}
	to := high.whole
	if high.frac == "" && high.without {
		if to == "0" {
			return alt()
		}
		to = minusOne(to)
	}
	return magnitudes(from, to)
}

func plusOne(s string) string {
	b := []byte("0" + s)
	for i := len(b) - 1; ; i-- {
		if b[i]++; b[i] <= '9' {
			break
		}
		b[i] = '0'
	}
	return strings.TrimLeft(string(b), "0")
}

// minusOne is s - 1, for s above 0.
func minusOne(s string) string {
	b := []byte(s)
	for i := len(b) - 1; ; i-- {
		if b[i]--; b[i] >= '0' {
			break
		}
		b[i] = '9'
	}
	if s = strings.TrimLeft(string(b), "0"); s == "" {
		return "0"
	}
	return s
}

// magnitudes are the integers from one to another, without a limit if to is "".
func magnitudes(from, to string) *expr {
	if to != "" && (decimal{whole: from}).compare(decimal{whole: to}) > 0 {
		return alt()
	}
	var choices []*expr
	last := len(to)
	if to == "" {
		last = len(from)
		choices = append(choices, seq(between('1', '9'), digits(last, max(last, 15))))
	}
	for n := len(from); n <= last; n++ {
		lo, hi := "1"+strings.Repeat("0", n-1), strings.Repeat("9", n)
		if n == len(from) {
			lo = from
		}
		if n == len(to) {
			hi = to
		}
		choices = append(choices, sameLength(lo, hi))
	}
	return alt(choices...)
}

// sameLength is the digits between two numbers of as many digits.
func sameLength(lo, hi string) *expr {
	n := len(lo)
	switch {
	case n == 0:
		return nothing()
	case strings.Trim(lo, "0") == "" && strings.Trim(hi, "9") == "":
		return digits(n, n)
	case lo[0] == hi[0]:
		return seq(char(rune(lo[0])), sameLength(lo[1:], hi[1:]))
	}
	a, z := rune(lo[0]), rune(hi[0])
	choices := []*expr{seq(char(a), sameLength(lo[1:], strings.Repeat("9", n-1)))}
	if a+1 < z {
		choices = append(choices, seq(between(a+1, z-1), digits(n-1, n-1)))
	}
	return alt(append(choices, seq(char(z), sameLength(strings.Repeat("0", n-1), hi[1:])))...)
}

// numberBetween is the numbers between two limits, with a point or without.
func numberBetween(low bound, high *bound) *expr {
	if high == nil {
		return alt(seq(magnitudes(plusOne(low.whole), ""), fraction()),
			seq(literal(low.whole), point(fracFrom(low.frac, low.without, true), low.frac == "" && !low.without)))
	}
	if low.compare(high.decimal) > 0 {
		return alt()
	}
	if low.whole == high.whole {
		return seq(literal(low.whole), point(fracBetween(low.frac, high.frac, low.without, high.without, true),
			low.frac == "" && !low.without && (high.frac != "" || !high.without)))
	}
	choices := []*expr{
		seq(literal(low.whole), point(fracFrom(low.frac, low.without, true), low.frac == "" && !low.without)),
		seq(literal(high.whole), point(fracTo(high.frac, high.without, true), high.frac != "" || !high.without)),
	}
	if from, to := plusOne(low.whole), minusOne(high.whole); (decimal{whole: from}).compare(decimal{whole: to}) <= 0 {
		choices = append(choices, seq(magnitudes(from, to), fraction()))
	}
	return alt(choices...)
}

// point is a point and the digits after it; or nothing, if that is one of the numbers.
func point(frac *expr, orNothing bool) *expr {
	e := seq(char('.'), frac)
	if orNothing {
		return optional(e)
	}
	return e
}

// How many digits there may be after those that a limit is about.
const fracDigits = 16

// fracFrom is the digits of a fraction from one on. some: at least one digit.
func fracFrom(lo string, without, some bool) *expr {
	least := 0
	if some {
		least = 1
	}
	if lo == "" {
		if without {
			return seq(repeat(char('0'), 0, fracDigits), between('1', '9'), digits(0, fracDigits))
		}
		return digits(least, fracDigits)
	}
	first := rune(lo[0])
	choices := []*expr{seq(char(first), fracFrom(lo[1:], without, false))}
	if first < '9' {
		choices = append(choices, seq(between(first+1, '9'), digits(0, fracDigits)))
	}
	return alt(choices...)
}

// fracTo is the digits of a fraction up to one.
func fracTo(hi string, without, some bool) *expr {
	least := 0
	if some {
		least = 1
	}
	if hi == "" {
		if without {
			return alt()
		}
		return repeat(char('0'), least, fracDigits)
	}
	last := rune(hi[0])
	choices := []*expr{seq(char(last), fracTo(hi[1:], without, false))}
	if last > '0' {
		choices = append(choices, seq(between('0', last-1), digits(0, fracDigits)))
	}
	if !some {
		choices = append(choices, nothing()) // less, for hi is more than 0
	}
	return alt(choices...)
}

// fracBetween is the digits of a fraction between two.
func fracBetween(lo, hi string, withoutLo, withoutHi, some bool) *expr {
	switch {
	case hi == "":
		if lo != "" || withoutLo {
			return alt()
		}
		return fracTo("", withoutHi, some)
	case lo == "" && !withoutLo:
		return fracTo(hi, withoutHi, some)
	}
	first, next := '0', ""
	if lo != "" {
		first, next = rune(lo[0]), lo[1:]
	}
	last := rune(hi[0])
	if first > last {
		return alt()
	}
	if first == last {
		return seq(char(first), fracBetween(next, hi[1:], withoutLo, withoutHi, false))
	}
	choices := []*expr{seq(char(first), fracFrom(next, withoutLo, false)), seq(char(last), fracTo(hi[1:], withoutHi, false))}
	if first+1 < last {
		choices = append(choices, seq(between(first+1, last-1), digits(0, fracDigits)))
	}
	return alt(choices...)
}
