package tokenizer

import (
	"fmt"
	"strings"
)

// bpe merges bytes (in a raw vocabulary: characters) by the ranks of a list of
// merges, within the words of a pre-tokenizer.
//
// A merge of left and right is told by its result and the length of left, so
// nothing but results is looked up. The rank of a merge is its line.
type bpe struct {
	v      *vocab
	pre    *pretokenizer
	index  *index // of results: first what each token is in a word ("": in no word), then results that are no tokens
	maxLen int    // bytes of the longest result

	first []int32 // the first merge with a given result, -1: none
	next  []int32 // the next merge with the same result, -1: none
	split []int32 // bytes of left

	bytes  [256]int32 // token of each byte, -1: none
	within pairSet    // raw: neighbours within some result
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
	t := &bpe{v: v, pre: pre}
	pieces := v.texts
	if !pre.raw {
		pieces = bytePieces(v.texts)
	}
	t.index = newIndex(pieces)
	t.addMerges(merges)
	for b := range t.bytes {
		one := string([]byte{byte(b)})
		if pre.raw {
			one = byteText(byte(b))
		}
		if t.bytes[b] = t.index.find(one); int(t.bytes[b]) >= len(v.texts) {
			t.bytes[b] = -1
		}
	}
	if pre.raw {
		t.within = newPairSet(len(t.index.keys))
		for _, piece := range t.index.keys {
			t.within.addAll(piece)
		}
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
	t.next, t.split = make([]int32, len(merges)), make([]int32, len(merges))
	results := make([]int32, len(merges)) // -1: none
	var buf []byte
	var extra []string // results that are no tokens
	guess := -1
	for rank, line := range merges {
		results[rank] = -1
		if buf, t.split[rank] = t.parse(buf[:0], line); len(buf) == 0 {
			continue
		}
		t.maxLen = max(t.maxLen, len(buf))
		// The result is mostly that of the line before or the token after it.
		switch {
		case t.isToken(guess, buf):
		case t.isToken(guess+1, buf):
			guess++
		default:
			if guess = int(t.index.find(string(buf))); guess < 0 {
				guess = len(t.index.keys) + len(extra)
				extra = append(extra, string(buf))
			}
		}
		results[rank] = int32(guess)
	}
	if extra != nil {
		t.index = newIndex(append(t.index.keys[:len(t.index.keys):len(t.index.keys)], extra...))
	}
	t.first = make([]int32, len(t.index.keys))
	for i := range t.first {
		t.first[i] = -1
	}
	for rank := len(merges) - 1; rank >= 0; rank-- {
		if id := results[rank]; id >= 0 {
			if int(id) >= len(t.v.texts) {
				id = t.index.find(t.index.keys[id]) // of equal ones the one that is found
			}
			t.next[rank] = t.first[id]
			t.first[id] = int32(rank)
		}
	}
}

// parse appends the result of a merge and gives the length of its left part.
// It appends nothing if the line is none, or can be in no word.
func (t *bpe) parse(dst []byte, line string) (result []byte, split int32) {
	if line == "" {
		return dst, 0
	}
	at := strings.IndexByte(line[1:], ' ') + 1
	if at == 0 || at == len(line)-1 {
		return dst, 0
	}
	left, right := line[:at], line[at+1:]
	if t.pre.raw {
		return append(append(dst, left...), right...), int32(at)
	}
	result, ok := appendBytes(dst, left)
	split = int32(len(result) - len(dst))
	if ok {
		result, ok = appendBytes(result, right)
	}
	if !ok {
		return dst, 0
	}
	return result, split
}

// isToken tells without a look-up that id is the result given; false says nothing.
func (t *bpe) isToken(id int, result []byte) bool {
	return t.index.unique && id >= 0 && id < len(t.index.keys) && t.index.keys[id] == string(result)
}

// pair gives the line of the merge of two neighbours.
func (t *bpe) pair(word string, left, right *symbol) (rank uint32, id int32) {
	if int(right.end-left.start) > t.maxLen {
		return noMerge, -1
	}
	id = t.index.find(word[left.start:right.end])
	if id < 0 {
		return noMerge, -1
	}
	split := left.end - left.start
	for m := t.first[id]; m >= 0; m = t.next[m] {
		if t.split[m] == split {
			return uint32(m), id
		}
	}
	return noMerge, -1
}

func (t *bpe) encode(e *encoder, text string, _ bool) {
	text = sanitize(text)
	if !t.pre.raw {
		t.pre.split(text, func(word string) { e.word(word, t.word) })
		return
	}
	if !t.pre.keepBlanks {
		text = strings.ReplaceAll(text, " ", blank)
	}
	t.pre.split(text, func(line string) {
		// As in SPM, no merge crosses neighbours that are in no result.
		for start := 0; start < len(line); {
			word := line[start:t.within.span(line, start)]
			start += len(word)
			e.word(word, t.word)
		}
	})
}

// word appends the ids of one word of the pre-tokenizer.
func (t *bpe) word(e *encoder, word string) {
	if id := t.whole(word); id >= 0 {
		e.ids = append(e.ids, int(id))
		return
	}
	m := &e.merger
	m.symbols = t.symbols(m.symbols[:0], word)
	m.merge(word, t)
	for _, s := range m.symbols {
		if s.id >= 0 && int(s.id) < len(t.v.texts) {
			e.ids = append(e.ids, int(s.id))
		} else {
			t.spellOut(e, word[s.start:s.end])
		}
	}
}

// whole is the token of a word that is not merged, -1 if it is.
func (t *bpe) whole(word string) int32 {
	if t.pre.wholeWords || t.pre.wholeNewlines && strings.Trim(word, "\n") == "" {
		if id := t.index.find(word); id >= 0 && int(id) < len(t.v.texts) {
			return id
		}
	}
	return -1
}

// symbols appends what merging a word begins with.
func (t *bpe) symbols(dst []symbol, word string) []symbol {
	if !t.pre.raw {
		for i := range len(word) {
			dst = append(dst, symbol{start: int32(i), end: int32(i + 1), id: t.bytes[word[i]]})
		}
		return dst
	}
	for i := 0; i < len(word); {
		_, n := runeAt(word, i)
		dst = append(dst, symbol{start: int32(i), end: int32(i + n), id: t.index.find(word[i : i+n])})
		i += n
	}
	return dst
}

func (t *bpe) trace(w *Word) {
	if t.whole(w.Text) >= 0 {
		w.How = Whole
		return
	}
	w.merge(t.v, t.symbols(nil, w.Text), t, func(m *Merge, rank uint32) { m.Rank = int(rank) })
}

// spellOut appends a part of a word that is no token byte by byte. A byte that
// has no token either is left out, and so is, as in llama.cpp, one that the
// byte alphabet writes as another character than ASCII.
func (t *bpe) spellOut(e *encoder, part string) {
	for _, b := range []byte(part) {
		id := t.bytes[b]
		if id >= 0 && (t.pre.raw || b >= '!' && b <= '~') {
			e.ids = append(e.ids, int(id))
		}
	}
}

func (t *bpe) piece(id int) string {
	a := t.v.attrs[id]
	switch {
	case t.pre.raw && !t.pre.keepBlanks || a&attrNormal == 0 || a&attrSpecial != 0:
		return blankPiece(t.v, id)
	case !t.pre.raw && t.index.keys[id] != "":
		return t.index.keys[id]
	}
	return string(spell(nil, t.v.texts[id]))
}
