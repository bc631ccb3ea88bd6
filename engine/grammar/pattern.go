package grammar

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// pattern is the inside of the JSON strings that a regular expression of JSON Schema (ECMA 262) is found in: without ^
// and $ it may be found anywhere. Known are characters and their escapes, ., sets, \d \w \s and their opposites, groups,
// alternatives and repetitions; looking around, boundaries within, back references and \p are not.
func (c *converter) pattern(text string) (*expr, error) {
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("it is not UTF-8")
	}
	p := &pattern{text: text, any: many(c.json("char"))}
	e, err := p.alternatives(0)
	if err != nil {
		return nil, err
	}
	if p.at < len(p.text) {
		return nil, fmt.Errorf(") without (")
	}
	return e, nil
}

// formats are patterns of the strings of a format.
var formats = map[string]string{
	"date":      date,
	"time":      timeOfDay,
	"date-time": date[:len(date)-1] + "T" + timeOfDay[1:],
	"duration":  `^P(\d+W|(\d+Y)?(\d+M)?\d+D(T(\d+H)?(\d+M)?\d+S)?|\d+Y(\d+M)?|\d+M|T(\d+H(\d+M)?(\d+S)?|\d+M(\d+S)?|\d+S))$`,
	"uuid":      uuid, "uuid1": uuid, "uuid2": uuid, "uuid3": uuid, "uuid4": uuid, "uuid5": uuid,
	"ipv4":     `^` + byteNumber + `(\.` + byteNumber + `){3}$`,
	"ipv6":     `^(` + hex4 + `:){7}` + hex4 + `$`,
	"hostname": `^` + label + `(\.` + label + `)*$`,
	"email":    `^[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+)*@` + label + `(\.` + label + `)+$`,
	"uri":      `^[A-Za-z][A-Za-z0-9+.-]*:([A-Za-z0-9._~:/?#@!$&'()*+,;=\[\]-]|%[0-9A-Fa-f]{2})+$`,
}

const (
	date       = `^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$`
	timeOfDay  = `^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{3})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`
	uuid       = `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`
	byteNumber = `(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])`
	hex4       = `[0-9a-fA-F]{1,4}`
	label      = `[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?`
)

type pattern struct {
	text string
	at   int
	any  *expr
}

func (p *pattern) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *pattern) alternatives(depth int) (*expr, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("more than %d levels of groups", maxDepth)
	}
	var choices []*expr
	for {
		e, err := p.branch(depth)
		if err != nil {
			return nil, err
		}
		choices = append(choices, e)
		if p.peek() != '|' {
			return alt(choices...), nil
		}
		p.at++
	}
}

