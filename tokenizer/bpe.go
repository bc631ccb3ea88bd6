package tokenizer

import (
	"fmt"
	"strings"
)

// bpe merges bytes (in a raw vocabulary: characters) by the ranks of a list of
// merges, within the words of a pre-tokenizer.
type bpe struct {
	v      *vocab
	pre    *pretokenizer
	pieces []string // what each token is in a word: bytes, raw: text; "": in no word
	index  *index   // of pieces
	pairs  *pairs

	// symbols are token ids; extra has the parts and results of merges that
	// are no tokens, numbered on from there.
	extra map[string]int32

	bytes [256]int32 // symbol of each byte; raw: token of each byte
}

func newBPE(v *vocab, m Metadata, pre *pretokenizer) (*bpe, error) {
	const key = prefix + "merges"
	merges, ok, err := get[[]string](m, key)
	if err != nil {
		return nil, err
	}
	if !ok && !pre.noMerges {
		return nil, &Error{key, fmt.Errorf("%w: a BPE vocabulary cannot be used without; convert the model again with a newer converter", errMissing)}
	}
	t := &bpe{v: v, pre: pre, pieces: v.texts}
	if !pre.raw {
		t.pieces = bytePieces(v.texts)
	}
	t.index = newIndex(t.pieces)
	t.addMerges(merges)
	for b := range t.bytes {
		one := string([]byte{byte(b)})
		if pre.raw {
			one = byteText(byte(b))
		}
		t.bytes[b] = t.symbol(one)
	}
	return t, nil
}

// bytePieces is the texts as the bytes they stand for, "" where a text has a
// character outside the byte alphabet.
func bytePieces(texts []string) []string {
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	arena := make([]byte, 0, size)
	ends := make([]int, len(texts))
	for i, text := range texts {
		start := len(arena)
		var ok bool
		if arena, ok = appendBytes(arena, text); !ok {
			arena = arena[:start]
		}
		ends[i] = len(arena)
	}
	all, start := string(arena), 0
	pieces := make([]string, len(texts))
	for i, end := range ends {
		pieces[i] = all[start:end]
		start = end
	}
	return pieces
}

// addMerges reads merges, "left right" with the best first. The first space
// but at the very beginning parts them; lines without one are no merges.
func (t *bpe) addMerges(merges []string) {
	t.pairs = newPairs(len(merges))
	var buf []byte
	guess := -1
	for rank, line := range merges {
		if line == "" {
			continue
		}
		at := strings.IndexByte(line[1:], ' ') + 1
		if at == 0 {
			continue
		}
		left, right := line[:at], line[at+1:]
		if t.pre.raw {
			buf = append(append(buf[:0], left...), right...)
		} else {
			var ok, ok2 bool
			buf, ok = appendBytes(buf[:0], left)
			at = len(buf)
			if buf, ok2 = appendBytes(buf, right); !ok || !ok2 {
				continue // in no word
			}
		}
		if at == 0 || at == len(buf) {
			continue
		}
		// The result is mostly that of the line before or the token after it.
		switch {
		case t.isToken(guess, buf):
		case t.isToken(guess+1, buf):
			guess++
		default:
			guess = int(t.mergeSymbol(buf))
		}
		t.pairs.add(t.mergeSymbol(buf[:at]), t.mergeSymbol(buf[at:]), uint32(rank), int32(guess))
	}
}

// isToken tells without a look-up that id is the token with the given piece;
// false says nothing.
func (t *bpe) isToken(id int, piece []byte) bool {
	return t.index.unique && id >= 0 && id < len(t.pieces) && t.pieces[id] == string(piece)
}

// symbol is the symbol of a piece, -1 if it is in no merge and no token.
func (t *bpe) symbol(piece string) int32 {
	if id := t.index.find(piece); id >= 0 {
		return id
	}
	if id, ok := t.extra[piece]; ok {
		return id
	}
	return -1
}

// mergeSymbol is the symbol of a piece, a new one if it is no token.
func (t *bpe) mergeSymbol(piece []byte) int32 {
	if id := t.index.findBytes(piece); id >= 0 {
		return id
	}
	id, ok := t.extra[string(piece)]
	if !ok {
		if t.extra == nil {
			t.extra = map[string]int32{}
		}
		id = int32(len(t.pieces) + len(t.extra))
		t.extra[string(piece)] = id
	}
	return id
}

func (t *bpe) pair(_ string, left, right *symbol) (rank uint32, id int32) {
	return t.pairs.find(left.id, right.id)
}

func (t *bpe) encode(e *encoder, text string, _ bool) {
	text = sanitize(text)
	if t.pre.raw {
		text = strings.ReplaceAll(text, " ", blank)
	}
	t.pre.split(text, func(word string) { e.word(word, t.word) })
}

// word appends the ids of one word of the pre-tokenizer.
func (t *bpe) word(e *encoder, word string) {
	if t.pre.wholeWords || t.pre.wholeNewlines && strings.Trim(word, "\n") == "" {
		if id := t.index.find(word); id >= 0 {
			e.ids = append(e.ids, int(id))
			return
		}
	}
	m := &e.merger
	m.symbols = m.symbols[:0]
	if t.pre.raw {
		for i := 0; i < len(word); {
			_, n := runeAt(word, i)
			m.symbols = append(m.symbols, symbol{start: int32(i), end: int32(i + n), id: t.symbol(word[i : i+n])})
			i += n
		}
	} else {
		for i := range len(word) {
			m.symbols = append(m.symbols, symbol{start: int32(i), end: int32(i + 1), id: t.bytes[word[i]]})
		}
	}
	m.merge(word, t)
	for _, s := range m.symbols {
		if s.id >= 0 && int(s.id) < len(t.pieces) {
			e.ids = append(e.ids, int(s.id))
		} else {
			t.spellOut(e, word[s.start:s.end])
		}
	}
}

// spellOut appends a part of a word that is no token byte by byte. A byte that
// has no token either is left out, and so is, as in llama.cpp, one that the
// byte alphabet writes as another character than ASCII.
func (t *bpe) spellOut(e *encoder, part string) {
	for _, b := range []byte(part) {
		id := t.bytes[b]
		if id >= 0 && int(id) < len(t.pieces) && (t.pre.raw || b >= '!' && b <= '~') {
			e.ids = append(e.ids, int(id))
		}
	}
}

func (t *bpe) piece(id int) string {
	a := t.v.attrs[id]
	switch {
	case t.pre.raw || a&attrNormal == 0:
		return blankPiece(t.v, id)
	case t.pieces[id] != "":
		return t.pieces[id]
	}
	return string(spell(nil, t.v.texts[id]))
}
