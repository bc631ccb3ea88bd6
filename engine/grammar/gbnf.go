package grammar

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Parse reads a grammar in GBNF: rules "name ::= alternatives", each on a line of its own unless it goes on after "|"
// or within parentheses; the text must match the rule root. Its errors are *Error.
//
//	"text"  [a-z0-9]  [^"\\]  .  name  ( ... )      characters, sets of them, any one, another rule, a group
//	x y     x | y     x*  x+  x?  x{3}  x{2,}  x{2,5}
//	<[1000]>  <think>  !<[1000]>  !<think>          a token as a whole, by its id or text; any other token
//	\x41 \u0041 \U00000041 \t \r \n \\ \" \[ \] \-  in texts and sets;   # begins a comment
func Parse(text string) (*Grammar, error) {
	if len(text) > maxText {
		return nil, &Error{Message: fmt.Sprintf("the grammar has %d bytes; at most %d are read", len(text), maxText)}
	}
	p := &parser{text: text, names: map[string]int{}}
	if !utf8.ValidString(text) {
		for i, r := range text {
			if r == utf8.RuneError {
				if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
					return nil, p.fault(i, "this is not UTF-8")
				}
			}
		}
	}
	root := p.rule("root", 0)
	p.space(true)
	for p.at < len(p.text) {
		if err := p.definition(); err != nil {
			return nil, err
		}
	}
	if p.rules[root] == nil {
		return nil, &Error{Message: "there is no rule root: it is what the text must match"}
	}
	for i, e := range p.rules {
		if e == nil {
			return nil, p.fault(p.used[i].at, "there is no rule %s", p.used[i].name)
		}
	}
	return finish(p.rules)
}

// finish compiles rules and sees whether any text can match.
func finish(rules []*expr) (*Grammar, error) {
	g, err := compile(rules)
	if err != nil {
		return nil, err
	}
	m := newMachine(g, make([]int32, len(g.tokens)))
	if s := m.start(); m.tired {
		return nil, &Error{Message: "the grammar is too ambiguous: too many ways to begin a text"}
	} else if s == nowhere {
		return nil, &Error{Message: "the grammar matches no text: its rules lead back to themselves before any character"}
	}
	return g, nil
}

type parser struct {
	text  string
	at    int
	depth int
	names map[string]int
	rules []*expr // nil: not defined yet
	used  []use   // by rule, where it was first named
}

type use struct {
	name string
	at   int
}

func (p *parser) fault(at int, format string, args ...any) error {
	before := p.text[:at]
	line := strings.LastIndexByte(before, '\n') + 1
	return &Error{Line: strings.Count(before, "\n") + 1, Column: utf8.RuneCountInString(before[line:]) + 1, Message: fmt.Sprintf(format, args...)}
}

// found names what is at the position, for messages.
func (p *parser) found() string {
	if p.at >= len(p.text) {
		return "the grammar ends"
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	if r == '\n' || r == '\r' {
		return "the line ends"
	}
	return fmt.Sprintf("%q", r) + " stands"
}

// peek is the byte at the position, 0 at the end.
func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) rule(name string, at int) int {
	i, ok := p.names[name]
	if !ok {
		i = len(p.rules)
		p.names[name] = i
		p.rules, p.used = append(p.rules, nil), append(p.used, use{name, at})
	}
	return i
}

// space goes over blanks and comments, and over ends of lines if lines is set.
func (p *parser) space(lines bool) {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == ' ' || c == '\t' || lines && (c == '\r' || c == '\n'):
			p.at++
		case c == '#':
			for p.at < len(p.text) && p.text[p.at] != '\n' && p.text[p.at] != '\r' {
				p.at++
			}
		default:
			return
		}
	}
}

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || isDigit(c) || c == '-' || c == '_'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (p *parser) name() string {
	from := p.at
	for isNameByte(p.peek()) {
		p.at++
	}
	return p.text[from:p.at]
}

