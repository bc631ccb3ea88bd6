package tokenizer

import "strings"

// Chameleon's passes before gpt2.
var (
	sentinel   = isolate(matchSentinel)   // <sentinel:[0-9]+>
	imageToken = isolate(matchImageToken) // (IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z
	indent     = isolate(matchIndent)     // ([\t\n]|    |  )

	// chameleonPunct is [\p{P}!-/:-@\[-`{-~]
	chameleonPunct = isolate(func(s string, i int) (int, bool) {
		r, c, n := charAt(s, i)
		return i + n, c&punct != 0 || r < 0x80 && isASCIIPunct(byte(r))
	})
)

func matchSentinel(s string, i int) (int, bool) {
	const head = "<sentinel:"
	if !strings.HasPrefix(s[i:], head) {
		return i + 1, false
	}
	j := i + len(head)
	for j < len(s) && isDigit(s[j]) {
		j++
	}
	if j == i+len(head) || j == len(s) || s[j] != '>' {
		return i + 1, false
	}
	return j + 1, true
}

func matchImageToken(s string, i int) (int, bool) {
	const head = "IMGIMG"
	if !strings.HasPrefix(s[i:], head) {
		return i + 1, false
	}
	j := i + len(head)
	for j < len(s) && j < i+len(head)+4 && s[j] >= 'A' && s[j] <= 'I' {
		j++
	}
	if j == i+len(head) || j == len(s) || s[j] != 'Z' {
		return i + 1, false
	}
	return j + 1, true
}

func matchIndent(s string, i int) (int, bool) {
	switch {
	case s[i] == '\t', s[i] == '\n':
		return i + 1, true
	case strings.HasPrefix(s[i:], "    "):
		return i + 4, true
	case strings.HasPrefix(s[i:], "  "):
		return i + 2, true
	}
	return i + 1, false
}
