package api

import (
	"time"

	"straw/internal/session"
	"straw/tokenizer"
)

// completion is the answer to a chat or a prompt, or one event of it. C is a choice in the form of either.
type completion[C any] struct {
	ID      string   `json:"id"`
	Object  string   `json:"object"`
	Created int64    `json:"created"`
	Model   string   `json:"model"`
	System  string   `json:"system_fingerprint"`
	Choices []C      `json:"choices"`
	Usage   any      `json:"usage,omitempty"` // a *usage; a nil one is null, as in the events before the one that has it
	Timings *timings `json:"timings,omitempty"`
}

// answer is one at work.
type answer[C any] struct {
	c      *call
	m      *Model
	tok    *tokenizer.Tokenizer
	asked  *generation
	head   completion[C] // of every event
	stream *stream       // nil: the answer is sent as a whole
}

// object is what answers of a kind are named: as a whole, their events, and with what their ids begin.
type object struct{ whole, event, id string }

// newAnswer is an answer of which nothing is sent yet; choose makes and ends it.
func newAnswer[C any](s *Server, c *call, m *Model, asked *generation, o object) (*answer[C], error) {
	tok, err := m.Pool.Model().Tokenizer()
	if err != nil {
		return nil, err
	}
	a := &answer[C]{c: c, m: m, tok: tok, asked: asked}
	a.head = completion[C]{ID: random(o.id, 24), Object: o.whole, Created: time.Now().Unix(), Model: m.Name, System: s.o.Version}
	if asked.Stream {
		a.head.Object = o.event
		a.stream = c.openStream()
		if asked.StreamOptions.IncludeUsage {
			a.head.Usage = (*usage)(nil)
		}
	}
	return a, nil
}

// choose has choice make n answers to each prompt, all at once, and sends what it makes.
func (a *answer[C]) choose(prompts []session.Prompt, n int, params session.Params,
	choice func(g generating, prompt session.Prompt, p session.Params) (C, session.Result, error)) error {
	choices := make([]C, n*len(prompts))
	results := make([]session.Result, len(choices))
	err := each(a.c.ctx(), len(choices), func(g generating) (err error) {
		p := params
		p.Sampler.Seed += uint64(g.i % n)
		choices[g.i], results[g.i], err = choice(g, prompts[g.i/n], p)
		return err
	})
	for i := range prompts {
		a.c.heard(results[i*n : (i+1)*n])
	}
	if a.stream != nil {
		if err == nil && a.asked.StreamOptions.IncludeUsage {
			err = a.stream.send(a.all([]C{}, results))
		}
		return a.stream.close(err)
	}
	if err != nil {
		return err
	}
	return a.c.answer(a.all(choices, results))
}

// all is the answer with what is known at its end.
func (a *answer[C]) all(choices []C, results []session.Result) completion[C] {
	e := a.head
	e.Choices, e.Usage, e.Timings = choices, &a.c.usage, timed(&results[0])
	return e
}

// event sends what is new of a choice.
func (a *answer[C]) event(choice C) error {
	e := a.head
	e.Choices = []C{choice}
	return a.stream.send(e)
}

// usage counts tokens as OpenAI does.
type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
	Details    struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

// add counts the answers to one prompt. It counts once, however many these are; what was there of it before is what
// the one who evaluated it found.
func (u *usage) add(answers []session.Result) {
	cached := answers[0].CachedTokens
	for i := range answers {
		u.Completion += len(answers[i].IDs)
		cached = min(cached, answers[i].CachedTokens)
	}
	u.Prompt += answers[0].PromptTokens
	u.Details.Cached += cached
	u.Total = u.Prompt + u.Completion
}

// timings are llama-server's, of one answer.
type timings struct {
	Cached       int     `json:"cache_n"`
	Prompt       int     `json:"prompt_n"` // tokens evaluated
	PromptMS     float64 `json:"prompt_ms"`
	PromptTPS    float64 `json:"prompt_per_second"`
	Predicted    int     `json:"predicted_n"`
	PredictedMS  float64 `json:"predicted_ms"`
	PredictedTPS float64 `json:"predicted_per_second"`
}

func timed(r *session.Result) *timings {
	return &timings{r.CachedTokens, r.PromptTokens - r.CachedTokens, r.PromptTime.Seconds() * 1e3, r.PromptRate(),
		len(r.IDs), r.TokenTime.Seconds() * 1e3, r.Rate()}
}

// finishes are OpenAI's names of why a generation ended.
var finishes = map[string]string{
	session.FinishStop: "stop", session.FinishCalls: "tool_calls", session.FinishLength: "length", session.FinishContext: "length",
}
