package chat

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Python's ways with text, as far as they are not Go's.

// widened are the characters that become several when they are put into another case.
var widened = strings.NewReplacer("ß", "SS", "ŉ", "ʼN", "ǰ", "J̌", "ΐ", "Ϊ́", "ΰ", "Ϋ́", "և", "ԵՒ",
	"ﬀ", "FF", "ﬁ", "FI", "ﬂ", "FL", "ﬃ", "FFI", "ﬄ", "FFL", "ﬅ", "ST", "ﬆ", "ST")

func upper(s string) string { return strings.ToUpper(widened.Replace(s)) }

func lower(s string) string {
	if !strings.ContainsAny(s, "Σİ") {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == 'İ':
			b.WriteString("i̇")
		case r == 'Σ' && endsWord(s, i):
			b.WriteRune('ς')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// endsWord tells whether the capital sigma at s[i] ends a word.
func endsWord(s string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i+len("Σ"):])
	return unicode.IsLetter(before) && !unicode.IsLetter(after)
}

func capitalize(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return titled(s[:n]) + lower(s[n:])
}

// raised is capitalize with all of the first letter's capital form.
func raised(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return upper(s[:n]) + lower(s[n:])
}

// titled is the form of a character at the beginning of a word.
func titled(c string) string {
	if u := widened.Replace(c); u != c {
		_, n := utf8.DecodeRuneInString(u)
		return u[:n] + lower(u[n:])
	}
	return strings.ToTitle(c)
}

// title begins each word as begin does; border tells what is between words.
func title(s string, begin func(word string) string, border func(r rune) bool) string {
	var b strings.Builder
	from := -1
	end := func(to int) {
		if from >= 0 {
			b.WriteString(begin(s[from:to]))
			from = -1
		}
	}
	for i, r := range s {
		switch {
		case border(r):
			end(i)
			b.WriteRune(r)
		case from < 0:
			from = i
		}
	}
	end(len(s))
	return b.String()
}

// onlyCase tells whether s has letters of a case and all of them are of this one.
func onlyCase(s string, is func(r rune) bool) bool {
	found := false
	for _, r := range s {
		switch {
		case is(r):
			found = true
		case unicode.IsUpper(r), unicode.IsLower(r), unicode.IsTitle(r):
			return false
		}
	}
	return found
}

func texts(parts []string) *List {
	l := &List{make([]Value, len(parts))}
	for i, s := range parts {
		l.Items[i] = s
	}
	return l
}

// split cuts s at sep, or at runs of whitespace where sep is None, at most n times (< 0: always),
// from the end where last.
func (m *machine) split(s string, sep Value, n int, last bool) []string {
	var parts []string
	cut := m.strArg(orEmpty(sep), "")
	if sep != nil && cut == "" {
		fail("empty separator")
	}
	trim := strings.TrimLeftFunc
	if last {
		trim = strings.TrimRightFunc
	}
	if sep == nil {
		s = trim(s, isSpace)
	}
	for n != 0 && s != "" {
		i, size := -1, len(cut)
		switch {
		case sep == nil && last:
			if i = strings.LastIndexFunc(s, isSpace); i >= 0 {
				_, size = utf8.DecodeRuneInString(s[i:])
			}
		case sep == nil:
			i = strings.IndexFunc(s, isSpace)
			size = 0
		case last:
			i = strings.LastIndex(s, cut)
		default:
			i = strings.Index(s, cut)
		}
		if i < 0 {
			break
		}
		m.step()
		m.alloc(wordBytes)
		m.fits(len(parts) * wordBytes)
		if last {
			parts = append(parts, s[i+size:])
			s = s[:i]
		} else {
			parts = append(parts, s[:i])
			s = s[i+size:]
		}
		if sep == nil {
			s = trim(s, isSpace)
		}
		n--
	}
	if s != "" || sep != nil {
		parts = append(parts, s)
	}
	if last {
		for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
			parts[i], parts[j] = parts[j], parts[i]
		}
	}
	return parts
}

func orEmpty(v Value) Value {
	if v == nil {
		return ""
	}
	return v
}

// lines cuts s at the ends of lines, those of Python's splitlines.
func lines(s string, keep bool) []string {
	var all []string
	for s != "" {
		i := strings.IndexAny(s, "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029")
		if i < 0 {
			return append(all, s)
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		if strings.HasPrefix(s[i:], "\r\n") {
			n = 2
		}
		if keep {
			all = append(all, s[:i+n])
		} else {
			all = append(all, s[:i])
		}
		s = s[i+n:]
	}
	return all
}

func (m *machine) replace(s, old, with string, n int) string {
	count := strings.Count(s, old)
	if n >= 0 {
		count = min(count, n)
	}
	if grows := len(with) - len(old); grows > 0 {
		m.fits(len(s) + m.times(count, grows))
	}
	return strings.Replace(s, old, with, n)
}

func (m *machine) join(parts []string, sep string) string {
	n := m.times(len(sep), len(parts))
	for _, s := range parts {
		n += len(s)
		m.fits(n)
	}
	return strings.Join(parts, sep)
}

func (m *machine) padded(s string, width int, fill string, left func(n, width int) int) string {
	if utf8.RuneCountInString(fill) != 1 {
		fail("The fill character must be exactly one character long")
	}
	n := width - utf8.RuneCountInString(s)
	if n <= 0 {
		return s
	}
	m.fits(len(s) + m.times(n, len(fill)))
	before := left(n, width)
	return strings.Repeat(fill, before) + s + strings.Repeat(fill, n-before)
}

func (m *machine) expandTabs(s string, size int) string {
	var b strings.Builder
	column := 0
	for _, r := range s {
		switch r {
		case '\t':
			if size > 0 {
				n := size - column%size
				m.fits(b.Len() + n)
				b.WriteString(strings.Repeat(" ", n))
				column += n
			}
			continue
		case '\n', '\r':
			column = -1
		}
		b.WriteRune(r)
		column++
	}
	return b.String()
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "'", "&#39;", `"`, "&#34;")

// escaped is the text of v as markup: what is markup stays.
func (m *machine) escaped(v Value) string {
	if s, ok := v.(markup); ok {
		return string(s)
	}
	s := m.str(v)
	m.times(len(s), 5)
	return escaper.Replace(s)
}

// escapedArgs makes the arguments of a format of markup harmless.
func (m *machine) escapedArgs(v Value) Value {
	switch v := v.(type) {
	case string, markup:
		return markup(m.escaped(v))
	case tuple:
		all := make(tuple, len(v))
		for i, x := range v {
			all[i] = m.escapedArgs(x)
		}
		return all
	}
	return v
}
