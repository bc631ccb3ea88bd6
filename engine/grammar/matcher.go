package grammar

import (
	"fmt"
	"unicode/utf8"
)

// Matcher holds one text to a grammar, token by token. It is a sample.Constraint, for one goroutine.
type Matcher struct {
	v     *Vocabulary
	m     *machine
	at    place
	path  []place // of the token under trial, by the number of its bytes
	mask  []uint64
	known *state // the state that mask is for, at the beginning of a character
	err   error
}

// Matcher begins a text of the vocabulary's tokens. The error is an *Error: a token of the grammar is not there.
func (g *Grammar) Matcher(v *Vocabulary) (*Matcher, error) {
	ids := make([]int32, len(g.tokens))
	for i, t := range g.tokens {
		id := t.id
		if t.name != "" {
			id = v.find(t.name)
		}
		switch {
		case id < 0:
			return nil, &Error{Line: t.line, Column: t.column, Message: fmt.Sprintf("the model has no token %s", t.name)}
		case id >= len(v.pieces):
			return nil, &Error{Line: t.line, Column: t.column, Message: fmt.Sprintf("the model has no token %d: its last is %d", id, len(v.pieces)-1)}
		}
		ids[i] = int32(id)
	}
	m := newMachine(g, ids)
	return &Matcher{v: v, m: m, at: place{at: m.start()}, mask: make([]uint64, (len(v.pieces)+63)/64)}, nil
}

// Allows tells whether the text may go on with a token. One that ends the generation may come where the text is complete.
func (m *Matcher) Allows(id int) bool {
	m.m.work = 0
	p := m.after(id)
	return p.at != nowhere && !m.failed()
}

// Complete tells whether the text matches the grammar as it is.
func (m *Matcher) Complete() bool { return m.at.n == 0 && m.at.at.accept }

// Done tells whether the text is complete and nothing may follow.
func (m *Matcher) Done() bool { return m.Complete() && len(m.at.at.items) == 0 }

// Accept adds a token to the text. After one that is not allowed, nothing is.
func (m *Matcher) Accept(id int) {
	m.m.work = 0
	m.at = m.after(id)
	m.failed()
}

// Err tells why nothing is allowed any more.
func (m *Matcher) Err() error {
	if m.err != nil {
		return m.err
	}
	return &Error{Message: "the grammar cannot be followed: no token of the model continues the text"}
}

func (m *Matcher) failed() bool {
	if m.m.tired && m.err == nil {
		m.err = &Error{Message: "the grammar is too ambiguous: too many ways to read the text so far"}
	}
	return m.err != nil
}

// after is the place that a token leads to, at nowhere if it may not come.
func (m *Matcher) after(id int) place {
	never := place{at: nowhere}
	if id < 0 || id >= len(m.v.pieces) || m.at.at == nowhere {
		return never
	}
	whole := nowhere
	if len(m.m.ids) > 0 && m.at.n == 0 {
		whole = m.at.at.token(int32(id), m.v.tokens.IsEOG(id))
	}
	piece := m.v.pieces[id]
	if piece == "" {
		if whole == nowhere && m.Complete() && m.v.tokens.IsEOG(id) {
			return place{at: &state{m: m.m, accept: true}}
		}
		return place{at: whole}
	}
	p := m.at
	for i := range len(piece) {
		if !p.feed(piece[i]) {
			return place{at: whole}
		}
	}
	if p.n == 0 {
		p.at = p.at.or(whole)
	}
	return p
}

// Mask has the bits of all tokens that are allowed set. It is valid until the next call.
func (m *Matcher) Mask() []uint64 {
	if m.known != nil && m.known == m.at.at && m.at.n == 0 {
		return m.mask
	}
	m.known = nil
	clear(m.mask)
	if m.failed() || m.at.at == nowhere {
		return m.mask
	}
	m.m.work = 0
	m.walk()
	allow := func(id int32) { m.mask[id>>6] |= 1 << (id & 63) }
	if m.Complete() {
		for _, id := range m.v.enders {
			allow(id)
		}
	}
	for _, it := range m.at.at.items {
		o := &m.m.g.ops[it.pc]
		if o.kind != opToken || m.at.n > 0 {
			continue
		}
		named := m.m.ids[o.token]
		if !m.m.g.tokens[o.token].not {
			allow(named)
			continue
		}
		for id := range int32(len(m.v.pieces)) {
			if id != named && !m.v.tokens.IsEOG(int(id)) {
				allow(id)
			}
		}
	}
	if m.failed() {
		clear(m.mask)
	} else if m.at.n == 0 {
		m.known = m.at.at
	}
	return m.mask
}

// walk tries the texts of all tokens. What begins like one that failed is not tried.
func (m *Matcher) walk() {
	path := append(m.path[:0], m.at)
	ascii := &m.m.g.ascii
	failed := int32(-1) // how many bytes of the last text were followed before it failed
	for i, text := range m.v.texts {
		common := m.v.common[i]
		if failed >= 0 && common > failed {
			continue
		}
		failed = -1
		path = path[:common+1]
		p := path[common]
		for n := int(common); n < len(text); n++ {
			// Mostly it is a character that was tried from here before.
			if b := text[n]; b < utf8.RuneSelf && p.n == 0 && p.at.next != nil && p.at.next[ascii[b]] != nil {
				p.at = p.at.next[ascii[b]]
				if p.at == nowhere {
					failed = int32(n)
					break
				}
			} else if !p.feed(b) {
				failed = int32(n)
				break
			}
			path = append(path, p)
		}
		if failed < 0 {
			id := m.v.order[i]
			m.mask[id>>6] |= 1 << (id & 63)
		}
		if m.m.tired {
			break
		}
	}
	m.path = path
}
