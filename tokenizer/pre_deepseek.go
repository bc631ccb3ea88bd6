package tokenizer

// ranges is a set of characters: pairs of the first and the last of each range.
type ranges []rune

func rangesOf(pairs string) ranges { return ranges([]rune(pairs)) }

func (x ranges) has(r rune) bool {
	for i := 0; i < len(x); i += 2 {
		if r >= x[i] && r <= x[i+1] {
			return true
		}
	}
	return false
}

// matcher is [x]+; white space is in no range, as std::wregex is given it
// replaced.
func (x ranges) matcher() matcher {
	return classRun(func(r rune, c class) bool { return c&space == 0 && x.has(r) })
}

// afterSpace is \s? before what match matches.
func afterSpace(match matcher) matcher {
	return func(s string, i int) (int, bool) {
		c, n := classAt(s, i)
		if c&space != 0 {
			if i+n < len(s) {
				if end, ok := match(s, i+n); ok {
					return end, true
				}
			}
			return i + n, false
		}
		return match(s, i)
	}
}

var (
	// hanHangul is [一-龥ࠀ-一가-퟿]+
	hanHangul = isolate(rangesOf("\u4E00\u9FA5\u0800\u4E00\uAC00\uD7FF").matcher())

	// kanaHan is [一-龥぀-ゟ゠-ヿ]+
	kanaHan = isolate(rangesOf("\u4E00\u9FA5\u3040\u309F\u30A0\u30FF").matcher())

	// asianScripts is Han, kana, radicals, Thai, Lao, Khmer, Myanmar and Hangul;
	// U+8C48 begins a range that in the original is U+F900 and on.
	asianScripts = isolate(rangesOf("\u4E00\u9FFF\u3400\u4DBF\u8C48\uFAFF\u3040\u309F\u30A0\u30FF\uFF65\uFF9F\u2F00\u2FDF" +
		"\u0E40\u0E7F\u0E80\u0EFF\u1780\u17FF\u1000\u109F\uAA60\uAA7F\uA9E0\uA9FF\uAC00\uD7AF\u1100\u11FF").matcher())

	// latinWords is \s?[A-Za-zµÀ-Ö...]+: the letters of alphabets with case.
	latinWords = isolate(afterSpace(rangesOf(casedLetters).matcher()))

	// deepseekPunct is \s?[!-/:-~！-／：-～‘-‟　-。]+
	deepseekPunct = isolate(afterSpace(rangesOf("!/:~\uFF01\uFF0F\uFF1A\uFF5E\u2018\u201F\u3000\u3002").matcher()))

	spacedLetters = isolate(afterSpace(classRun(func(r rune, c class) bool { return c&letter != 0 }))) // \s?\p{L}+
	spacedPunct   = isolate(afterSpace(classRun(func(r rune, c class) bool { return c&punct != 0 })))  // \s?\p{P}+
)

// trailingSpace is \s+$
var trailingSpace = isolate(func(s string, i int) (int, bool) {
	end := run(s, i, space)
	if end == i {
		_, n := classAt(s, i)
		return i + n, false
	}
	return end, end == len(s)
})

// youtuScripts is [가-힣ㄱ-ㆎ]+|[！…“”‘’—：；，、-〿︰-﹏]+|[ㄅ-ㄯ]+|[一-龥぀-ゟ゠-ヿ]+
var youtuScripts = isolate(anyOf(
	rangesOf("\uAC00\uD7A3\u3131\u318E").matcher(),
	rangesOf("\uFF01\uFF01\u2026\u2026\u201C\u201D\u2018\u2019\u2014\u2014\uFF1A\uFF1B\uFF0C\uFF0C\u3001\u303F\uFE30\uFE4F").matcher(),
	rangesOf("\u3105\u312F").matcher(),
	rangesOf("\u4E00\u9FA5\u3040\u309F\u30A0\u30FF").matcher(),
))

// anyOf is the first of matches that matches.
func anyOf(matches ...matcher) matcher {
	return func(s string, i int) (end int, ok bool) {
		for _, match := range matches {
			if end, ok = match(s, i); ok {
				break
			}
		}
		return end, ok
	}
}

// asciiWords is the last pass of deepseek-v3:
//
//	[!-/:-@\[-`{-~][A-Za-z]+
//	[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+
//	 ?[\p{P}\p{S}]+[\r\n]*                without lines: no newlines
//	\s*[\r\n]+                            without lines: [\r\n]
//	\s+(?!\S)|\s+
func asciiWords(lines bool) pass {
	return isolate(func(s string, i int) (int, bool) {
		if isASCIIPunct(s[i]) {
			j := i + 1
			for j < len(s) && isASCIILetter(s[j]) {
				j++
			}
			if j > i+1 {
				return j, true
			}
		}
		c, n := classAt(s, i)
		if c&(newline|letter|punct|sign) == 0 {
			if end := run(s, i+n, letter|mark); end > i+n {
				return end, true
			}
		}
		if end := run(s, i, letter|mark); end > i {
			return end, true
		}
		if lines {
			if end := symbols(s, i, punct|sign, "\r\n", false); end > i {
				return end, true
			}
			if end := toNewline(s, i); end > i {
				return end, true
			}
		} else {
			if end := symbols(s, i, punct|sign, "", false); end > i {
				return end, true
			}
			if c&newline != 0 {
				return i + n, true
			}
		}
		if end := spaces(s, i); end > i {
			return end, true
		}
		return i + n, false
	})
}

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// isASCIIPunct tells what is printable and neither letter, digit nor space.
func isASCIIPunct(c byte) bool {
	return c > ' ' && c < 0x7F && !isDigit(c) && !isASCIILetter(c)
}
