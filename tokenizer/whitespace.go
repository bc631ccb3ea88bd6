package tokenizer

import (
	"strings"
	"unicode"
)

// whitespace is BPE without white space: it parts words and is left out
// (jina-embeddings-v2-base-zh).
type whitespace struct {
	*bpe
	lower bool
}

func loadWhitespace(m Metadata) (*Tokenizer, error) {
	tok, err := loadGPT2(m)
	if err != nil {
		return nil, err
	}
	t := whitespace{bpe: tok.model.(*bpe)}
	if t.lower, err = getFlag(m, prefix+"normalizer.lowercase", t.pre != pretokenizers()["whitespace"]); err != nil {
		return nil, err
	}
	tok.model = t
	return tok, nil
}

func (t whitespace) encode(e *encoder, text string, _ bool) {
	text = sanitize(text)
	if t.lower {
		text = lowerCase(text)
	}
	for i := 0; i < len(text); {
		end, ok := unspaced(text, i)
		if ok {
			t.bpe.encode(e, text[i:end], false)
		}
		i = end
	}
}

// lowerCase is text, which sanitize has seen, in lower case.
func lowerCase(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		r, n := runeAt(text, i)
		if low := unicode.ToLower(r); low != r {
			b.WriteRune(low)
		} else {
			b.WriteString(text[i : i+n])
		}
		i += n
	}
	return b.String()
}

// \S+
func unspaced(s string, i int) (end int, ok bool) {
	if end = run(s, i, ^(space | newline)); end > i {
		return end, true
	}
	return run(s, i, space), false
}
