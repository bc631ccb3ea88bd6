package api

import (
	"encoding/json"

	"straw/chat/reply"
	"straw/internal/session"
)

// chatRequest is the body of /v1/chat/completions.
type chatRequest struct {
	conversation
	generation
	ToolChoice  json.RawMessage `json:"tool_choice"`
	Logprobs    bool            `json:"logprobs"`
	TopLogprobs int             `json:"top_logprobs"`
	Format      struct {
		Type   string `json:"type"`
		Schema struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
		Plain json.RawMessage `json:"schema"` // llama-server's, of json_object
	} `json:"response_format"`
	Functions  json.RawMessage `json:"functions"`
	Modalities []string        `json:"modalities"`
}

// chatMessage is the assistant's, whole or a part of it. Content is null where there are calls alone.
type chatMessage struct {
	Role      string     `json:"role,omitempty"`
	Content   *string    `json:"content"`
	Reasoning string     `json:"reasoning_content,omitempty"`
	Calls     []toolCall `json:"tool_calls,omitempty"`
}

// delta is what a stream adds to a message.
type delta struct {
	Role      string     `json:"role,omitempty"`
	Content   *string    `json:"content,omitempty"`
	Reasoning string     `json:"reasoning_content,omitempty"`
	Calls     []toolCall `json:"tool_calls,omitempty"`
}

type chatLogprobs struct {
	Content []tokenLogprob `json:"content"`
}

type chatChoice struct {
	Index    int           `json:"index"`
	Message  *chatMessage  `json:"message,omitempty"`
	Delta    *delta        `json:"delta,omitempty"`
	Logprobs *chatLogprobs `json:"logprobs"`
	Finish   *string       `json:"finish_reason"`
}

// chatAnswer is what is being answered to a chat.
type chatAnswer struct {
	*answer[chatChoice]
	forced bool // the text is the JSON of a call
}

// chat answers POST /v1/chat/completions.
func (s *Server) chat(c *call) error {
	var q chatRequest
	if err := c.read(&q); err != nil {
		return err
	}
	m, err := s.model(q.Model)
	if err != nil {
		return err
	}
	c.model = m.Name
	prompt, params, forced, err := q.read()
	if err != nil {
		return err
	}
	n, err := q.choices(1)
	if err != nil {
		return err
	}
	a := chatAnswer{forced: forced}
	if a.answer, err = newAnswer[chatChoice](s, c, m, &q.generation, object{"chat.completion", "chat.completion.chunk", "chatcmpl-"}); err != nil {
		return err
	}
	return a.choose([]session.Prompt{prompt}, n, params, a.choice)
}

// read is what the request asks for. forced tells that the text is to be the JSON of a call.
func (q *chatRequest) read() (prompt session.Prompt, p session.Params, forced bool, err error) {
	switch {
	case len(q.Functions) > 0 && q.Functions[0] != 'n':
		return prompt, p, false, bad("functions", "it is out of date: give tools")
	case len(q.Modalities) > 1 || len(q.Modalities) == 1 && q.Modalities[0] != "text":
		return prompt, p, false, bad("modalities", "only text is possible")
	case q.TopLogprobs < 0 || q.TopLogprobs > maxTop:
		return prompt, p, false, bad("top_logprobs", "%d: 0 to %d are possible", q.TopLogprobs, maxTop)
	case q.TopLogprobs > 0 && !q.Logprobs:
		return prompt, p, false, bad("top_logprobs", "it needs logprobs")
	}
	if prompt, err = q.prompt(); err != nil {
		return prompt, p, false, err
	}
	if p, err = q.session(); err != nil {
		return prompt, p, false, err
	}
	p.Logprobs, p.TopLogprobs = q.Logprobs, q.TopLogprobs
	choice, err := parseToolChoice(q.ToolChoice)
	if err != nil {
		return prompt, p, false, err
	}
	if choice.mode == "none" {
		prompt.Tools = nil
	}
	if err := q.hold(&p); err != nil {
		return prompt, p, false, err
	}
	if p.Grammar != nil && len(prompt.Tools) > 0 {
		return prompt, p, false, bad("response_format", `an answer that is held to a form cannot call tools: leave it out, or give "tool_choice": "none"`)
	}
	if choice.mode == "required" {
		text, err := choice.forced(prompt.Tools)
		if err != nil {
			return prompt, p, false, err
		}
		if p.Grammar, err = schema("tools", text); err != nil {
			return prompt, p, false, err
		}
		forced = true
	}
	return prompt, p, forced, nil
}

// hold holds the answer to response_format.
func (q *chatRequest) hold(p *session.Params) (err error) {
	f := &q.Format
	if f.Type != "" && f.Type != "text" && p.Grammar != nil {
		return bad("response_format", "it excludes grammar and json_schema")
	}
	switch f.Type {
	case "", "text":
	case "json_object":
		text := []byte(f.Plain)
		if len(text) == 0 {
			text = []byte(`{"type": "object"}`)
		}
		p.Grammar, err = schema("response_format.schema", text)
	case "json_schema":
		if len(f.Schema.Schema) == 0 {
			return bad("response_format.json_schema.schema", "it is missing")
		}
		p.Grammar, err = schema("response_format.json_schema.schema", f.Schema.Schema)
	default:
		return bad("response_format.type", "%q: text, json_object or json_schema is needed", f.Type)
	}
	return err
}

