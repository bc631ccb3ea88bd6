package session

import (
	"strings"

	"straw/tokenizer"
)

// writer turns tokens into text that is certain: whole characters, and no beginning of a stop text.
type writer struct {
	dec   *tokenizer.Decoder
	stop  []string
	yield func(Piece) error
	held  string // decoded, but perhaps the beginning of a stop text
	text  strings.Builder
	apart *apart // nil: the text is the answer
}

func newWriter(tok *tokenizer.Tokenizer, stop []string, yield func(Piece) error) *writer {
	w := &writer{yield: yield}
	if tok != nil {
		w.dec = tok.NewDecoder(false)
	}
	for _, s := range stop {
		if s != "" {
			w.stop = append(w.stop, s)
		}
	}
	return w
}

// takeApart makes the text the source of answer, thoughts and calls.
func (w *writer) takeApart(a *apart) {
	w.apart = a
	w.dec = a.tok.NewDecoder(true)
}

// push adds a token's piece, whose text it sets, and tells whether a stop text is complete.
func (w *writer) push(p Piece) (bool, error) {
	if w.dec == nil {
		return false, w.emit(p, "")
	}
	if w.apart == nil || !w.apart.hides(p.ID) {
		w.held += w.dec.Push(p.ID)
	}
	if i := w.stopAt(); i >= 0 {
		text := w.held[:i]
		w.held, w.dec = "", nil
		return true, w.emit(p, text)
	}
	n := len(w.held) - w.pending()
	text := w.held[:n]
	w.held = w.held[n:]
	return false, w.emit(p, text)
}

// flush gives out what was held back; a character that never became whole is replaced as the decoder says.
func (w *writer) flush() error {
	if w.dec != nil {
		w.held += w.dec.Flush()
		if i := w.stopAt(); i >= 0 {
			w.held = w.held[:i]
		}
	}
	var err error
	if w.held != "" {
		err = w.emit(Piece{ID: -1}, w.held)
		w.held = ""
	}
	if w.apart == nil {
		return err
	}
	p := Piece{ID: -1}
	if w.apart.close(&p); len(p.Events) > 0 && err == nil {
		err = w.tell(p)
	}
	return err
}

// emit hands out a piece with the text that has become certain.
func (w *writer) emit(p Piece, text string) error {
	if p.Text = text; w.apart != nil {
		w.apart.push(&p, text)
	}
	return w.tell(p)
}

func (w *writer) tell(p Piece) error {
	w.text.WriteString(p.Text)
	if w.yield == nil {
		return nil
	}
	return w.yield(p)
}

// stopAt is where the first stop text in held begins, -1 if none is there.
func (w *writer) stopAt() int {
	at := -1
	for _, s := range w.stop {
		if i := strings.Index(w.held, s); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	return at
}

// pending is the length of the longest end of held that begins a stop text.
func (w *writer) pending() int {
	longest := 0
	for _, s := range w.stop {
		for n := min(len(s)-1, len(w.held)); n > longest; n-- {
			if strings.HasSuffix(w.held, s[:n]) {
				longest = n
				break
			}
		}
	}
	return longest
}
