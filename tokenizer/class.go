package tokenizer

import (
	"sync"
	"unicode"
)

// class is what pre-tokenizers ask about a character: one bit of the Unicode
// general category, with white space before all, and newline beside it.
type class uint8

const (
	letter  class = 1 << iota // \p{L}
	number                    // \p{N}
	mark                      // \p{M}
	punct                     // \p{P}
	sign                      // \p{S}
	space                     // \s: White_Space
	newline                   // \r or \n, which are space as well
	other                     // control, format, private, unassigned
)

// noWord is [^\s\p{L}\p{N}]
const noWord = mark | punct | sign | other

// classes has the class of every code point; 0 stands for other. Filled by
// loadClasses, which every pre-tokenizer calls before its first use.
var classes [unicode.MaxRune + 1]class

// loadClasses fills classes from the tables of package unicode, with what
// Unicode 15.1 has beside 15.0: llama.cpp's tables are 15.1 too.
var loadClasses = sync.OnceFunc(func() {
	for _, t := range []struct {
		table *unicode.RangeTable
		class class
	}{
		{unicode.L, letter}, {unicode.N, number}, {unicode.M, mark},
		{unicode.P, punct}, {unicode.S, sign}, {unicode.White_Space, space},
	} {
		for _, r := range t.table.R16 {
			fillClass(rune(r.Lo), rune(r.Hi), rune(r.Stride), t.class)
		}
		for _, r := range t.table.R32 {
			fillClass(rune(r.Lo), rune(r.Hi), rune(r.Stride), t.class)
		}
	}
	fillClass(0x2FFC, 0x2FFF, 1, sign)
	fillClass(0x31EF, 0x31EF, 1, sign)
	fillClass(0x2EBF0, 0x2EE5D, 1, letter)
	classes['\r'] |= newline
	classes['\n'] |= newline
})

func fillClass(lo, hi, stride rune, c class) {
	for r := lo; r <= hi; r += stride {
		classes[r] = c
	}
}

// classAt is the class and the length of the character at i; 0, 0 at the end.
func classAt(s string, i int) (c class, n int) {
	if i >= len(s) {
		return 0, 0
	}
	r, n := rune(s[i]), 1
	if r >= 0x80 {
		r, n = runeAt(s, i)
	}
	c = classes[r]
	if c == 0 {
		c = other
	}
	return c, n
}

// run is the end of the longest run of characters in set from i on.
func run(s string, i int, set class) int {
	for {
		c, n := classAt(s, i)
		if c&set == 0 {
			return i
		}
		i += n
	}
}

// runOf is the end of the run of the given ASCII characters from i on.
func runOf(s string, i int, chars string) int {
	for i < len(s) {
		found := false
		for j := range len(chars) {
			found = found || s[i] == chars[j]
		}
		if !found {
			break
		}
		i++
	}
	return i
}
