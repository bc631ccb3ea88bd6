package chat

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind of a token. Operators are tokens of kind op whose text is the operator.
type kind uint8

const (
	end          kind = iota // of the template
	text                     // outside of tags; text is what to write
	output                   // {{
	outputEnd                // }}
	statement                // {%
	statementEnd             // %}
	name
	str // text is the value
	integer
	float
	op
)

type token struct {
	kind kind
	text string
	at   place
}

// String is the token as messages show it.
func (t token) String() string {
	switch t.kind {
	case end:
		return "end of template"
	case text:
		return "template text"
	case output, outputEnd, statement, statementEnd:
		return [...]string{output: "{{", outputEnd: "}}", statement: "{%", statementEnd: "%}"}[t.kind]
	case str:
		return reprString(clip(t.text))
	}
	return "'" + clip(t.text) + "'"
}

// clip shortens a text for a message.
func clip(s string) string {
	n := 0
	for i := range s {
		if n++; n > 60 {
			return s[:i] + "..."
		}
	}
	return s
}

// lexer cuts a template into tokens, one at a time. Whitespace control happens here, as in jinja2:
// the line end after a statement or a comment goes (trim_blocks), blanks before one that begins its
// line too (lstrip_blocks), and a minus sign at a tag's border takes all whitespace on its side.
type lexer struct {
	src     string
	pos     int
	line    int
	column  int     // of pos, from 1
	within  kind    // output, statement or text
	open    []byte  // brackets that are open in the tag
	pending []token // found already
	anew    bool    // the text before pos ends a line, or there is none
}

func newLexer(src string) *lexer {
	src = strings.ReplaceAll(src, "\r\n", "\n")
	src = strings.ReplaceAll(src, "\r", "\n")
	return &lexer{src: strings.TrimSuffix(src, "\n"), line: 1, column: 1, within: text, anew: true}
}

// here is the position of the next character.
func (l *lexer) here() place {
	return place{l.line, l.column}
}

// error places a failure.
func (l *lexer) error(f failure) *Error {
	if f.at.line == 0 {
		f.at = l.here()
	}
	return &Error{f.at.line, f.at.column, f.message}
}

// advance passes n bytes.
func (l *lexer) advance(n int) {
	s := l.src[l.pos : l.pos+n]
	l.pos += n
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		l.line += strings.Count(s, "\n")
		l.column = 1
		s = s[i+1:]
	}
	l.column += utf8.RuneCountInString(s)
}

// next is the next token; at the end of the template it is end for ever.
func (l *lexer) next() token {
	for {
		if len(l.pending) > 0 {
			t := l.pending[0]
			l.pending = l.pending[1:]
			return t
		}
		switch {
		case l.within != text:
			return l.inTag()
		case l.pos == len(l.src):
			return token{kind: end, at: l.here()}
		}
		l.outside()
	}
}

// outside passes text up to and including the next tag's opening, and queues what it found.
func (l *lexer) outside() {
	rest := l.src[l.pos:]
	i := 0
	for {
		j := strings.IndexByte(rest[i:], '{')
		if j < 0 || i+j+1 >= len(rest) {
			l.queue(text, rest)
			l.advance(len(rest))
			return
		}
		i += j
		if c := rest[i+1]; c == '{' || c == '%' || c == '#' {
			break
		}
		i++
	}
	tag, sign := rest[i+1], byte(0)
	width := 2
	if i+2 < len(rest) && (rest[i+2] == '-' || rest[i+2] == '+') {
		sign, width = rest[i+2], 3
	}
	l.queue(text, l.before(rest[:i], tag, sign))
	l.advance(i)
	at := l.here()
	switch tag {
	case '{':
		l.advance(width)
		l.pending = append(l.pending, token{output, "", at})
		l.within = output
	case '#':
		l.advance(width)
		l.comment(at)
	default:
		if n, ok := keywordTag(l.src[l.pos+width:], "raw"); ok {
			l.advance(width + n)
			l.raw(at)
			return
		}
		l.advance(width)
		l.pending = append(l.pending, token{statement, "", at})
		l.within = statement
	}
}

func (l *lexer) queue(k kind, s string) {
	if s != "" {
		l.pending = append(l.pending, token{k, s, l.here()})
	}
}

// before is the text in front of a tag, without what the tag takes away.
func (l *lexer) before(s string, tag, sign byte) string {
	switch {
	case sign == '-':
		return strings.TrimRightFunc(s, isSpace)
	case sign == '+' || tag == '{':
		return s
	}
	i := strings.LastIndexByte(s, '\n') + 1
	if (i > 0 || l.anew) && strings.TrimLeftFunc(s[i:], isSpace) == "" {
		return s[:i]
	}
	return s
}

