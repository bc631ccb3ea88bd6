package grammar

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// expr is what a rule says. Lists are shared freely; nothing changes an expr once it is made.
type expr struct {
	kind     exprKind
	set      runeSet
	list     []*expr
	rule     int
	min, max int // of repeat; max < 0: no limit
	token    tokenRef
}

type exprKind uint8

const (
	exprSet    exprKind = iota // one character of set
	exprSeq                    // list, one after the other; the empty list matches nothing at all
	exprAlt                    // one of list
	exprRef                    // rule
	exprRepeat                 // list[0], min to max times
	exprToken
)

// tokenRef is a token that is matched as a whole.
type tokenRef struct {
	name         string // its text; "" if id says it
	id           int
	not          bool // any token but that one
	line, column int
}

func chars(s runeSet) *expr   { return &expr{kind: exprSet, set: s} }
func char(r rune) *expr       { return chars(runeSet{{r, r}}) }
func seq(list ...*expr) *expr { return &expr{kind: exprSeq, list: list} }
func ref(rule int) *expr      { return &expr{kind: exprRef, rule: rule} }
func optional(e *expr) *expr  { return repeat(e, 0, 1) }
func many(e *expr) *expr      { return repeat(e, 0, -1) }
func repeat(e *expr, m, n int) *expr {
	return &expr{kind: exprRepeat, list: []*expr{e}, min: m, max: n}
}
func digits(m, n int) *expr     { return repeat(chars(runeSet{{'0', '9'}}), m, n) }
func between(lo, hi rune) *expr { return chars(runeSet{{lo, hi}}) }
func oneOf(list ...rune) *expr  { return chars(setOf(list...)) }
func nothing() *expr            { return seq() }
func (e *expr) isNothing() bool { return e.kind == exprSeq && len(e.list) == 0 }

// alt is one of list; of none is never.
func alt(list ...*expr) *expr {
	if len(list) == 1 {
		return list[0]
	}
	return &expr{kind: exprAlt, list: list}
}

func literal(s string) *expr {
	list := make([]*expr, 0, len(s))
	for _, r := range s {
		list = append(list, char(r))
	}
	if len(list) == 1 {
		return list[0]
	}
	return seq(list...)
}

// oneOfTexts is one of texts, which are sorted and not the same: what they begin with in common is there once.
func oneOfTexts(list []string) *expr {
	if len(list) == 0 {
		return alt()
	}
	first, last := list[0], list[len(list)-1]
	common := 0
	for common < len(first) && common < len(last) && first[common] == last[common] {
		common++
	}
	for common < len(first) && !utf8.RuneStart(first[common]) || common < len(last) && !utf8.RuneStart(last[common]) {
		common--
	}
	begin := literal(first[:common])
	if len(list) == 1 {
		return begin
	}
	var choices []*expr
	if common == len(first) {
		choices, list = append(choices, nothing()), list[1:]
	}
	rest := make([]string, len(list))
	for i, s := range list {
		rest[i] = s[common:]
	}
	for len(rest) > 0 {
		_, size := utf8.DecodeRuneInString(rest[0])
		n := 1
		for n < len(rest) && strings.HasPrefix(rest[n], rest[0][:size]) {
			n++
		}
		choices, rest = append(choices, oneOfTexts(rest[:n])), rest[n:]
	}
	return seq(begin, alt(choices...))
}

// runeSet is ranges of characters, both ends included; as made by normal they are sorted and do not touch.
type runeSet [][2]rune

func setOf(list ...rune) runeSet {
	var s runeSet
	for _, r := range list {
		s = append(s, [2]rune{r, r})
	}
	return s.normal()
}

func (s runeSet) normal() runeSet {
	s = slices.Clone(s)
	slices.SortFunc(s, func(a, b [2]rune) int { return int(a[0]) - int(b[0]) })
	out := s[:0]
	for _, r := range s {
		if n := len(out); n > 0 && r[0] <= out[n-1][1]+1 {
			out[n-1][1] = max(out[n-1][1], r[1])
		} else {
			out = append(out, r)
		}
	}
	return out
}

func (s runeSet) not() runeSet {
	var out runeSet
	next := rune(0)
	for _, r := range s.normal() {
		if r[0] > next {
			out = append(out, [2]rune{next, r[0] - 1})
		}
		next = r[1] + 1
	}
	if next <= utf8.MaxRune {
		out = append(out, [2]rune{next, utf8.MaxRune})
	}
	return out
}

func (s runeSet) and(t runeSet) runeSet {
	return append(s.not(), t.not()...).not()
}

func (s runeSet) has(c rune) bool {
	for _, r := range s {
		if r[0] <= c && c <= r[1] {
			return true
		}
	}
	return false
}
