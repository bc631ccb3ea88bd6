package tokenizer

import (
	"math"
	"slices"
	"strings"
)

// ugm cuts text into the tokens whose scores add up to the most (SentencePiece
// unigram). A character that is no token may be the unknown one.
type ugm struct {
	v       *vocab
	trie    *trie     // of the tokens that text is cut into
	defined *trie     // of the user-defined ones
	scores  []float64 // as long as the vocabulary
	unknown float64   // of a character that is no token
	within  pairSet   // neighbours within some token of trie
	chars   *charsmap // nil: none

	mergeSpaces bool // of spaces, only one before each word stays
}

func loadUGM(m Metadata) (*Tokenizer, error) {
	v, err := loadVocab(m, rules{bos: -1, eos: 1, unk: 2, sep: -1, addEOS: true})
	if err != nil {
		return nil, err
	}
	t := &ugm{v: v, scores: make([]float64, len(v.texts)), within: newPairSet(len(v.texts))}
	if t.mergeSpaces, err = getFlag(m, prefix+"remove_extra_whitespaces", false); err != nil {
		return nil, err
	}
	if t.chars, err = loadCharsmap(m); err != nil {
		return nil, err
	}
	worst := float32(math.MaxFloat32)
	for id, a := range v.attrs {
		if a&(attrNormal|attrUserDefined|attrUnused) != 0 {
			t.within.addAll(v.texts[id])
		}
		if v.scores != nil && a&attrUserDefined == 0 {
			t.scores[id] = float64(v.scores[id])
		}
		if s := float32(t.scores[id]); a&attrNormal != 0 && s < worst { // not NaN
			worst = s
		}
	}
	const penalty = 10
	t.unknown = float64(worst - penalty)
	has := func(set attr) func(int) bool { return func(id int) bool { return v.attrs[id]&set != 0 } }
	t.trie, t.defined = newTrie(v.texts, has(attrNormal|attrUserDefined|attrUnused)), newTrie(v.texts, has(attrUserDefined))
	return &Tokenizer{v, t}, nil
}

// normalize replaces what the charsmap says and writes spaces as blanks.
func (t *ugm) normalize(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/4 + 2*len(blank))
	inWord, begun := false, false
	for text != "" {
		part, n := t.normalPrefix(text)
		text = text[n:]
		for i := range len(part) {
			if part[i] == ' ' {
				inWord = false
				if !t.mergeSpaces {
					b.WriteString(blank)
				}
				continue
			}
			if !inWord && (t.mergeSpaces || t.v.spacePrefix && !begun) {
				b.WriteString(blank)
				begun = true
			}
			inWord = true
			b.WriteByte(part[i])
		}
	}
	return b.String()
}

// normalPrefix is what the first n bytes of text become. Those that could begin
// a user-defined token are left as they are, as in llama.cpp whether or not one
// is there.
func (t *ugm) normalPrefix(text string) (part string, n int) {
	if n = t.defined.shared(text); n > 0 {
		return text[:n], n
	}
	if part, n = t.chars.replace(text); n > 0 {
		return part, n
	}
	if _, n, ok := decodeAny(text); ok {
		return text[:n], n
	}
	return "\uFFFD", 1
}

// cell is the best way to a place in the text.
type cell struct {
	score float64
	id    int32 // the token that ends there
	from  int32 // where that token begins
}

func (t *ugm) encode(e *encoder, text string, _ bool) {
	text = t.normalize(text)
	begin := len(e.ids)
	var cells []cell
	score := 0.0
	// Every way cuts the text between two characters that are neighbours in no
	// token. Scores go on from one part to the next, so that sums are rounded as
	// they are in the whole.
	for text != "" {
		part := text[:t.within.span(text, 0)]
		text = text[len(part):]
		cells, score = t.cut(cells[:0], part, score)
		at := len(e.ids)
		for end := int32(len(part)); end > 0; end = cells[end].from {
			e.ids = append(e.ids, int(cells[end].id))
		}
		slices.Reverse(e.ids[at:])
		e.ids = t.joinUnknown(e.ids, begin, at)
		if e.note(part, at) {
			t.trace(e.found, cells)
		}
	}
}

// trace tells how w was cut; cells are those of its text.
func (t *ugm) trace(w *Word, cells []cell) {
	w.How = Best
	for end := int32(len(w.Text)); end > 0; end = cells[end].from {
		c := cells[end]
		p := Part{Text: w.Text[c.from:end], ID: int(c.id), Score: t.unknown}
		if p.ID != t.v.ids.unk {
			p.Score = t.scores[p.ID]
		}
		w.Parts = append(w.Parts, p)
	}
	slices.Reverse(w.Parts)
}

// cut fills cells for part, and gives the score of the whole.
func (t *ugm) cut(cells []cell, part string, score float64) ([]cell, float64) {
	cells = slices.Grow(cells, len(part)+1)[:len(part)+1]
	for i := range cells {
		cells[i] = cell{-math.MaxFloat64, int32(t.v.ids.unk), 0}
	}
	cells[0].score = score
	for i := 0; i < len(part); {
		char := min(i+charLen(part[i]), len(part))
		best, known := cells[i].score, false
		for node, end := t.trie.root[part[i]], i+1; node >= 0; end++ {
			if id := t.trie.ids[node]; id >= 0 {
				if s := best + t.scores[id]; s > cells[end].score {
					cells[end] = cell{s, id, int32(i)}
				}
				known = known || end == char
			}
			if end == len(part) {
				break
			}
			node = t.trie.child(node, part[end])
		}
		if s := best + t.unknown; !known && s > cells[char].score {
			cells[char] = cell{s, int32(t.v.ids.unk), int32(i)}
		}
		i = char
	}
	return cells, cells[len(part)].score
}

// joinUnknown makes one of unknown tokens in a row, in place, from ids[at] on;
// none if there is no such token. Those of this text begin at begin.
func (t *ugm) joinUnknown(ids []int, begin, at int) []int {
	kept := ids[:at]
	unk := t.v.ids.unk
	for _, id := range ids[at:] {
		if id >= 0 && (id != unk || len(kept) == begin || kept[len(kept)-1] != unk) {
			kept = append(kept, id)
		}
	}
	return kept
}

func (t *ugm) piece(id int) string { return blankPiece(t.v, id) }
