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
	common []int32  // how many bytes that of order[i] has in common with the one before
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
		if v.pieces[id] = text[from:end]; from < end {
			v.order = append(v.order, int32(id))
		}
		from = end
	}
	slices.SortFunc(v.order, func(a, b int32) int { return strings.Compare(v.pieces[a], v.pieces[b]) })
	v.common = make([]int32, len(v.order))
	for i := 1; i < len(v.order); i++ {
		a, b := v.pieces[v.order[i-1]], v.pieces[v.order[i]]
		n := 0
		for n < len(a) && n < len(b) && a[n] == b[n] {
			n++
		}
		v.common[i] = int32(n)
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
