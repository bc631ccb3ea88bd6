package tokenizer

import "slices"

// How says by which rule a word became tokens.
type How string

const (
	Special How = "special" // a special token: found in the text by its own text, or added
	Whole   How = "whole"   // looked up as it stands
	Merged  How = "merged"  // neighbours merged, the best first
	Best    How = "best"    // cut so that the scores add up to the most
	Longest How = "longest" // the longest token at each place
)

// Word is a part of a text that is encoded on its own, and how that went: a
// word of the pre-tokenizer; where there is none, a stretch that no merge and no
// token could leave.
type Word struct {
	How   How
	Text  string // as the model gets it: normalized, and in some models with ▁ for spaces
	First int    // the number of its first token among those of the whole text
	IDs   []int

	// Parts is what merging begins with, characters or bytes; else what the
	// word was cut into. nil for words of more than MaxTraced parts, and for a
	// word that the longest tokens do not cover, which is unknown as a whole.
	Parts  []Part
	Merges []Merge // in their order; each makes one part of two
}

// MaxTraced is the number of parts up to which the merges of a word are told.
const MaxTraced = 1000

// Part is a piece of a word.
type Part struct {
	Text  string
	ID    int     // -1: no token; in a merged word such a part is written in byte tokens, or left out
	Score float64 // of Best: what the part adds to the sum
}

// Merge joins the part at place At, counted among those there are at the time,
// with the next one.
type Merge struct {
	At    int
	ID    int     // of the part that is made; -1: no token
	Rank  int     // the line of tokenizer.ggml.merges, from 0; -1 in a model that merges by score
	Score float64 // of the token that is made, where the model merges by score
}

// tracer is a model that can tell more of a word than its text.
type tracer interface {
	trace(w *Word)
}

// Trace tells how token number at of Encode(text, o) came to be: the word it is
// in. ok is false if there are not so many tokens. It takes as long as Encode.
func (t *Tokenizer) Trace(text string, o Options, at int) (w Word, ok bool) {
	e := &encoder{want: at}
	t.encode(e, text, o)
	if at < 0 || at >= len(e.ids) {
		return Word{}, false
	}
	if e.found == nil {
		id := e.ids[at]
		w = Word{How: Whole, Text: t.v.texts[id], First: at, IDs: []int{id}}
		if t.v.attrs[id]&attrSpecial != 0 {
			w.How = Special
		}
		return w, true
	}
	w = *e.found
	if m, ok := t.model.(tracer); ok {
		m.trace(&w)
	}
	return w, true
}

// note remembers the word that has just been encoded, if it is the one that is
// looked for; first is where in ids its own begin.
func (e *encoder) note(text string, first int) bool {
	if e.want < first || e.want >= len(e.ids) || e.found != nil {
		return false
	}
	e.found = &Word{Text: text, First: first, IDs: slices.Clone(e.ids[first:])}
	return true
}

// merge merges symbols, those of w's text, and notes how; rate says what
// the model goes by.
func (w *Word) merge(v *vocab, symbols []symbol, p pairer, rate func(m *Merge, rank uint32)) {
	w.How = Merged
	if len(symbols) > MaxTraced {
		return
	}
	token := func(id int32) int {
		if int(id) >= len(v.texts) {
			return -1
		}
		return int(id)
	}
	for _, s := range symbols {
		w.Parts = append(w.Parts, Part{Text: w.Text[s.start:s.end], ID: token(s.id)})
	}
	var steps []mergeStep
	m := merger{symbols: symbols, steps: &steps}
	if len(symbols) > 1 {
		m.mergeShort(w.Text, p)
	}
	for _, s := range steps {
		done := Merge{At: s.at, ID: token(s.id), Rank: -1}
		rate(&done, s.rank)
		w.Merges = append(w.Merges, done)
	}
}