// comment passes a comment's text and end.
func (l *lexer) comment(at place) {
	i := strings.Index(l.src[l.pos:], "#}")
	if i < 0 {
		panic(failure{"the comment has no end: #} is missing", at})
	}
	trim := i > 0 && l.src[l.pos+i-1] == '-'
	keep := i > 0 && l.src[l.pos+i-1] == '+'
	l.advance(i + 2)
	l.after(trim, keep)
}

// after passes what the end of a statement or comment takes away of the text behind it.
func (l *lexer) after(trim, keep bool) {
	from := l.pos
	rest := l.src[l.pos:]
	switch {
	case trim:
		l.advance(len(rest) - len(strings.TrimLeftFunc(rest, isSpace)))
	case !keep && strings.HasPrefix(rest, "\n"):
		l.advance(1)
	}
	l.anew = l.pos > from && l.src[l.pos-1] == '\n'
}

// raw queues the text up to {% endraw %}.
func (l *lexer) raw(at place) {
	l.anew = l.src[l.pos-1] == '\n'
	rest := l.src[l.pos:]
	for i := 0; ; i++ {
		j := strings.Index(rest[i:], "{%")
		if j < 0 {
			panic(failure{"{% raw %} has no end: {% endraw %} is missing", at})
		}
		i += j
		sign, width := byte(0), 2
		if i+2 < len(rest) && (rest[i+2] == '-' || rest[i+2] == '+') {
			sign, width = rest[i+2], 3
		}
		n, ok := blank(rest[i+width:], "endraw")
		if !ok {
			continue
		}
		tail := rest[i+width+n:]
		border := byte(0)
		if tail != "" && (tail[0] == '-' || tail[0] == '+') {
			border, tail = tail[0], tail[1:]
			n++
		}
		if !strings.HasPrefix(tail, "%}") {
			continue
		}
		l.queue(text, l.before(rest[:i], '%', sign))
		l.advance(i + width + n + 2)
		l.after(border == '-', border == '+')
		return
	}
}

// keywordTag tells whether s, what follows {%, is a tag of the word alone, and its length with the
// whitespace that a minus sign takes.
func keywordTag(s, word string) (int, bool) {
	n, ok := blank(s, word)
	if !ok {
		return 0, false
	}
	if strings.HasPrefix(s[n:], "-%}") {
		n += 3
		return n + len(s[n:]) - len(strings.TrimLeftFunc(s[n:], isSpace)), true
	}
	return n + 2, strings.HasPrefix(s[n:], "%}")
}

// blank is the length of whitespace, word, whitespace at the beginning of s.
func blank(s, word string) (int, bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeftFunc(s, isSpace), word)
	return len(s) - len(strings.TrimLeftFunc(rest, isSpace)), ok
}

// operators, the longer first.
var operators = []string{"//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[", "]", "(", ")", "{", "}", ">", "<", "=", ".", ":", "|", ",", ";"}

// inTag is the next token of a tag.
func (l *lexer) inTag() token {
	l.advance(len(l.src[l.pos:]) - len(strings.TrimLeftFunc(l.src[l.pos:], isSpace)))
	at := l.here()
	rest := l.src[l.pos:]
	if rest == "" {
		return token{kind: end, at: at}
	}
	if len(l.open) == 0 {
		if t, ok := l.tagEnd(rest, at); ok {
			return t
		}
	}
	c, _ := utf8.DecodeRuneInString(rest)
	switch {
	case c >= '0' && c <= '9':
		return l.number(rest, at)
	case wordChar(c):
		n := strings.IndexFunc(rest, func(r rune) bool { return !wordChar(r) })
		if n < 0 {
			n = len(rest)
		}
		l.advance(n)
		if unicode.IsDigit(c) {
			panic(failure{"invalid character in identifier", at})
		}
		return token{name, rest[:n], at}
	case c == '\'' || c == '"':
		return l.quoted(rest, at)
	}
	for _, o := range operators {
		if strings.HasPrefix(rest, o) {
			l.balance(o, at)
			l.advance(len(o))
			return token{op, o, at}
		}
	}
	panic(failure{fmt.Sprintf("unexpected character %s", reprString(string(c))), at})
}

