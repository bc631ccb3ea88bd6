package grammar

import (
	"slices"
	"strings"
)

// Tokens are a model's, as package tokenizer has them.
type Tokens interface {
	Size() int
	Piece(id int, special bool) []byte // what a token adds to a text; without special control tokens add nothing
	IsEOG(id int) bool
}

// Vocabulary is the tokens of a model in the order of their texts, so that what begins alike is tried once. It does not
// change and may be used from any number of goroutines.
type Vocabulary struct {
	tokens Tokens
	pieces []string // by id; "" for tokens that are no text
	order  []int32  // ids with a text, sorted by it
	texts  []string // of order, one after the other in memory
	common []int32  // how many bytes texts[i] has in common with the one before
	enders []int32  // tokens that end the generation
}

// NewVocabulary sorts the tokens. It keeps a copy of their texts.
func NewVocabulary(t Tokens) *Vocabulary {
	n := t.Size()
	v := &Vocabulary{tokens: t, pieces: make([]string, n), order: make([]int32, 0, n)}
	var all strings.Builder
	ends := make([]int, n)
	for id := range n {
		if t.IsEOG(id) {
			v.enders = append(v.enders, int32(id))
		} else {
			all.Write(t.Piece(id, false))
		}
		ends[id] = all.Len()
	}
	text, from := all.String(), 0
	for id, end := range ends {
		if from < end {
			v.pieces[id] = text[from:end]
			v.order = append(v.order, int32(id))
		}
		from = end
	}
	slices.SortFunc(v.order, func(a, b int32) int { return strings.Compare(v.pieces[a], v.pieces[b]) })
	var sorted strings.Builder
	sorted.Grow(len(text))
	for _, id := range v.order {
		sorted.WriteString(v.pieces[id])
	}
	v.texts, v.common = make([]string, len(v.order)), make([]int32, len(v.order))
	text, before := sorted.String(), ""
	for i, id := range v.order {
		n := len(v.pieces[id])
		v.texts[i], text = text[:n], text[n:]
		v.pieces[id] = v.texts[i]
		same := 0
		for same < n && same < len(before) && before[same] == v.texts[i][same] {
			same++
		}
		v.common[i], before = int32(same), v.texts[i]
	}
	return v
}

// find is the token with a text, -1 if there is none.
func (v *Vocabulary) find(text string) int {
	for id := range v.pieces {
		if string(v.tokens.Piece(id, true)) == text {
			return id
		}
	}
	return -1
}
