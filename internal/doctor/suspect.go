package doctor

import (
	"fmt"
	"strings"
)

// Limits beyond which a template is not what a template usually is; of 70 that models come with the largest has 17 KB.
const (
	longTemplate = 100_000 // bytes
	longBlob     = 200     // characters of base64 in a row
)

// suspect remarks on what a template has no honest use for. Straw's evaluator gives templates nothing to break out with;
// not every program's does, and what a template writes comes before all else that the model reads.
func (e *examination) suspect(key, src string) {
	if len(src) > longTemplate {
		e.add("template-long", key, fmt.Sprintf("%d bytes: templates have a few thousand; read it before you use it, for what it writes the model will follow", len(src)))
	}
	if name := dunder(src); name != "" {
		e.add("template-dunder", key, "it names "+quoted(name)+", which is how a template reaches out of an evaluator that is no sandbox: do not use the file with other programs before you have read the template")
	}
	if at := blob(src); at >= 0 {
		e.add("template-blob", key, fmt.Sprintf("%d or more characters in a row, from byte %d on, that look like encoded data: templates have no use for it; read it before you use it", longBlob, at))
	}
	if url := address(src); url != "" {
		e.add("template-url", key, "it holds the address "+quoted(url)+": a template cannot open it, but the model may be told to; see that it is the publisher's")
	}
	if at, r := invisible(src); at >= 0 {
		e.add("template-invisible", key, fmt.Sprintf("an invisible character, U+%04X, at byte %d: what a person reads is not what the model gets; read it with the characters made visible", r, at))
	}
}

// dunder is the first name in src that Python's escapes from sandboxes go by, also with its underscores written as escapes.
func dunder(src string) string {
	lower := strings.ToLower(src)
	for _, score := range []string{"_", `\x5f`, `\u005f`, `\137`} {
		for _, name := range []string{"class", "base", "bases", "mro", "subclasses", "globals", "builtins", "import", "init", "dict", "getattribute", "getattr", "code", "reduce", "loader"} {
			if full := score + score + name + score + score; strings.Contains(lower, full) {
				return full
			}
		}
	}
	return ""
}

// blob is where the first long run of base64 begins, -1 if there is none. A run of one character is a ruler, and one
// without digits, capitals or small letters is a word or a number.
func blob(src string) int {
	start := 0
	var digit, upper, lower bool
	for i := 0; i <= len(src); i++ {
		c := byte(' ')
		if i < len(src) {
			c = src[i]
		}
		switch {
		case c >= '0' && c <= '9':
			digit = true
		case c >= 'A' && c <= 'Z':
			upper = true
		case c >= 'a' && c <= 'z':
			lower = true
		case c == '+' || c == '/' || c == '=' || c == '-' || c == '_':
		default:
			if i-start >= longBlob && digit && (upper || lower) {
				return start
			}
			start, digit, upper, lower = i+1, false, false, false
		}
	}
	return -1
}

// address is the first URL in src, "" if there is none.
func address(src string) string {
	for _, scheme := range []string{"https://", "http://"} {
		i := strings.Index(src, scheme)
		if i < 0 {
			continue
		}
		url := src[i:]
		if end := strings.IndexAny(url, " \t\r\n\"'`<>{}|\\()[]"); end >= 0 {
			url = url[:end]
		}
		if len(url) > len(scheme) {
			return url
		}
	}
	return ""
}

// invisible is the first character of src that shows nothing or turns the direction of text, at -1 if there is none.
func invisible(src string) (at int, r rune) {
	for i, r := range src {
		switch {
		case r >= 0x200B && r <= 0x200F && r != 0x200C && r != 0x200D, // the joiners are needed within emoji and words
			r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x2069, r >= 0xE0000 && r <= 0xE007F, r == 0xFEFF && i > 0:
			return i, r
		}
	}
	return -1, 0
}
