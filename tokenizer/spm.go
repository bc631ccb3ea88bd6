package tokenizer

import (
	"math"
	"math/bits"
	"strings"
)

// blank is how SentencePiece writes a space.
const blank = "▁"

// spm merges characters into tokens by score (SentencePiece BPE); characters
// that are in no token become byte tokens.
type spm struct {
	v      *vocab
	index  *index
	ranks  []uint32 // of each token, the highest score first
	bytes  [256]int32
	within pairSet // neighbours within some token
	maxLen int     // bytes of the longest token
}

func newSPM(v *vocab) *spm {
	t := &spm{v: v, index: newIndex(v.texts), ranks: make([]uint32, len(v.texts)), within: newPairSet(len(v.texts))}
	for id, text := range v.texts {
		t.maxLen = max(t.maxLen, len(text))
		if v.scores != nil {
			t.ranks[id] = rankOf(v.scores[id])
		}
		t.within.addAll(text)
	}
	for b := range t.bytes {
		id := t.index.find(byteText(byte(b)))
		if id < 0 {
			id = t.index.find(string([]byte{byte(b)}))
		}
		if id < 0 {
			id = int32(v.ids.unk)
		}
		t.bytes[b] = id
	}
	return t
}

// rankOf orders scores downwards: the higher the score, the lower the rank.
func rankOf(score float32) uint32 {
	b := math.Float32bits(score + 0) // + 0: minus zero is zero
	if b>>31 != 0 {
		return b
	}
	return b ^ 0x7FFFFFFF
}

// pair merges what is together a token.
func (t *spm) pair(word string, left, right *symbol) (rank uint32, id int32) {
	if int(right.end-left.start) > t.maxLen {
		return noMerge, -1
	}
	id = t.index.find(word[left.start:right.end])
	if id < 0 {
		return noMerge, -1
	}
	return t.ranks[id], id
}

func (t *spm) encode(e *encoder, text string, first bool) {
	if first && t.v.spacePrefix {
		text = " " + text
	}
	text = strings.ReplaceAll(text, " ", blank)
	// No merge crosses two characters that are neighbours in no token: between
	// them the text can be cut without changing anything.
	for start := 0; start < len(text); {
		word := text[start:t.within.span(text, start)]
		start += len(word)
		e.word(word, t.word)
	}
}

// word appends the ids of a part of the text that merges do not leave.
func (t *spm) word(e *encoder, word string) {
	m := &e.merger
	m.symbols = characters(m.symbols[:0], word)
	m.merge(word, t)
	for _, s := range m.symbols {
		id := s.id
		if id < 0 {
			id = t.index.find(word[s.start:s.end])
		}
		if id >= 0 {
			e.ids = append(e.ids, int(id))
			continue
		}
		for _, b := range []byte(word[s.start:s.end]) {
			if id := t.bytes[b]; id >= 0 {
				e.ids = append(e.ids, int(id))
			}
		}
	}
}

// characters appends those of word.
func characters(dst []symbol, word string) []symbol {
	for i := 0; i < len(word); {
		end := min(i+charLen(word[i]), len(word))
		dst = append(dst, symbol{start: int32(i), end: int32(end), id: -1})
		i = end
	}
	return dst
}

func (t *spm) trace(w *Word) {
	symbols := characters(nil, w.Text)
	for i, s := range symbols {
		symbols[i].id = t.index.find(w.Text[s.start:s.end])
	}
	w.merge(t.v, symbols, t, func(m *Merge, _ uint32) {
		if t.v.scores != nil {
			m.Score = float64(t.v.scores[m.ID])
		}
	})
}

func (t *spm) piece(id int) string {
	return blankPiece(t.v, id)
}

// blankPiece is the piece of a token that writes spaces as blanks. Special
// tokens are their text as it is.
func blankPiece(v *vocab, id int) string {
	switch text, a := v.texts[id], v.attrs[id]; {
	case a&attrSpecial != 0:
		return text
	case a&attrNormal != 0:
		return strings.ReplaceAll(text, blank, " ")
	case a&attrByte != 0:
		if b, ok := byteOf(text); ok {
			return string([]byte{b})
		}
	}
	return ""
}

// pairSet is a set of neighbouring characters that may say yes for pairs that
// are not in it (a Bloom filter with one hash); never no for those that are.
type pairSet struct {
	bits  []uint64
	shift int
}

// newPairSet makes a set for the pairs of n tokens: 32 bits a token, at most 1 MiB.
func newPairSet(n int) pairSet {
	size := bits.Len(uint(min(max(32*n, 1<<12), 1<<23) - 1))
	return pairSet{make([]uint64, 1<<(size-6)), 64 - size}
}

// bit is the place of the two characters text[a:c].
func (s pairSet) bit(text string, a, c int) uint64 {
	var k uint64
	for _, b := range []byte(text[a:c]) {
		k = k<<8 | uint64(b)
	}
	return k * 0x9E3779B97F4A7C15 >> s.shift
}

// addAll adds the neighbours within text, which is not empty.
func (s pairSet) addAll(text string) {
	a, b := 0, charLen(text[0])
	for b < len(text) {
		c := min(b+charLen(text[b]), len(text))
		i := s.bit(text, a, c)
		s.bits[i>>6] |= 1 << (i & 63)
		a, b = b, c
	}
}

// span is the end of the longest part of text from start on in which all
// neighbours are in the set.
func (s pairSet) span(text string, start int) int {
	a, b := start, start+charLen(text[start])
	for b < len(text) {
		c := min(b+charLen(text[b]), len(text))
		if i := s.bit(text, a, c); s.bits[i>>6]>>(i&63)&1 == 0 {
			return b
		}
		a, b = b, c
	}
	return len(text)
}
