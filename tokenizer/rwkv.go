package tokenizer

// rwkv takes the longest token at each place (RWKV World). Its tokens are
// bytes, which the file writes with escapes.
type rwkv struct {
	v      *vocab
	pieces []string // each token's bytes
	trie   *trie
}

func loadRWKV(m Metadata) (*Tokenizer, error) {
	v, err := loadVocab(m, rules{bos: -1, eos: -1, unk: -1, sep: -1})
	if err != nil {
		return nil, err
	}
	v.addBOS, v.addEOS = false, false // whatever the file says
	t := &rwkv{v: v, pieces: make([]string, len(v.texts))}
	for id, text := range v.texts {
		t.pieces[id] = unescape(text)
	}
	t.trie = newTrie(t.pieces, func(int) bool { return true })
	return &Tokenizer{v, t}, nil
}

// encode appends the unknown token, if there is one, for a byte that begins no
// token.
func (t *rwkv) encode(e *encoder, text string, _ bool) {
	for text != "" {
		id, n := t.trie.longest(text)
		if id < 0 {
			id, n = int32(t.v.ids.unk), 1
		}
		if id >= 0 {
			e.ids = append(e.ids, int(id))
			e.note(text[:n], len(e.ids)-1)
		}
		text = text[n:]
	}
}

func (t *rwkv) trace(w *Word) {
	w.How = Longest
	w.Parts = []Part{{Text: w.Text, ID: w.IDs[0]}}
}

func (t *rwkv) piece(id int) string { return t.pieces[id] }

// unescape reads \t, \n, \r and \xHH; a backslash before any other byte is left
// out. Hexadecimal digits are taken as llama.cpp takes them: in lower case, and
// whatever else stands there by its distance from '0' or 'a'. A \x that the text
// cuts short is nothing.
func unescape(text string) string {
	var b []byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '\\' {
			b = append(b, c)
			continue
		}
		if i++; i == len(text) {
			break
		}
		switch c = text[i]; c {
		case 't':
			c = '\t'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 'x':
			if i+2 >= len(text) {
				return string(b)
			}
			c = hexDigit(text[i+1])<<4 + hexDigit(text[i+2])
			i += 2
		}
		b = append(b, c)
	}
	return string(b)
}

func hexDigit(c byte) byte {
	if c >= 'a' && c < 0x80 {
		return c - 'a' + 10
	}
	return c - '0'
}
