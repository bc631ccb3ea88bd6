package look

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// spans finds where in text each token's piece is from. The spans tile the text in order, in UTF-16 units, as JavaScript counts: a token that stands for
// nothing in the text (BOS, a space that the tokenizer puts in front) gets an empty span, and of a character cut over several tokens the last gets all.
//
// Pieces are matched with the text as it stands. Where a tokenizer changed the text (normalization, unknown characters), the token before the next piece
// that is found again gets the stretch between, and what is never found again goes to the last token that was.
func spans(text string, pieces [][]byte) [][2]int {
	ends := make([]int, len(pieces)) // in bytes
	at, last := 0, 0
	for i, p := range pieces {
		n := match(text[at:], p)
		if n < 0 && i+1 < len(pieces) {
			n = gap(text[at:], pieces[i+1])
		}
		if n > 0 {
			last = i
		}
		at += max(n, 0)
		ends[i] = at
	}
	for i := last; i < len(ends); i++ {
		ends[i] = len(text)
	}
	return units(text, ends)
}

// match is how many bytes at the start of the text a piece stands for, or -1. A piece may begin with a space that the tokenizer put there.
func match(text string, piece []byte) int {
	if strings.HasPrefix(text, string(piece)) {
		return len(piece)
	}
	if rest, ok := bytes.CutPrefix(piece, []byte(" ")); ok && strings.HasPrefix(text, string(rest)) {
		return len(rest)
	}
	return -1
}

// reach is how far, in bytes, gap looks: a tokenizer that changed more than this of the text cannot be followed.
const reach = 64

// gap is how many bytes of the text stand before the next piece, or -1.
func gap(text string, next []byte) int {
	for n := range min(len(text), reach) {
		if m := match(text[n:], next); m > 0 {
			return n
		}
	}
	return -1
}

// units turns byte offsets into UTF-16 offsets, those inside a character into its start, and ends into spans.
func units(text string, ends []int) [][2]int {
	out := make([][2]int, len(ends))
	at, units, start := 0, 0, 0
	for i, end := range ends {
		for at < end {
			r, n := utf8.DecodeRuneInString(text[at:])
			if at+n > end {
				break
			}
			at += n
			units++
			if r > 0xFFFF {
				units++
			}
		}
		out[i] = [2]int{start, units}
		start = units
	}
	return out
}
