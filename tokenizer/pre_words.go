package tokenizer

// words is the family of llama 3 and qwen 2:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)      contractions
//	[^\r\n\p{L}\p{N}]?\p{L}+          marks: [\p{L}\p{M}]+; phrases: see below
//	\p{N}{1,digits}
//	 ?[^\s\p{L}\p{N}]+[tail]*         marks: no \p{M} either; oneTail: [tail]?
//	\s*[\r\n]+
//	\s+(?!\S)|\s+                     cascade: see below
//
// tried in this order.
type words struct {
	contractions bool
	marks        bool
	phrases      bool   // letters may have marks behind, and single spaces between: (?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+
	digits       int    // 0: any number
	tail         string // ASCII characters
	oneTail      bool
	cascade      bool // \s{512}(?!\S)|\s{256}(?!\S)|...|\s{4}(?!\S)|\s{1,2}(?!\S)|\s{1}
}

func (w words) pass() pass { return isolate(w.match) }

func (w words) match(s string, i int) (int, bool) {
	if w.contractions {
		if end := contraction(s, i, true); end > i {
			return end, true
		}
	}
	c, n := classAt(s, i)
	if end := w.letters(s, i, c, n); end > i {
		return end, true
	}
	if c&number != 0 {
		if w.digits == 0 {
			return run(s, i, number), true
		}
		return upTo(s, i, number, w.digits), true
	}
	set := noWord
	if w.marks {
		set &^= mark
	}
	if end := symbols(s, i, set, w.tail, w.oneTail); end > i {
		return end, true
	}
	if end := toNewline(s, i); end > i {
		return end, true
	}
	if w.cascade {
		return cascade(s, i), true
	}
	if end := spaces(s, i); end > i {
		return end, true
	}
	return i + n, false
}

// letters is the end of the second expression at i, where class c with n bytes
// is; i if it does not match.
func (w words) letters(s string, i int, c class, n int) int {
	set := letter
	if w.marks {
		set |= mark
	}
	all := func(i int) int {
		if w.phrases {
			return phrase(s, i)
		}
		return run(s, i, set)
	}
	if c&(newline|letter|number) == 0 {
		if end := all(i + n); end > i+n {
			return end
		}
	}
	return all(i)
}

// phrase is the end of (?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+ at i, or i.
func phrase(s string, i int) int {
	start := i
	for {
		j := i
		if j > start && j < len(s) && s[j] == ' ' {
			j++
		}
		c, _ := classAt(s, j)
		if c&letter == 0 {
			return i
		}
		i = run(s, run(s, j, letter), mark)
	}
}

// symbols is the end of  ?[set]+[tail]* at i, or i.
func symbols(s string, i int, set class, tail string, oneTail bool) int {
	j := i
	if s[i] == ' ' {
		j++
	}
	end := run(s, j, set)
	if end == j {
		return i
	}
	after := runOf(s, end, tail)
	if oneTail {
		after = min(after, end+1)
	}
	return after
}

// toNewline is the end of \s*[\r\n]+ at i, or i.
func toNewline(s string, i int) int {
	end := i
	for {
		c, n := classAt(s, i)
		if c&space == 0 {
			return end
		}
		i += n
		if c&newline != 0 {
			end = i
		}
	}
}

// cascade is the end of the longest run of 512, 256, 128, 64, 32, 16, 8, 4, 2
// or 1 characters of white space at i that no other character follows, or of
// one; i without any.
func cascade(s string, i int) int {
	var ends [513]int // ends[k]: after k characters
	count, more := 0, false
	ends[0] = i
	for {
		c, n := classAt(s, ends[count])
		if c&space == 0 {
			more = n > 0
			break
		}
		if count == 512 {
			break
		}
		ends[count+1] = ends[count] + n
		count++
	}
	if count == 0 {
		return i
	}
	for k := 512; k > 1; k /= 2 {
		if k < count || k == count && !more {
			return ends[k]
		}
	}
	return ends[1]
}
