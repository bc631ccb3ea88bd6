package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"straw/tokenizer"
)

// FullPolicy says what happens when the context is full.
type FullPolicy uint8

const (
	FullStop  FullPolicy = iota // a longer prompt is refused, a generation ends
	FullShift                   // the oldest is left out: turns of a conversation, or half of a text; the beginning is kept
)

// room is the part of the context, as 1/room, that a prompt which had to be shortened leaves to the answer.
const room = 4

// tooLong says that a prompt does not fit.
func (m *Model) tooLong(ids []int) error {
	return &UsageError{fmt.Sprintf("the prompt has %d tokens, the context %d: ask for a larger context (--ctx) or shorten the prompt", len(ids), m.Context)}
}

// shorten leaves the oldest of a prompt out until it fits and an answer has room: of messages whole turns, from what a
// user says to the next, but none of the system and not the last; of a text or ids, what comes after the first keep
// tokens. Where that is not enough the error is a *UsageError.
func (m *Model) shorten(ctx context.Context, p Prompt, ids []int, text string, keep int) (Prompt, []int, string, error) {
	most := m.Context - m.Context/room
	if p.Messages == nil {
		keep = min(keep, most/2)
		return p, slices.Concat(ids[:keep], ids[len(ids)-(most-keep):]), text, nil
	}
	for len(ids) > most {
		first := firstTurn(p.Messages)
		next := first + 1
		for next < len(p.Messages) && p.Messages[next].Role != "user" {
			next++
		}
		if next >= len(p.Messages) {
			if len(ids) <= m.Context {
				break
			}
			return p, nil, "", m.tooLong(ids)
		}
		p.Messages = slices.Concat(p.Messages[:first], p.Messages[next:])
		var err error
		if ids, text, err = m.encode(ctx, p); err != nil {
			return p, nil, "", err
		}
	}
	return p, ids, text, nil
}

// firstTurn is where the messages of the system end.
func firstTurn(messages []Message) int {
	n := 0
	for n < len(messages) && (messages[n].Role == "system" || messages[n].Role == "developer") {
		n++
	}
	return n
}

// beginning is how many tokens of a prompt are kept whatever else is left out: the first one of a text if the model begins
// its texts so; of messages what comes before the first word of a user.
func (m *Model) beginning(ctx context.Context, p Prompt, ids []int) int {
	tok, err := m.Tokenizer()
	if err != nil {
		return 0
	}
	if bos, ok := tok.BOS(); p.Messages == nil {
		if ok && len(ids) > 0 && ids[0] == bos {
			return 1
		}
		return 0
	}
	n := firstTurn(p.Messages)
	other := "A"
	if n < len(p.Messages) && strings.HasPrefix(p.Messages[n].Content, other) {
		other = "B"
	}
	p.Messages = append(p.Messages[:n:n], Message{Role: "user", Content: other})
	text, err := m.Render(ctx, p)
	if err != nil { // a template that wants something else: then nothing is sure to be the system's
		return 0
	}
	same, at := tok.Encode(text, tokenizer.Options{AddSpecial: true, ParseSpecial: true}), 0
	for at < min(len(same), len(ids)) && same[at] == ids[at] {
		at++
	}
	return at
}

// shift leaves half of what is in the cache out, behind the first keep tokens, and evaluates the rest anew: what follows is
// what would follow if the text had always been so. It is false where nothing can be left out.
func (m *Model) shift(ctx context.Context, keep int) (bool, error) {
	ids := slices.Clone(m.cached)
	keep = min(keep, len(ids)/2)
	drop := (len(ids) - keep + 1) / 2
	if m.Arch.Encoder.Layers > 0 || drop == 0 || keep+drop >= len(ids) {
		return false, nil
	}
	ids = slices.Concat(ids[:keep], ids[keep+drop:])
	kept := m.keep(ids)
	_, err := m.eval(ctx, ids[kept:], false)
	return true, err
}
