package tokenizer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// wpm takes the longest token at each place of a word (WordPiece, BERT). The
// first token of a word begins with a blank. A word that tokens do not cover is
// unknown as a whole.
type wpm struct {
	v            *vocab
	trie         *trie
	lower, strip bool // letters to lower case; characters to their base
}

func loadWPM(m Metadata) (*Tokenizer, error) {
	// The ids are those of BERT's own vocabulary.
	v, err := loadVocab(m, rules{bos: 101, eos: -1, unk: 100, sep: 102, cleanSpaces: true})
	if err != nil {
		return nil, err
	}
	v.addBOS, v.addEOS, v.addSEP = true, false, true // whatever the file says
	t := &wpm{v: v, trie: newTrie(v.texts, func(int) bool { return true })}
	if t.lower, err = getFlag(m, prefix+"normalizer.lowercase", true); err != nil {
		return nil, err
	}
	if t.strip, err = getFlag(m, prefix+"normalizer.strip_accents", t.lower); err != nil {
		return nil, err
	}
	loadClasses()
	if t.strip {
		loadBases()
	}
	return &Tokenizer{v, t}, nil
}

func (t *wpm) encode(e *encoder, text string, _ bool) {
	text = t.normalize(text)
	for text != "" {
		word := text[1:] // after the space
		if end := strings.IndexByte(word, ' '); end >= 0 {
			word = word[:end]
		}
		e.word(word, t.word)
		text = text[1+len(word):]
	}
}

// normalize gives the words of text, each after a space and a blank. Control
// characters, U+FFFD and bytes that are not UTF-8 are left out; punctuation,
// ASCII signs and Chinese characters are words of their own.
func (t *wpm) normalize(text string) string {
	const begin = " " + blank
	var b strings.Builder
	b.Grow(len(text) + len(text)/2 + len(begin))
	inWord := false
	for i := 0; i < len(text); {
		r, n, ok := decodeLax(text[i:])
		i += n
		if !ok {
			continue
		}
		if t.strip {
			r = baseOf(r)
		}
		c := classes[r]
		switch {
		case c&space != 0:
			inWord = false
			continue
		case c == 0 && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs), r == utf8.RuneError, t.strip && c&mark != 0:
			continue
		}
		alone := c&punct != 0 || c&sign != 0 && r < 0x7F || chinese(r)
		if alone || !inWord {
			b.WriteString(begin)
		}
		inWord = !alone
		if t.lower {
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// chinese tells what BERT takes for Chinese characters (with llama.cpp's gap
// before U+2B920).
func chinese(r rune) bool {
	return r >= 0x3400 && (r <= 0x4DBF || r >= 0x4E00 && r <= 0x9FFF || r >= 0xF900 && r <= 0xFAFF ||
		r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2B81F || r >= 0x2B920 && r <= 0x2CEAF ||
		r >= 0x2F800 && r <= 0x2FA1F)
}

// word appends the ids of one word.
func (t *wpm) word(e *encoder, word string) {
	begin := len(e.ids)
	for word != "" {
		id, n := t.trie.longest(word)
		if id < 0 {
			e.ids = e.ids[:begin]
			break
		}
		e.ids = append(e.ids, int(id))
		word = word[n:]
	}
	if len(e.ids) == begin && t.v.ids.unk >= 0 {
		e.ids = append(e.ids, t.v.ids.unk)
	}
}

func (t *wpm) trace(w *Word) {
	w.How = Longest
	for word := w.Text; word != ""; {
		id, n := t.trie.longest(word)
		if id < 0 {
			w.Parts = nil
			return
		}
		w.Parts = append(w.Parts, Part{Text: word[:n], ID: int(id)})
		word = word[n:]
	}
}

func (t *wpm) piece(id int) string { return blankPiece(t.v, id) }
