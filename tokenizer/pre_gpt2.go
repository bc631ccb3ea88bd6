package tokenizer

import "strings"

// gpt2 is 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
var gpt2 = isolate(func(s string, i int) (int, bool) {
	if end := contraction(s, i, false); end > i {
		return end, true
	}
	j := i
	if s[i] == ' ' {
		j++
	}
	switch c, n := classAt(s, j); {
	case c&letter != 0:
		return run(s, j+n, letter), true
	case c&number != 0:
		return run(s, j+n, number), true
	case c&noWord != 0:
		return run(s, j+n, noWord), true
	}
	return spaces(s, i), true
})

// contraction is the end of 's|'t|'re|'ve|'m|'ll|'d at i, or i; with anyCase
// in capitals too.
func contraction(s string, i int, anyCase bool) int {
	if i+1 >= len(s) || s[i] != '\'' {
		return i
	}
	lower := func(c byte) byte {
		if anyCase && c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		return c
	}
	switch a := lower(s[i+1]); a {
	case 's', 't', 'm', 'd':
		return i + 2
	case 'r', 'v', 'l':
		if i+2 < len(s) {
			if b := lower(s[i+2]); a == 'l' && b == 'l' || a != 'l' && b == 'e' {
				return i + 3
			}
		}
	}
	return i
}

// spaces is the end of \s+(?!\S)|\s+ at i: white space but for its last
// character if something follows and that is not all there is; i without any.
func spaces(s string, i int) int {
	end, last := i, i
	for {
		c, n := classAt(s, end)
		if c&space == 0 {
			if n > 0 && last > i {
				return last
			}
			return end
		}
		last = end
		end += n
	}
}

// falconPunct is [\p{P}\$\+<=>\^~\|]+ with more ASCII characters.
func falconPunct(more string) pass {
	return isolate(classRun(func(r rune, c class) bool {
		return c&punct != 0 || r < 0x80 && strings.IndexByte("$+<=>^~|"+more, byte(r)) >= 0
	}))
}

// threeDigits is [0-9][0-9][0-9]
var threeDigits = isolate(func(s string, i int) (int, bool) {
	if i+3 <= len(s) && isDigit(s[i]) && isDigit(s[i+1]) && isDigit(s[i+2]) {
		return i + 3, true
	}
	return i + 1, false
})

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
