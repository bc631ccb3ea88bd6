package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// piece is Piece without a copy. An id outside the vocabulary has no bytes.
func (t *Tokenizer) piece(id int, special bool) string {
	if id < 0 || id >= t.Size() || t.v.attrs[id]&attrHidden != 0 && !special {
		return ""
	}
	return t.model.piece(id)
}

// Piece is the bytes of one token, which may be a part of a UTF-8 character.
// Control and unknown tokens have none unless special is set.
func (t *Tokenizer) Piece(id int, special bool) []byte {
	return []byte(t.piece(id, special))
}

// Decode is the text of ids as a whole: the pieces, without the space that
// encoding put before the first one (where the first token is none, such as
// BOS, the space stays, as in llama.cpp), and with spaces cleaned up where the
// model does so.
func (t *Tokenizer) Decode(ids []int, special bool) []byte {
	var text []byte
	for i, id := range ids {
		piece := t.piece(id, special)
		if i == 0 && t.v.spacePrefix {
			piece = strings.TrimPrefix(piece, " ")
		}
		text = append(text, piece...)
	}
	if t.v.cleanSpaces {
		text = cleanSpaces(text)
	}
	return text
}

// cleanSpaces removes the space before ? ! . and , those around a lone
// apostrophe, and that before 's 'm 're and 've: in three passes, in place.
func cleanSpaces(text []byte) []byte {
	text = rewrite(text, func(text []byte, i int) (before, after bool) {
		c := text[i]
		return c == '?' || c == '!' || c == '.' || c == ',', false
	})
	text = rewrite(text, func(text []byte, i int) (before, after bool) {
		lone := text[i] == '\'' && i+1 < len(text) && text[i+1] == ' '
		return lone, lone
	})
	return rewrite(text, func(text []byte, i int) (before, after bool) {
		if text[i] != '\'' {
			return false, false
		}
		rest := text[i+1:]
		return len(rest) > 0 && (rest[0] == 's' || rest[0] == 'm') ||
			len(rest) > 1 && rest[1] == 'e' && (rest[0] == 'r' || rest[0] == 'v'), false
	})
}

// rewrite asks drop at each byte after a space whether that space goes, and the
// one after the byte with it.
func rewrite(text []byte, drop func(text []byte, i int) (before, after bool)) []byte {
	out := text[:0]
	spaced := false // the byte before is a space
	for i := 0; i < len(text); i++ {
		c, after := text[i], false
		if spaced {
			var before bool
			if before, after = drop(text, i); before {
				out = out[:len(out)-1]
			}
		}
		out = append(out, c)
		spaced = c == ' '
		if after {
			i++
		}
	}
	return out
}

// Decoder turns a stream of tokens into text: each piece as it is, without the
// clean-up of Decode, which needs the whole. Not for concurrent use.
type Decoder struct {
	t       *Tokenizer
	special bool
	held    []byte // the beginning of a character
}

// NewDecoder begins a stream.
func (t *Tokenizer) NewDecoder(special bool) *Decoder {
	return &Decoder{t: t, special: special}
}

// Push is the text that token id completes: valid UTF-8, with U+FFFD for bytes
// that are none. The beginning of a character is held back until its end.
func (d *Decoder) Push(id int) string {
	d.held = append(d.held, d.t.piece(id, d.special)...)
	n := len(d.held) - incomplete(d.held)
	text := string(d.held[:n])
	d.held = append(d.held[:0], d.held[n:]...)
	return valid(text)
}

// Flush is what is still held back, as U+FFFD; "" mostly.
func (d *Decoder) Flush() string {
	text := string(d.held)
	d.held = d.held[:0]
	return valid(text)
}

// valid replaces each byte of s that is not UTF-8 by U+FFFD.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// incomplete is how many bytes at the end of b begin a character that is not
// complete, 0 to 3.
func incomplete(b []byte) int {
	for n := 1; n <= min(3, len(b)); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}
