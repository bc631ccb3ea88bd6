package tokenizer

// cased is the family of gpt-4o and tekken, which cuts words where capitals
// begin:
//
//	[^\r\n\p{L}\p{N}]?U*W+contraction?|[^\r\n\p{L}\p{N}]?U+W*contraction?
//	\p{N}{1,digits}
//	 ?[^\s\p{L}\p{N}]+[tail]*
//	\s*[\r\n]+
//	\s+(?!\S)|\s+
//
// U is \p{L} but for a to z, W is \p{L} but for A to Z: only ASCII has a case
// here. Without upperLower both are all letters. With marks, \p{M} counts as a
// letter in U and W.
type cased struct {
	upperLower   bool
	marks        bool
	contractions bool
	digits       int
	tail         string
}

func (w cased) pass() pass { return isolate(w.match) }

func (w cased) match(s string, i int) (int, bool) {
	c, n := classAt(s, i)
	if end := w.word(s, i, c, n); end > i {
		if w.contractions {
			end = contraction(s, end, true)
		}
		return end, true
	}
	if c&number != 0 {
		return upTo(s, i, number, w.digits), true
	}
	if end := symbols(s, i, noWord, w.tail, false); end > i {
		return end, true
	}
	if end := toNewline(s, i); end > i {
		return end, true
	}
	if end := spaces(s, i); end > i {
		return end, true
	}
	return i + n, false
}

// word is the end of the first expression without its contraction, or i.
func (w cased) word(s string, i int, c class, n int) int {
	starts := [2]int{i, -1}
	if c&(newline|letter|number) == 0 {
		starts = [2]int{i + n, i} // with the character before the word, else without
	}
	for _, start := range starts {
		if start >= 0 {
			if end := w.lowerEnd(s, start); end > start {
				return end
			}
		}
	}
	for _, start := range starts {
		if start >= 0 {
			if end := w.upperRun(s, start); end > start {
				return end
			}
		}
	}
	return i
}

// lowerEnd is the end of U*W+ at i, or i.
func (w cased) lowerEnd(s string, i int) int {
	upper := w.upperRun(s, i)
	if end := w.lowerRun(s, upper); end > upper {
		return end
	}
	// U* took everything: it gives back up to its last letter that is W as well.
	for end := upper; end > i; {
		start := end - 1
		for start > i && s[start]&0xC0 == 0x80 {
			start--
		}
		if c := s[start]; c < 'A' || c > 'Z' || !w.upperLower {
			return end
		}
		end = start
	}
	return i
}

// upperRun is the end of U* at i.
func (w cased) upperRun(s string, i int) int {
	return w.letters(s, i, 'a', 'z')
}

// lowerRun is the end of W* at i.
func (w cased) lowerRun(s string, i int) int {
	return w.letters(s, i, 'A', 'Z')
}

// letters is the end of the letters at i that are not from lo to hi.
func (w cased) letters(s string, i int, lo, hi byte) int {
	set := letter
	if w.marks {
		set |= mark
	}
	for {
		c, n := classAt(s, i)
		if c&set == 0 || w.upperLower && s[i] >= lo && s[i] <= hi {
			return i
		}
		i += n
	}
}

// kimi is llama.cpp's own scanner for Kimi K2: Han characters by themselves,
// other letters as words whatever their case.
var kimi = isolate(func(s string, i int) (int, bool) {
	r, c, n := charAt(s, i)
	if isHan(r) {
		for n > 0 && isHan(r) {
			i += n
			r, _, n = charAt(s, i)
		}
		return i, true
	}
	start := i
	if c&(newline|letter|number) == 0 {
		start = i + n
	}
	if end := lettersButHan(s, start); end > start {
		return contraction(s, end, true), true
	}
	if c&number != 0 {
		return upTo(s, i, number, 3), true
	}
	if end := symbols(s, i, noWord, "\r\n", false); end > i {
		return end, true
	}
	if end := toNewline(s, i); end > i {
		return end, true
	}
	if end := spaces(s, i); end > i {
		return end, true
	}
	return i + n, true
})

func lettersButHan(s string, i int) int {
	for {
		r, c, n := charAt(s, i)
		if n == 0 || c&letter == 0 || isHan(r) {
			return i
		}
		i += n
	}
}

// isHan tells the CJK ideographs, by the blocks llama.cpp lists.
func isHan(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || // unified, extension A
		r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2EBEF || // B, C to F
		r >= 0xF900 && r <= 0xFAFF || r >= 0x2F800 && r <= 0x2FA1F // compatibility
}
