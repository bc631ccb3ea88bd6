// Package term is what the command line knows of terminals: text from files made safe to show,
// tables that fit, and one line of progress.
package term

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	xterm "golang.org/x/term"
)

// Safe makes text from a file fit to be shown on one line of a terminal: control characters
// (newlines and tabs too), line separators, invisible format characters (bidirectional overrides
// among them) and bytes that are not UTF-8 are written as escapes. Joiners inside emoji and words
// are left alone.
func Safe(s string) string { return escape(s, false) }

// SafeText is Safe for text of several lines: newlines and tabs stay.
func SafeText(s string) string { return escape(s, true) }

func escape(s string, lines bool) string {
	i := unsafeAt(s, lines)
	if i < 0 {
		return s
	}
	var b strings.Builder
	for ; i >= 0; i = unsafeAt(s, lines) {
		b.WriteString(s[:i])
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		s = s[i+n:]
	}
	b.WriteString(s)
	return b.String()
}

// unsafeAt is the position of the first character of s that must be escaped, -1 if there is none.
func unsafeAt(s string, lines bool) int {
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < 0x7f || lines && (c == '\n' || c == '\t') {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || hidden(r) {
			return i
		}
		i += n
	}
	return -1
}

// hidden tells whether a terminal could act on r, or show nothing for it.
func hidden(r rune) bool {
	switch r {
	case '\u200c', '\u200d': // the joiners
		return false
	case '\u2028', '\u2029':
		return true
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}

// SafeJSON escapes within a JSON text what encoding/json leaves raw and a terminal could act on
// (DEL, C1 controls, bidirectional overrides, ...). The text means the same.
func SafeJSON(b []byte) []byte {
	var out []byte
	from := 0
	for i := 0; i < len(b); {
		if b[i] < 0x7f {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r != utf8.RuneError && hidden(r) {
			out = append(out, b[from:i]...)
			if r >= 0x10000 {
				r -= 0x10000
				out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
			} else {
				out = fmt.Appendf(out, `\u%04x`, r)
			}
			from = i + n
		}
		i += n
	}
	if from == 0 {
		return b
	}
	return append(out, b[from:]...)
}

// IsTerminal tells whether w is a terminal.
func IsTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && xterm.IsTerminal(int(f.Fd()))
}

// Width is the number of columns of the terminal w, 0 if it is none.
func Width(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || !xterm.IsTerminal(int(f.Fd())) {
		return 0
	}
	n, _, err := xterm.GetSize(int(f.Fd()))
	if err != nil || n <= 0 {
		return 80
	}
	return max(n, 40)
}

// Color tells whether to colour what is written to w: a terminal that can, and nobody who said no
// (https://no-color.org).
func Color(w io.Writer) bool {
	return IsTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
