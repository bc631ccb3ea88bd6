package tokenizer

import "strings"

// hybridDNA is BPE with DNA between <dna> and </dna>, which is cut into tokens
// of six bases.
type hybridDNA struct {
	*bpe
	begin, end, other int              // <dna>, </dna>, <oov>
	mers              map[string]int32 // by their bases
}

// merMark ends the text of the tokens of six bases in the file, so that they
// are not taken for words.
const merMark = "\uE000"

const merLen = 6

func loadHybridDNA(m Metadata) (*Tokenizer, error) {
	tok, err := loadGPT2(m)
	if err != nil {
		return nil, err
	}
	v := tok.v
	t := hybridDNA{bpe: tok.model.(*bpe), begin: -1, end: -1, other: -1, mers: map[string]int32{}}
	for id, text := range v.texts {
		switch text {
		case "<dna>":
			t.begin = id
		case "</dna>":
			t.end = id
		case "<oov>":
			t.other = id
		}
		if mer, ok := strings.CutSuffix(text, merMark); ok && len(mer) == merLen {
			t.mers[mer] = int32(id)
		}
	}
	if t.other >= 0 {
		v.texts = append([]string(nil), v.texts...) // the array is the file's
		for id := t.other + 1; id < len(v.texts); id++ {
			if mer, ok := strings.CutSuffix(v.texts[id], merMark); ok && mer != "" {
				v.texts[id] = mer
			}
		}
		v.parser = newPartitioner(v)
	}
	if t.begin >= 0 && t.end >= 0 && t.other >= 0 {
		tok.model = t
	}
	return tok, nil
}

func (t hybridDNA) encode(e *encoder, text string, _ bool) {
	for text != "" {
		words, rest, found := strings.Cut(text, "<dna>")
		if words != "" {
			t.bpe.encode(e, words, false)
		}
		if !found {
			return
		}
		e.ids = append(e.ids, t.begin)
		bases, rest, closed := strings.Cut(rest, "</dna>")
		t.encodeBases(e, bases)
		if closed {
			e.ids = append(e.ids, t.end)
		}
		text = rest
	}
}

// encodeBases appends the tokens of a sequence, whose end is filled up with A.
func (t hybridDNA) encodeBases(e *encoder, bases string) {
	var mer [merLen]byte
	for bases != "" {
		n := copy(mer[:], bases)
		bases = bases[n:]
		for i, c := range mer {
			switch {
			case i >= n:
				mer[i] = 'A'
			case c >= 'a' && c <= 'z':
				mer[i] = c - 'a' + 'A'
			}
		}
		id, ok := t.mers[string(mer[:])]
		if !ok {
			id = int32(t.other)
		}
		e.ids = append(e.ids, int(id))
	}
}
