package term

import (
	"unicode"

	"golang.org/x/text/width"
)

// Columns is the width of s, which has no escapes, on a terminal: wide characters take two, combining ones none (UAX 11).
func Columns(s string) int {
	n := 0
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	const firstCombining = 0x300
	if r < firstCombining {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) || 0x1160 <= r && r <= 0x11ff { // medial and final Jamo join the first
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
