package tokenizer

import "hash/maphash"

// encoder is the state of one call of Encode: the ids so far and memory for
// merging.
//
// In a long text it remembers where in ids those of a word are, so that a word
// that comes again is copied. That is a direct-mapped cache: a word takes the
// place of another one with the same hash.
type encoder struct {
	ids    []int
	merger merger
	recent []recentWord // nil for a short text

	want  int   // number of the token whose word is looked for; -1: none
	found *Word // the word, with its text and ids
}

type recentWord struct {
	word       string
	start, end int // in ids
}

const (
	recentSlots   = 1 << 13
	recentText    = 1 << 13 // bytes; below it the cache does not pay
	recentMaxWord = 64      // bytes
)

// newEncoder prepares for a text of n bytes.
func newEncoder(n int) *encoder {
	e := &encoder{ids: make([]int, 0, n/4+2), want: -1}
	if n >= recentText {
		e.recent = make([]recentWord, recentSlots)
	}
	return e
}

// word appends the ids of word, by encode unless they are remembered.
func (e *encoder) word(word string, encode func(e *encoder, word string)) {
	if e.recent == nil || len(word) > recentMaxWord {
		n := len(e.ids)
		encode(e, word)
		e.note(word, n)
		return
	}
	slot := &e.recent[maphash.String(indexSeed, word)%recentSlots]
	if slot.word == word {
		e.ids = append(e.ids, e.ids[slot.start:slot.end]...)
		return
	}
	n := len(e.ids)
	encode(e, word)
	*slot = recentWord{word, n, len(e.ids)}
}