// choice generates one answer, and sends it piece by piece if it is streamed.
func (a *chatAnswer) choice(g generating, prompt session.Prompt, p session.Params) (chatChoice, session.Result, error) {
	out := chatChoice{Index: g.i}
	if p.Logprobs {
		out.Logprobs = &chatLogprobs{Content: []tokenLogprob{}}
	}
	w := chatStream{a: a, index: g.i}
	r, err := a.m.Pool.Generate(g.ctx, prompt, p, func(piece session.Piece) error {
		if p.Logprobs && piece.ID >= 0 {
			out.Logprobs.Content = append(out.Logprobs.Content, logprobsOf(a.tok, &piece))
			w.logprobs = out.Logprobs.Content[w.told:]
		}
		if a.stream == nil {
			return nil
		}
		return w.piece(&piece)
	})
	if err != nil {
		return out, r, err
	}
	if a.forced {
		if err := force(&r); err != nil {
			return out, r, err
		}
	}
	finish := finishes[r.FinishReason]
	out.Finish = &finish
	if a.stream != nil {
		return out, r, w.end(&r, out.Finish)
	}
	out.Message = &chatMessage{Role: "assistant", Content: &r.Text, Reasoning: r.Reasoning}
	for i := range r.Calls {
		out.Message.Calls = append(out.Message.Calls, newToolCall(&r.Calls[i]))
	}
	if r.Text == "" && len(r.Calls) > 0 {
		out.Message.Content = nil
	}
	return out, r, nil
}

// force makes the text of a forced call that call. One that was cut short stays text.
func force(r *session.Result) error {
	if r.FinishReason != session.FinishStop {
		return nil
	}
	var called struct {
		Name      string
		Arguments json.RawMessage
	}
	if err := json.Unmarshal([]byte(r.Text), &called); err != nil {
		return err
	}
	r.Calls = []reply.Call{{ID: callID(), Name: called.Name, Arguments: string(called.Arguments)}}
	r.Text, r.FinishReason = "", session.FinishCalls
	return nil
}

// callID is of nine letters and digits, all that Mistral's templates take.
func callID() string { return random("", 10)[:9] }

// chatStream sends one choice.
type chatStream struct {
	a        *chatAnswer
	index    int
	begun    bool
	logprobs []tokenLogprob // that were not told yet
	told     int
	call     reply.Call // that is being written; it is sent when it is complete, for until then it may be none
	calls    int
}

func (w *chatStream) piece(p *session.Piece) error {
	if !w.begun {
		w.begun = true
		empty := ""
		if err := w.send(&delta{Role: "assistant", Content: &empty}, nil); err != nil {
			return err
		}
	}
	if w.a.forced {
		return nil
	}
	if p.Events == nil {
		if p.Text == "" {
			return nil
		}
		return w.send(&delta{Content: &p.Text}, nil)
	}
	for i := range p.Events {
		if d := w.event(&p.Events[i]); d != nil {
			if err := w.send(d, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// event is what a stream adds for an event, nil for nothing yet.
func (w *chatStream) event(e *reply.Event) *delta {
	switch e.Kind {
	case reply.Content:
		return &delta{Content: &e.Text}
	case reply.Reasoning:
		return &delta{Reasoning: e.Text}
	case reply.Begin:
		w.call = reply.Call{ID: e.ID, Name: e.Name}
	case reply.Arguments:
		w.call.Arguments += e.Text
	case reply.End:
		w.call.ID = e.ID
		return w.called(&w.call)
	}
	return nil
}

func (w *chatStream) called(c *reply.Call) *delta {
	t := newToolCall(c)
	index := w.calls
	t.Index = &index
	w.calls++
	return &delta{Calls: []toolCall{t}}
}

// end tells why the choice ended, and what waited for that.
func (w *chatStream) end(r *session.Result, finish *string) error {
	if !w.begun {
		if err := w.piece(&session.Piece{}); err != nil {
			return err
		}
	}
	if w.a.forced {
		d := &delta{Content: &r.Text}
		if len(r.Calls) > 0 {
			d = w.called(&r.Calls[0])
		}
		if err := w.send(d, nil); err != nil {
			return err
		}
	}
	return w.send(&delta{}, finish)
}

func (w *chatStream) send(d *delta, finish *string) error {
	choice := chatChoice{Index: w.index, Delta: d, Finish: finish}
	if len(w.logprobs) > 0 && d.Role == "" {
		choice.Logprobs = &chatLogprobs{w.logprobs}
		w.told += len(w.logprobs)
		w.logprobs = nil
	}
	return w.a.event(choice)
}
