package api

import (
	"strings"
	"unicode/utf8"

	"straw/engine/sample"
	"straw/internal/session"
	"straw/tokenizer"
)

// tokenLogprob is a token with the logarithm of its probability.
type tokenLogprob struct {
	Token   string          `json:"token"`
	Logprob float32         `json:"logprob"`
	Bytes   []int           `json:"bytes"`
	Top     *[]tokenLogprob `json:"top_logprobs,omitempty"`
}

// least is the logarithm of a probability of 0, which JSON has no infinity for; OpenAI's.
const least = -9999

func logprobOf(tok *tokenizer.Tokenizer, l sample.Logprob) tokenLogprob {
	piece := tok.Piece(l.ID, true)
	out := tokenLogprob{Token: string(piece), Logprob: max(l.Logprob, least), Bytes: make([]int, len(piece))}
	if !utf8.Valid(piece) {
		out.Token = strings.ToValidUTF8(out.Token, "\uFFFD")
	}
	for i, b := range piece {
		out.Bytes[i] = int(b)
	}
	return out
}

// logprobsOf are those of a piece: of its token, with the likeliest.
func logprobsOf(tok *tokenizer.Tokenizer, p *session.Piece) tokenLogprob {
	out := logprobOf(tok, sample.Logprob{ID: p.ID, Logprob: p.Logprob})
	top := make([]tokenLogprob, len(p.Top))
	for i, l := range p.Top {
		top[i] = logprobOf(tok, l)
	}
	out.Top = &top
	return out
}

// textLogprobs are the older form of logprobs: lists side by side.
type textLogprobs struct {
	Tokens   []string             `json:"tokens"`
	Logprobs []float32            `json:"token_logprobs"`
	Top      []map[string]float32 `json:"top_logprobs"`
	Offsets  []int                `json:"text_offset"` // bytes of the answer before

	bytes int // of the answer so far
}

func newTextLogprobs() *textLogprobs {
	return &textLogprobs{Tokens: []string{}, Logprobs: []float32{}, Top: []map[string]float32{}, Offsets: []int{}}
}

func (l *textLogprobs) add(tok *tokenizer.Tokenizer, p *session.Piece) {
	t := logprobsOf(tok, p)
	top := map[string]float32{}
	for _, other := range *t.Top {
		top[other.Token] = other.Logprob
	}
	l.Tokens, l.Logprobs, l.Top = append(l.Tokens, t.Token), append(l.Logprobs, t.Logprob), append(l.Top, top)
	l.Offsets = append(l.Offsets, l.bytes)
	l.bytes += len(t.Bytes)
}

// from is what of them came after the first n.
func (l *textLogprobs) from(n int) *textLogprobs {
	return &textLogprobs{Tokens: l.Tokens[n:], Logprobs: l.Logprobs[n:], Top: l.Top[n:], Offsets: l.Offsets[n:]}
}
