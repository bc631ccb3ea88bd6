package session

import (
	"encoding/binary"
	"hash/fnv"
	"strings"

	"straw/chat/reply"
	"straw/tokenizer"
)

// apart takes an answer apart into what it says, what it thinks and which tools it calls.
type apart struct {
	tok    *tokenizer.Tokenizer
	family *reply.Family
	parser *reply.Parser
	prompt uint64   // hash of the prompt's tokens, which call IDs are made from
	ids    []string // of the calls, by number
}

// apart makes one for the answer to a prompt, given its text and its tokens.
func (m *Model) apart(p Prompt, text string, ids []int) (*apart, error) {
	template, err := m.texts.template()
	if err != nil {
		return nil, err
	}
	tok, err := m.Tokenizer()
	if err != nil {
		return nil, err
	}
	f := template.family
	o := reply.Options{Thinking: f.Thinking(text)}
	for _, t := range p.Tools {
		o.Tools = append(o.Tools, reply.Tool{Name: t.Name, Parameters: t.Parameters})
	}
	h := fnv.New64a()
	for _, id := range ids {
		h.Write(binary.LittleEndian.AppendUint32(nil, uint32(id)))
	}
	return &apart{tok: tok, family: f, parser: f.New(o), prompt: h.Sum64()}, nil
}

// hides tells whether a token is not to be part of the answer: a special one that means nothing to the family.
func (a *apart) hides(id int) bool {
	text, typ := a.tok.Token(id)
	return a.tok.IsEOG(id) || (typ == tokenizer.Control || typ == tokenizer.Unknown) && !a.family.Uses(text)
}

// push takes the next text and sets what the piece tells of.
func (a *apart) push(p *Piece, text string) { a.set(p, a.parser.Push(text)) }

// close sets what waited for the end of the answer.
func (a *apart) close(p *Piece) { a.set(p, a.parser.Close()) }

func (a *apart) set(p *Piece, events []reply.Event) {
	var answer strings.Builder
	for i := range events {
		switch e := &events[i]; e.Kind {
		case reply.Content:
			answer.WriteString(e.Text)
		case reply.Begin:
			if e.ID == "" {
				e.ID = a.callID(e.Call)
			}
			a.ids = append(a.ids[:e.Call], e.ID)
		case reply.End:
			e.ID = a.ids[e.Call]
		}
	}
	p.Text, p.Events = answer.String(), events
}

// callID names a call that its model did not: nine letters and digits, all that Mistral's templates take. Calls
// of other prompts have others, and the same generation gives the same.
func (a *apart) callID(call int) string {
	const digits, n = "0123456789abcdefghijklmnopqrstuvwxyz", 9
	h := (a.prompt ^ uint64(call+1)) * 0x9E3779B97F4A7C15
	h ^= h >> 32
	var id [n]byte
	for i := range id {
		id[i] = digits[h%36]
		h /= 36
	}
	return string(id[:])
}

// message is what was thought and called.
func (a *apart) message() (reasoning string, calls []reply.Call) {
	m := a.parser.Message()
	for i := range m.Calls {
		m.Calls[i].ID = a.ids[i]
	}
	return m.Reasoning, m.Calls
}
