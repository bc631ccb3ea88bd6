package api

import (
	"encoding/json"

	"straw/internal/session"
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
	a, err := newAnswer[textChoice](s, c, m, &q.generation, object{"text_completion", "text_completion", "cmpl-"})
	if err != nil {
		return err
	}
	return a.choose(prompts, n, params, func(g generating, prompt session.Prompt, p session.Params) (textChoice, session.Result, error) {
		return textOf(a, g, prompt, p)
	})
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
	var ids []int
	if json.Unmarshal(raw, &ids) == nil && len(ids) > 0 {
		return []session.Prompt{{IDs: ids}}, nil
	}
	var list []json.RawMessage
	if len(raw) > 0 && raw[0] == '"' {
		list = []json.RawMessage{raw}
	} else if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
		return nil, bad(param, want)
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

// textOf generates one answer, and sends it piece by piece if it is streamed.
func textOf(a *answer[textChoice], g generating, prompt session.Prompt, p session.Params) (textChoice, session.Result, error) {
	out := textChoice{Index: g.i}
	if p.Logprobs {
		out.Logprobs = newTextLogprobs()
	}
	told := 0 // logprobs
	send := func(text string, finish *string) error {
		choice := textChoice{Index: g.i, Text: text, Finish: finish}
		if p.Logprobs && told < len(out.Logprobs.Tokens) {
			choice.Logprobs = out.Logprobs.from(told)
			told = len(out.Logprobs.Tokens)
		}
		return a.event(choice)
	}
	r, err := a.m.Pool.Generate(g.ctx, prompt, p, func(piece session.Piece) error {
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
