package run

import (
	"context"

	"straw/engine/sample"
	"straw/internal/session"
	"straw/wasm/internal/worker"
	"straw/wasm/protocol"
)

func (r *Runner) generate(ctx context.Context, c *worker.Call) (worker.Reply, error) {
	m, err := r.loaded()
	if err != nil {
		return worker.Reply{}, err
	}
	p := c.Params.(*protocol.Generate)
	result, err := m.Generate(ctx, prompt(p), params(p), func(piece session.Piece) error {
		c.Event("piece", &protocol.Generated{ID: piece.ID, Text: piece.Text})
		return nil
	})
	l := last(&result)
	if ctx.Err() != nil {
		l.FinishReason = "aborted"
		c.Event("last", l)
	}
	return worker.Reply{Result: l}, err
}

func prompt(p *protocol.Generate) session.Prompt {
	switch {
	case p.IDs != nil:
		return session.Prompt{IDs: p.IDs}
	case p.Messages != nil:
		messages := make([]session.Message, len(p.Messages))
		for i, m := range p.Messages {
			messages[i] = session.Message(m)
		}
		return session.Prompt{Messages: messages}
	case p.Raw != nil && !*p.Raw:
		return session.Prompt{Messages: []session.Message{{Role: "user", Content: *p.Prompt}}}
	}
	return session.Prompt{Text: *p.Prompt}
}

// params fills in what the caller left out with the defaults of `straw run`.
func params(p *protocol.Generate) session.Params {
	return session.Params{
		MaxTokens: or(p.MaxTokens, -1),
		Stop:      p.Stop,
		Sampler: sample.Params{
			Temperature:   or(p.Temperature, 0.8),
			TopK:          or(p.TopK, 40),
			TopP:          or(p.TopP, 0.95),
			MinP:          or(p.MinP, 0.05),
			RepeatPenalty: or(p.RepeatPenalty, 1),
			RepeatLastN:   or(p.RepeatLastN, 64),
			Seed:          or(p.Seed, seed()),
		},
	}
}

func or[T any](given *T, otherwise T) T {
	if given != nil {
		return *given
	}
	return otherwise
}

func last(r *session.Result) *protocol.Last {
	ids := r.IDs
	if ids == nil {
		ids = []int{}
	}
	return &protocol.Last{
		IDs:                   ids,
		PromptTokens:          r.PromptTokens,
		Tokens:                len(r.IDs),
		PromptTokensPerSecond: r.PromptRate(),
		TokensPerSecond:       r.Rate(),
		TimeToFirstTokenMs:    float64(r.FirstToken.Microseconds()) / 1000,
		BytesRead:             r.BytesRead,
		FinishReason:          r.FinishReason,
	}
}
