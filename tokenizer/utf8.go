package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// sanitize returns s as the code points that llama.cpp sees in it: each byte
// that begins no character becomes U+FFFD, overlong forms become their code
// point, surrogates stay as they are (three bytes). What utf8 calls valid comes
// back as it is.
func sanitize(s string) string { return sanitizeBy(s, decodeLax) }

// sanitizeBy is sanitize by another decoder. What it makes of four bytes above
// U+10FFFF stays as it is.
func sanitizeBy(s string, decode func(s string) (r rune, n int, ok bool)) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	for i := 0; i < len(s); {
		r, n, ok := decode(s[i:])
		switch {
		case !ok:
			b.WriteRune(utf8.RuneError)
		case r >= 0xD800 && r < 0xE000, r > utf8.MaxRune:
			b.WriteString(s[i : i+n])
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

// decodeLax decodes the first character of s by its lead byte alone: overlong
// forms and surrogates are characters. If ok is false, n is 1.
func decodeLax(s string) (r rune, n int, ok bool) {
	if r, n, ok = decodeAny(s); r > utf8.MaxRune {
		return 0, 1, false
	}
	return r, n, ok
}

// decodeAny is decodeLax with what four bytes can write above U+10FFFF. Where
// llama.cpp goes on with that, we do; where it ends the process, not.
func decodeAny(s string) (r rune, n int, ok bool) {
	c := s[0]
	switch {
	case c < 0x80:
		return rune(c), 1, true
	case c < 0xC0 || c >= 0xF8:
		return 0, 1, false
	case c < 0xE0:
		n, r = 2, rune(c&0x1F)
	case c < 0xF0:
		n, r = 3, rune(c&0x0F)
	default:
		n, r = 4, rune(c&0x07)
	}
	if len(s) < n {
		return 0, 1, false
	}
	for i := 1; i < n; i++ {
		if s[i]&0xC0 != 0x80 {
			return 0, 1, false
		}
		r = r<<6 | rune(s[i]&0x3F)
	}
	return r, n, true
}

// runeAt decodes the character at i of text that sanitize has seen.
func runeAt(s string, i int) (r rune, n int) {
	c := s[i]
	switch {
	case c < 0x80:
		return rune(c), 1
	case c < 0xE0:
		return rune(c&0x1F)<<6 | rune(s[i+1]&0x3F), 2
	case c < 0xF0:
		return rune(c&0x0F)<<12 | rune(s[i+1]&0x3F)<<6 | rune(s[i+2]&0x3F), 3
	}
	return rune(c&0x07)<<18 | rune(s[i+1]&0x3F)<<12 | rune(s[i+2]&0x3F)<<6 | rune(s[i+3]&0x3F), 4
}

// charLen is how many bytes a character with lead byte c has, by its high bits
// alone; 1 for a continuation byte.
func charLen(c byte) int {
	return int("\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x02\x02\x03\x04"[c>>4])
}