// tagEnd passes }} or %}, if that is what comes.
func (l *lexer) tagEnd(rest string, at place) (token, bool) {
	mark, k := "}}", outputEnd
	if l.within == statement {
		mark, k = "%}", statementEnd
	}
	sign := rest[0]
	width := 0
	if sign == '-' || sign == '+' && k == statementEnd {
		width = 1
	}
	if !strings.HasPrefix(rest[width:], mark) {
		return token{}, false
	}
	l.advance(width + 2)
	l.after(width > 0 && sign == '-', width > 0 && sign == '+' || k == outputEnd)
	l.within = text
	return token{k, "", at}, true
}

// balance keeps the open brackets.
func (l *lexer) balance(o string, at place) {
	switch o {
	case "(":
		l.open = append(l.open, ')')
	case "[":
		l.open = append(l.open, ']')
	case "{":
		l.open = append(l.open, '}')
	case ")", "]", "}":
		if len(l.open) == 0 {
			panic(failure{"unexpected '" + o + "'", at})
		}
		want := l.open[len(l.open)-1]
		if want != o[0] {
			panic(failure{"unexpected '" + o + "', expected '" + string(want) + "'", at})
		}
		l.open = l.open[:len(l.open)-1]
	}
	if len(l.open) > maxNesting {
		panic(failure{"brackets are nested too deeply", at})
	}
}

// number passes a number: Python's forms with underscores, and those of other bases.
func (l *lexer) number(s string, at place) token {
	digits := func(i int, in string) int {
		for i < len(s) {
			switch {
			case strings.IndexByte(in, s[i]|0x20) >= 0 || s[i] <= '9' && strings.IndexByte(in, s[i]) >= 0:
				i++
			case s[i] == '_' && i > 0 && i+1 < len(s) && strings.IndexByte(in, s[i+1]|0x20) >= 0:
				i += 2
			default:
				return i
			}
		}
		return i
	}
	const decimal = "0123456789"
	take := func(k kind, n int) token {
		l.advance(n)
		return token{k, strings.ReplaceAll(s[:n], "_", ""), at}
	}
	if s[0] == '0' && len(s) > 2 {
		in := map[byte]string{'b': "01", 'o': "01234567", 'x': "0123456789abcdef"}[s[1]|0x20]
		if in != "" {
			if n := digits(2, in); n > 2 {
				return take(integer, n)
			}
		}
	}
	n := digits(0, decimal)
	k := integer
	if n+1 < len(s) && s[n] == '.' && s[n+1] >= '0' && s[n+1] <= '9' {
		k, n = float, digits(n+1, decimal)
	}
	if n+1 < len(s) && s[n]|0x20 == 'e' {
		i := n + 1
		if s[i] == '+' || s[i] == '-' {
			i++
		}
		if e := digits(i, decimal); e > i {
			k, n = float, e
		}
	}
	return take(k, n)
}

// quoted passes a string and undoes its escapes, Python's.
func (l *lexer) quoted(s string, at place) token {
	n := 1
	for n < len(s) && s[n] != s[0] {
		if s[n] == '\\' {
			n++
		}
		n++
	}
	if n >= len(s) {
		panic(failure{"the string has no end: " + string(s[0]) + " is missing", at})
	}
	l.advance(n + 1)
	return token{str, unescape(s[1:n], at), at}
}

func unescape(s string, at place) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case '\n':
		case '\\', '\'', '"':
			b.WriteByte(c)
		case 'a', 'b', 'f', 'n', 'r', 't', 'v':
			b.WriteByte("\a\b\f\n\r\t\v"[strings.IndexByte("abfnrtv", c)])
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n := 1
			for n < 3 && i+n < len(s) && s[i+n] >= '0' && s[i+n] <= '7' {
				n++
			}
			v, _ := strconv.ParseUint(s[i:i+n], 8, 32)
			b.WriteRune(rune(v))
			i += n - 1
		case 'x', 'u', 'U':
			n := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
			if i+n >= len(s) {
				n = len(s) - i - 1
			}
			v, err := strconv.ParseUint(s[i+1:i+1+n], 16, 32)
			if err != nil || v > unicode.MaxRune || n < 2 {
				panic(failure{"the escape \\" + s[i:i+1+n] + " is no character", at})
			}
			b.WriteRune(rune(v))
			i += n
		case 'N':
			panic(failure{"escapes by a character's name, \\N{...}, are not known here", at})
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String()
}

// isSpace is Python's idea of whitespace: Unicode's, and the four separators of ASCII.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

func wordChar(r rune) bool {
	return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
		r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}