func (p *pattern) branch(depth int) (*expr, error) {
	var list []*expr
	begins, ends := depth > 0, depth > 0
	if depth == 0 && p.peek() == '^' {
		begins = true
		p.at++
	}
	for p.at < len(p.text) && p.peek() != '|' && p.peek() != ')' {
		if p.peek() == '$' {
			p.at++
			if c := p.peek(); depth > 0 || p.at < len(p.text) && c != '|' {
				return nil, fmt.Errorf("$ elsewhere than at the end is not supported")
			}
			ends = true
			break
		}
		e, err := p.atom(depth)
		if err != nil {
			return nil, err
		}
		if e, err = p.repeated(e); err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	if !begins {
		list = append([]*expr{p.any}, list...)
	}
	if !ends {
		list = append(list, p.any)
	}
	return seq(list...), nil
}

func (p *pattern) repeated(e *expr) (*expr, error) {
	m, n := 0, 0
	switch p.peek() {
	case '*':
		m, n = 0, -1
	case '+':
		m, n = 1, -1
	case '?':
		m, n = 0, 1
	case '{':
		end := strings.IndexByte(p.text[p.at:], '}')
		if end < 0 {
			return nil, fmt.Errorf("{ without }")
		}
		least, most, comma := strings.Cut(p.text[p.at+1:p.at+end], ",")
		var err error
		if m, err = strconv.Atoi(least); err != nil || m < 0 || m > maxRepeat {
			return nil, fmt.Errorf("{%s is no number of repetitions", least)
		}
		if n = m; comma && most == "" {
			n = -1
		} else if comma {
			if n, err = strconv.Atoi(most); err != nil || n < m || n > maxRepeat {
				return nil, fmt.Errorf("%s} is no number of repetitions", most)
			}
		}
		p.at += end
	default:
		return e, nil
	}
	p.at++
	if p.peek() == '?' {
		p.at++ // as few as can be: the same texts
	}
	switch p.peek() {
	case '*', '+', '?', '{':
		return nil, fmt.Errorf("a repetition of a repetition")
	}
	return repeat(e, m, n), nil
}

// atom reads one character, set or group.
func (p *pattern) atom(depth int) (*expr, error) {
	r, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += size
	switch r {
	case '(':
		if p.peek() == '?' {
			switch rest := p.text[p.at:]; {
			case strings.HasPrefix(rest, "?:"):
				p.at += 2
			case strings.HasPrefix(rest, "?<") && !strings.HasPrefix(rest, "?<=") && !strings.HasPrefix(rest, "?<!") && strings.Contains(rest, ">"):
				p.at += strings.IndexByte(rest, '>') + 1
			default:
				return nil, fmt.Errorf("looking ahead and behind is not supported")
			}
		}
		e, err := p.alternatives(depth + 1)
		if err != nil {
			return nil, err
		}
		if p.peek() != ')' {
			return nil, fmt.Errorf("( without )")
		}
		p.at++
		return e, nil
	case '[':
		s, err := p.set()
		return inString(s), err
	case '.':
		return inString(runeSet{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}.not()), nil
	case '\\':
		s, err := p.escape()
		return inString(s), err
	case '*', '+', '?', '{':
		return nil, fmt.Errorf("there is nothing to repeat before %c", r)
	case '^':
		return nil, fmt.Errorf("^ elsewhere than at the beginning is not supported")
	}
	return inString(setOf(r)), nil
}

var (
	digitSet = runeSet{{'0', '9'}}
	wordSet  = runeSet{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}
	spaceSet = runeSet{{'\t', '\r'}, {' ', ' '}, {0xa0, 0xa0}, {0x1680, 0x1680}, {0x2000, 0x200a}, {0x2028, 0x2029},
		{0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000}, {0xfeff, 0xfeff}}
)

// escape reads what is after a backslash.
func (p *pattern) escape() (runeSet, error) {
	if p.at == len(p.text) {
		return nil, fmt.Errorf("a backslash at the end")
	}
	r, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += size
	hex := func(n int) (runeSet, error) {
		if p.at+n <= len(p.text) {
			if v, err := strconv.ParseUint(p.text[p.at:p.at+n], 16, 32); err == nil && utf8.ValidRune(rune(v)) {
				p.at += n
				return setOf(rune(v)), nil
			}
		}
		return nil, fmt.Errorf("\\%c is not followed by the %d digits of a character", r, n)
	}
	switch r {
	case 'd':
		return digitSet, nil
	case 'D':
		return digitSet.not(), nil
	case 'w':
		return wordSet, nil
	case 'W':
		return wordSet.not(), nil
	case 's':
		return spaceSet, nil
	case 'S':
		return spaceSet.not(), nil
	case 't':
		return setOf('\t'), nil
	case 'n':
		return setOf('\n'), nil
	case 'r':
		return setOf('\r'), nil
	case 'f':
		return setOf('\f'), nil
	case 'v':
		return setOf('\v'), nil
	case 'x':
		return hex(2)
	case 'u':
		if p.peek() == '{' {
			if end := strings.IndexByte(p.text[p.at:], '}'); end > 1 {
				p.at++
				s, err := hex(end - 1)
				p.at++
				return s, err
			}
		}
		return hex(4)
	}
	if r < utf8.RuneSelf && (isNameByte(byte(r)) && r != '-' && r != '_') {
		return nil, fmt.Errorf("\\%c is not supported", r)
	}
	return setOf(r), nil
}

// set reads what is after [.
func (p *pattern) set() (runeSet, error) {
	not := p.peek() == '^'
	if not {
		p.at++
	}
	var s runeSet
	for p.peek() != ']' {
		if p.at >= len(p.text) {
			return nil, fmt.Errorf("[ without ]")
		}
		lo, err := p.member()
		if err != nil {
			return nil, err
		}
		if p.peek() == '-' && p.at+1 < len(p.text) && p.text[p.at+1] != ']' {
			p.at++
			hi, err := p.member()
			if err != nil {
				return nil, err
			}
			if len(lo) != 1 || len(hi) != 1 || lo[0][0] != lo[0][1] || hi[0][0] != hi[0][1] || lo[0][0] > hi[0][0] {
				return nil, fmt.Errorf("a range in [ ] that is none")
			}
			lo = runeSet{{lo[0][0], hi[0][0]}}
		}
		s = append(s, lo...)
	}
	p.at++
	if s = s.normal(); not {
		s = s.not()
	}
	return s, nil
}

func (p *pattern) member() (runeSet, error) {
	r, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += size
	if r != '\\' {
		return setOf(r), nil
	}
	if p.peek() == 'b' {
		p.at++
		return setOf('\b'), nil
	}
	return p.escape()
}

// inString is a character of the set as JSON strings write it.
func inString(s runeSet) *expr {
	choices := []*expr{chars(plain.and(s))}
	for r := rune(0); r <= 0x7f; r++ {
		if s.has(r) && !plain.has(r) {
			if r == 0x7f {
				choices = append(choices, char(r))
			} else {
				choices = append(choices, literal(escapeJSON(r)))
			}
		}
	}
	if len(choices[0].set) == 0 {
		choices = choices[1:]
	}
	return alt(choices...)
}
