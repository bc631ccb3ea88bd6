package api

import (
	"encoding/json"
	"time"

	"straw/internal/session"
	"straw/tokenizer"
)

// textRequest is the body of /v1/completions.
type textRequest struct {
	generation
	Prompt   json.RawMessage `json:"prompt"`
	Logprobs *int            `json:"logprobs"`
	Echo     bool            `json:"echo"`
	Suffix   string          `json:"suffix"`
	BestOf   *int            `json:"best_of"`
}

type textChoice struct {
	Index    int           `json:"index"`
	Text     string        `json:"text"`
	Logprobs *textLogprobs `json:"logprobs"`
	Finish   *string       `json:"finish_reason"`
}

// textLogprobs are the older form of logprobs: lists side by side.
type textLogprobs struct {
	Tokens   []string             `json:"tokens"`
	Logprobs []float32            `json:"token_logprobs"`
	Top      []map[string]float32 `json:"top_logprobs"`
	Offsets  []int                `json:"text_offset"` // bytes of the answer before
}

func (l *textLogprobs) add(tok *tokenizer.Tokenizer, p *session.Piece) {
	t := logprobsOf(tok, p)
	offset := 0
	if n := len(l.Tokens); n > 0 {
		offset = l.Offsets[n-1] + len(l.Tokens[n-1])
	}
	top := map[string]float32{}
	for _, other := range *t.Top {
		top[other.Token] = other.Logprob
	}
	l.Tokens, l.Logprobs, l.Top = append(l.Tokens, t.Token), append(l.Logprobs, t.Logprob), append(l.Top, top)
	l.Offsets = append(l.Offsets, offset)
}

// from is what of them came after the first n.
func (l *textLogprobs) from(n int) *textLogprobs {
	return &textLogprobs{l.Tokens[n:], l.Logprobs[n:], l.Top[n:], l.Offsets[n:]}
}

// textAnswer is what is being answered to prompts.
type textAnswer struct {
	tok    *tokenizer.Tokenizer
	head   completion[textChoice] // of every event
	stream *stream                // nil: the answer is sent as a whole
}

// complete answers POST /v1/completions.
func (s *Server) complete(c *call) error {
	var q textRequest
	if err := c.read(&q); err != nil {
		return err
	}
	m, err := s.model(q.Model)
	if err != nil {
		return err
	}
	c.model = m.Name
	params, err := q.read()
	if err != nil {
		return err
	}
	prompts, err := prompts("prompt", q.Prompt)
	if err != nil {
		return err
	}
	n, err := q.choices(len(prompts))
	if err != nil {
		return err
	}
	a := textAnswer{head: completion[textChoice]{ID: random("cmpl-", 24), Object: "text_completion", Created: time.Now().Unix(),
		Model: m.Name, System: s.o.Version}}
	if a.tok, err = m.Pool.Model().Tokenizer(); err != nil {
		return err
	}
	if q.Stream {
		a.stream = c.openStream()
	}
	choices := make([]textChoice, n*len(prompts))
	results := make([]session.Result, len(choices))
	err = each(c.ctx(), len(choices), func(g generating) (err error) {
		p := params
		p.Sampler.Seed += uint64(g.i % n)
		choices[g.i], results[g.i], err = a.choice(g, m, prompts[g.i/n], p)
		return err
	})
	prompt, cached := 0, 0
	for i := range results {
		c.heard(&results[i])
		if i%n == 0 { // a prompt counts once, however many answers it has
			prompt, cached = prompt+results[i].PromptTokens, cached+results[i].CachedTokens
		}
	}
	c.usage.Prompt, c.usage.Details.Cached, c.usage.Total = prompt, cached, prompt+c.usage.Completion
	if a.stream != nil {
		if err == nil && q.StreamOptions.IncludeUsage {
			last := a.head
			last.Choices, last.Usage, last.Timings = []textChoice{}, &c.usage, timed(&results[0])
			err = a.stream.send(last)
		}
		return a.stream.close(err)
	}
	if err != nil {
		return err
	}
	a.head.Choices, a.head.Usage, a.head.Timings = choices, &c.usage, timed(&results[0])
	return c.answer(a.head)
}

// read is what the request asks for.
func (q *textRequest) read() (p session.Params, err error) {
	switch {
	case q.Echo:
		return p, bad("echo", "prompts are not repeated: leave it out")
	case q.Suffix != "":
		return p, bad("suffix", "text is continued, not filled in: leave it out")
	case q.BestOf != nil && *q.BestOf != 1 && (q.N == nil || *q.BestOf != *q.N):
		return p, bad("best_of", "answers are not chosen among: leave it out, or make it n")
	case q.Logprobs != nil && (*q.Logprobs < 0 || *q.Logprobs > maxTop):
		return p, bad("logprobs", "%d: 0 to %d are possible", *q.Logprobs, maxTop)
	}
	if p, err = q.session(); err == nil && q.Logprobs != nil {
		p.Logprobs, p.TopLogprobs = true, *q.Logprobs
	}
	return p, err
}

// prompts reads a text, a list of texts, token ids, or a list of these.
func prompts(param string, raw json.RawMessage) ([]session.Prompt, error) {
	const want = "a text, a list of texts, token ids, or a list of lists of these is needed"
	var list []json.RawMessage
	if len(raw) > 0 && raw[0] == '"' {
		list = []json.RawMessage{raw}
	} else if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
		return nil, bad(param, want)
	}
	var ids []int
	if json.Unmarshal(raw, &ids) == nil {
		return []session.Prompt{{IDs: ids}}, nil
	}
	out := make([]session.Prompt, len(list))
	for i, raw := range list {
		p := &out[i]
		if raw[0] == '"' {
			if err := json.Unmarshal(raw, &p.Text); err != nil {
				return nil, bad(param, want)
			}
		} else if json.Unmarshal(raw, &p.IDs) != nil || len(p.IDs) == 0 {
			return nil, bad(param, want)
		}
	}
	return out, nil
}

// choice generates one answer, and sends it piece by piece if it is streamed.
func (a *textAnswer) choice(g generating, m *Model, prompt session.Prompt, p session.Params) (textChoice, session.Result, error) {
	out := textChoice{Index: g.i}
	if p.Logprobs {
		out.Logprobs = &textLogprobs{[]string{}, []float32{}, []map[string]float32{}, []int{}}
	}
	told := 0 // logprobs
	send := func(text string, finish *string) error {
		e, choice := a.head, textChoice{Index: g.i, Text: text, Finish: finish}
		if p.Logprobs && told < len(out.Logprobs.Tokens) {
			choice.Logprobs = out.Logprobs.from(told)
			told = len(out.Logprobs.Tokens)
		}
		e.Choices = []textChoice{choice}
		return a.stream.send(e)
	}
	r, err := m.Pool.Generate(g.ctx, prompt, p, func(piece session.Piece) error {
		if p.Logprobs && piece.ID >= 0 {
			out.Logprobs.add(a.tok, &piece)
		}
		if a.stream == nil || piece.Text == "" {
			return nil
		}
		return send(piece.Text, nil)
	})
	if err != nil {
		return out, r, err
	}
	finish := finishes[r.FinishReason]
	out.Text, out.Finish = r.Text, &finish
	if a.stream != nil {
		return out, r, send("", out.Finish)
	}
	return out, r, nil
}