func (p *parser) definition() error {
	at := p.at
	name := p.name()
	if name == "" {
		return p.fault(at, "%s where the name of a rule is needed", p.found())
	}
	i := p.rule(name, at)
	if p.rules[i] != nil {
		return p.fault(at, "rule %s is defined twice", name)
	}
	p.space(false)
	if !strings.HasPrefix(p.text[p.at:], "::=") {
		return p.fault(p.at, "%s where ::= is needed", p.found())
	}
	p.at += 3
	p.space(true)
	e, err := p.alternatives(false)
	if err != nil {
		return err
	}
	p.rules[i] = e
	if c := p.peek(); p.at < len(p.text) && c != '\n' && c != '\r' {
		return p.fault(p.at, "%s where the rule should go on or its line end", p.found())
	}
	p.space(true)
	return nil
}

func (p *parser) alternatives(nested bool) (*expr, error) {
	var list []*expr
	for {
		e, err := p.sequence(nested)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
		if p.peek() != '|' {
			return alt(list...), nil
		}
		p.at++
		p.space(true)
	}
}

func (p *parser) sequence(nested bool) (*expr, error) {
	var list []*expr
	row := 0 // repetitions of the last symbol
	for {
		at := p.at
		switch p.peek() {
		case '*', '+', '?', '{':
			if len(list) == 0 {
				return nil, p.fault(at, "there is nothing to repeat here")
			}
			m, n, err := p.repetition()
			if err != nil {
				return nil, err
			}
			if row++; row > maxDepth {
				return nil, p.fault(at, "more than %d repetitions of repetitions", maxDepth)
			}
			last := &list[len(list)-1]
			*last = repeat(*last, m, n)
		default:
			e, err := p.symbol()
			if err != nil {
				return nil, err
			}
			if e == nil {
				return seq(list...), nil
			}
			list, row = append(list, e), 0
		}
		p.space(nested)
	}
}

// symbol reads what a sequence is made of; nil where it ends.
func (p *parser) symbol() (*expr, error) {
	at := p.at
	switch c := p.peek(); {
	case c == '"':
		return p.quoted()
	case c == '[':
		return p.set()
	case c == '.':
		p.at++
		return between(0, utf8.MaxRune), nil
	case c == '<' || c == '!':
		return p.token()
	case isNameByte(c):
		return ref(p.rule(p.name(), at)), nil
	case c == '(':
		if p.depth++; p.depth > maxDepth {
			return nil, p.fault(at, "more than %d levels of groups", maxDepth)
		}
		p.at++
		p.space(true)
		e, err := p.alternatives(true)
		if err != nil {
			return nil, err
		}
		if p.peek() != ')' {
			return nil, p.fault(p.at, "%s where the group should go on or end with )", p.found())
		}
		p.at++
		p.depth--
		return e, nil
	}
	return nil, nil
}

// repetition reads what says how often.
func (p *parser) repetition() (m, n int, err error) {
	at := p.at
	p.at++
	switch p.text[at] {
	case '*':
		return 0, -1, nil
	case '+':
		return 1, -1, nil
	case '?':
		return 0, 1, nil
	}
	p.space(true)
	if m, err = p.number(); err != nil {
		return 0, 0, err
	}
	n = m
	p.space(true)
	if p.peek() == ',' {
		p.at++
		p.space(true)
		n = -1
		if isDigit(p.peek()) {
			if n, err = p.number(); err != nil {
				return 0, 0, err
			}
			if n < m {
				return 0, 0, p.fault(at, "at least %d but at most %d times", m, n)
			}
		}
		p.space(true)
	}
	if p.peek() != '}' {
		return 0, 0, p.fault(p.at, "%s where } is needed", p.found())
	}
	p.at++
	return m, n, nil
}

func (p *parser) number() (int, error) {
	at, n := p.at, 0
	for isDigit(p.peek()) {
		if n = 10*n + int(p.peek()-'0'); n > maxRepeat {
			return 0, p.fault(at, "a number above %d", maxRepeat)
		}
		p.at++
	}
	if p.at == at {
		return 0, p.fault(at, "%s where a number is needed", p.found())
	}
	return n, nil
}

