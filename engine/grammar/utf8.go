package grammar

import "unicode/utf8"

// place is where a text of bytes has led to: a state, and the first bytes of a character that is not whole yet.
type place struct {
	at      *state
	partial [utf8.UTFMax]byte
	n       int8
}

// feed goes on by a byte. false: no text goes on like that; the place is of no use then.
func (p *place) feed(b byte) bool {
	if p.n == 0 && b < utf8.RuneSelf {
		p.at = p.at.step(p.at.m.g.ascii[b])
		return p.at != nowhere
	}
	p.partial[p.n] = b
	p.n++
	bytes := p.partial[:p.n]
	if !utf8.FullRune(bytes) {
		return p.possible()
	}
	r, size := utf8.DecodeRune(bytes)
	if r == utf8.RuneError && size != 3 {
		return false
	}
	p.n = 0
	p.at = p.at.step(p.at.m.g.class(r))
	return p.at != nowhere
}

// possible tells whether a character that begins like the partial one may come.
func (p *place) possible() bool {
	lo, hi := p.bounds()
	if lo > hi {
		return false
	}
	g := p.at.m.g
	first, last := g.class(lo), g.class(hi)
	for _, it := range p.at.items {
		if o := &g.ops[it.pc]; o.set != nil && o.overlaps(first, last) {
			return true
		}
	}
	return false
}

// bounds are the least and the largest character that can begin like the partial one, which utf8.FullRune called a
// beginning. Surrogates may lie between, but never at both ends.
func (p *place) bounds() (lo, hi rune) {
	b := p.partial[0]
	length, value := 2, rune(b&0x1f)
	least := rune(0x80)
	switch {
	case b >= 0xf0:
		length, value, least = 4, rune(b&7), 0x10000
	case b >= 0xe0:
		length, value, least = 3, rune(b&15), 0x800
	}
	for _, b := range p.partial[1:p.n] {
		value = value<<6 | rune(b&0x3f)
	}
	more := 6 * (length - int(p.n))
	lo, hi = max(value<<more, least), min(value<<more|(1<<more-1), utf8.MaxRune)
	if lo >= 0xd800 && lo <= 0xdfff {
		lo = 0xe000
	}
	if hi >= 0xd800 && hi <= 0xdfff {
		hi = 0xd7ff
	}
	return lo, hi
}
