package tokenizer

import "strings"

// Passes of one simple expression that several pre-tokenizers share.

// charAt is the character at i, its class and its length; n is 0 at the end.
func charAt(s string, i int) (r rune, c class, n int) {
	if i >= len(s) {
		return 0, 0, 0
	}
	r, n = runeAt(s, i)
	if c = classes[r]; c == 0 {
		c = other
	}
	return r, c, n
}

// classRun is [...]+ of the characters that in accepts.
func classRun(in func(r rune, c class) bool) matcher {
	return func(s string, i int) (int, bool) {
		r, c, n := charAt(s, i)
		if !in(r, c) {
			return i + n, false
		}
		for n > 0 && in(r, c) {
			i += n
			r, c, n = charAt(s, i)
		}
		return i, true
	}
}

// upTo is the end of up to n characters of the set from i on.
func upTo(s string, i int, set class, n int) int {
	for ; n > 0; n-- {
		c, size := classAt(s, i)
		if c&set == 0 {
			break
		}
		i += size
	}
	return i
}

// atMost is [set]{1,n}
func atMost(set class, n int) matcher {
	return func(s string, i int) (int, bool) {
		if end := upTo(s, i, set, n); end > i {
			return end, true
		}
		_, size := classAt(s, i)
		return i + size, false
	}
}

var (
	digit   = isolate(atMost(number, 1)) // \p{N}
	digits3 = isolate(atMost(number, 3)) // \p{N}{1,3}
	numbers = isolate(classRun(func(r rune, c class) bool { return c&number != 0 }))
)

// lines is [^\n]+|[\n]+
var lines = isolate(func(s string, i int) (int, bool) {
	j := i
	for j < len(s) && (s[j] == '\n') == (s[i] == '\n') {
		j++
	}
	return j, true
})

// lineEnds is [\r\n]
var lineEnds = isolate(func(s string, i int) (int, bool) {
	return i + 1, s[i] == '\r' || s[i] == '\n'
})

// unpunctuated is  ?[^(\s|.,!?…。，、।۔،)]+: the parentheses and the bar are
// in the set as well.
var unpunctuated = isolate(func(s string, i int) (int, bool) {
	in := func(r rune, c class) bool {
		return c != 0 && c&space == 0 && !strings.ContainsRune("(|.,!?…。，、।۔،)", r)
	}
	j := i
	if s[i] == ' ' {
		j++
	}
	if j < len(s) {
		if end, ok := classRun(in)(s, j); ok {
			return end, true
		}
	}
	_, n := classAt(s, i)
	return i + n, false
})

// digitsFromRight cuts each run of numbers into threes, counted from its end;
// the rest of the text stays together. In the models' own words:
// \d{1,3}(?=(?:\d{3})*\b)
func digitsFromRight(s string, emit func(string)) {
	start := 0
	for i := 0; i < len(s); {
		c, n := classAt(s, i)
		if c&number == 0 {
			i += n
			continue
		}
		count := 0
		for j := i; ; count++ {
			c, n := classAt(s, j)
			if c&number == 0 {
				break
			}
			j += n
		}
		// llama.cpp cuts at the ends of parts only: the first takes along what
		// is before it.
		for take := count % 3; count > 0; take = 3 {
			end := upTo(s, i, number, take)
			if end > i {
				emit(s[start:end])
				start = end
			}
			i = end
			count -= take
		}
	}
	if start < len(s) {
		emit(s[start:])
	}
}

// thousands cuts numbers into threes from the right: before every run of
// digits whose length is a multiple of three, (?=(\d{3})+(?!\d)).
func thousands(s string, emit func(string)) {
	start := 0
	for i := 0; i < len(s); {
		if !isDigit(s[i]) {
			i++
			continue
		}
		end := i
		for end < len(s) && isDigit(s[end]) {
			end++
		}
		for at := i + (end-i)%3; at < end; at += 3 {
			if at > start {
				emit(s[start:at])
				start = at
			}
		}
		i = end
	}
	if start < len(s) {
		emit(s[start:])
	}
}