// quoted reads a text in quotes.
func (p *parser) quoted() (*expr, error) {
	at := p.at
	p.at++
	var text strings.Builder
	for p.peek() != '"' {
		r, err := p.character(at, `a text has no end: " is missing`)
		if err != nil {
			return nil, err
		}
		text.WriteRune(r)
	}
	p.at++
	return literal(text.String()), nil
}

// set reads a set of characters.
func (p *parser) set() (*expr, error) {
	at := p.at
	p.at++
	not := p.peek() == '^'
	if not {
		p.at++
	}
	const open = "a set of characters has no end: ] is missing"
	var s runeSet
	for p.peek() != ']' {
		from := p.at
		lo, err := p.character(at, open)
		if err != nil {
			return nil, err
		}
		hi := lo
		if p.peek() == '-' && p.at+1 < len(p.text) && p.text[p.at+1] != ']' {
			p.at++
			if hi, err = p.character(at, open); err != nil {
				return nil, err
			}
			if hi < lo {
				return nil, p.fault(from, "a range that ends before it begins")
			}
		}
		s = append(s, [2]rune{lo, hi})
	}
	p.at++
	if len(s) == 0 {
		return nil, p.fault(at, "a set of no characters")
	}
	if s = s.normal(); not {
		s = s.not()
	}
	return chars(s), nil
}

// character reads one of a text or set that began at begin.
func (p *parser) character(begin int, open string) (rune, error) {
	at := p.at
	if at >= len(p.text) {
		return 0, p.fault(begin, "%s", open)
	}
	r, size := utf8.DecodeRuneInString(p.text[at:])
	p.at += size
	if r != '\\' {
		return r, nil
	}
	c := p.peek()
	p.at++
	n := 0
	switch c {
	case 't':
		return '\t', nil
	case 'r':
		return '\r', nil
	case 'n':
		return '\n', nil
	case '\\', '"', '[', ']', '-':
		return rune(c), nil
	case 'x':
		n = 2
	case 'u':
		n = 4
	case 'U':
		n = 8
	case 0:
		return 0, p.fault(begin, "%s", open)
	default:
		return 0, p.fault(at, `an escape that is not known: there are \x41 \u0041 \U00000041 \t \r \n \\ \" \[ \] \-`)
	}
	v := uint32(0)
	for range n {
		d := strings.IndexByte("0123456789abcdef", p.peek()|0x20)
		if d < 0 || p.peek() < '0' {
			return 0, p.fault(at, `\%c needs %d hexadecimal digits`, c, n)
		}
		v = v<<4 | uint32(d)
		p.at++
	}
	if v > utf8.MaxRune || !utf8.ValidRune(rune(v)) {
		return 0, p.fault(at, "U+%04X is no character", v)
	}
	return rune(v), nil
}

// token reads <[id]> or <text>, perhaps after !.
func (p *parser) token() (*expr, error) {
	at := p.at
	t := tokenRef{}
	if p.peek() == '!' {
		t.not = true
		p.at++
		if p.peek() != '<' {
			return nil, p.fault(p.at, "%s where a token, <[id]> or <text>, is needed", p.found())
		}
	}
	from := p.at
	end := strings.IndexAny(p.text[from:], ">\n")
	if end < 0 || p.text[from+end] != '>' {
		return nil, p.fault(at, "a token has no end: > is missing")
	}
	p.at += end + 1
	name := p.text[from:p.at]
	e := p.fault(at, "").(*Error)
	t.line, t.column = e.Line, e.Column
	if digits, ok := strings.CutPrefix(name, "<["); ok {
		digits, ok = strings.CutSuffix(digits, "]>")
		for i := range len(digits) {
			ok = ok && isDigit(digits[i])
			t.id = min(10*t.id+int(digits[i]-'0'), 1<<30)
		}
		if !ok || digits == "" {
			return nil, p.fault(at, "a token id is written <[123]>")
		}
	} else {
		t.name = name
	}
	return &expr{kind: exprToken, token: t}, nil
}
