package api

import (
	"strings"
	"unicode/utf8"

	"straw/chat/reply"
	"straw/engine/sample"
	"straw/internal/session"
	"straw/tokenizer"
)

// usage counts tokens as OpenAI does.
type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
	Details    struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

func (u *usage) add(r *session.Result) {
	u.Prompt += r.PromptTokens
	u.Completion += len(r.IDs)
	u.Total = u.Prompt + u.Completion
	u.Details.Cached += r.CachedTokens
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

// toolCall is one in an answer; Index is there in streams alone.
type toolCall struct {
	Index    *int     `json:"index,omitempty"`
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

func newToolCall(c *reply.Call) toolCall {
	return toolCall{ID: c.ID, Type: "function", Function: function{c.Name, c.Arguments}}
}

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
