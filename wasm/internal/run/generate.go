package run

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"straw/engine/grammar"
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
	how, err := params(p)
	if err != nil {
		return worker.Reply{}, err
	}
	what, err := prompt(p)
	if err != nil {
		return worker.Reply{}, err
	}
	result, err := m.Generate(ctx, what, how, func(piece session.Piece) error {
		g := generated(&piece)
		if how.Logprobs && piece.ID >= 0 {
			g.Logprob, g.Top = new(finite(piece.Logprob)), top(m, piece.Top)
		}
		c.Event("piece", g)
		return nil
	})
	err = faulty(p, err)
	l := last(&result)
	if what.Messages != nil {
		l.Message = assistant(&result)
	}
	if ctx.Err() != nil {
		l.FinishReason = "aborted"
		c.Event("last", l)
	}
	return worker.Reply{Result: l}, err
}

// params fills in what the caller left out with the defaults of `straw run`, and reads the grammar.
func params(p *protocol.Generate) (how session.Params, err error) {
	d := sample.Default()
	how = session.Params{
		MaxTokens:   or(p.MaxTokens, -1),
		Stop:        p.Stop,
		Logprobs:    p.Logprobs != nil,
		TopLogprobs: or(p.Logprobs, 0),
		Sampler: sample.Params{
			Temperature:      or(p.Temperature, d.Temperature),
			TopK:             or(p.TopK, d.TopK),
			TopP:             or(p.TopP, d.TopP),
			MinP:             or(p.MinP, d.MinP),
			Typical:          or(p.Typical, d.Typical),
			TopNSigma:        or(p.TopNSigma, d.TopNSigma),
			RepeatPenalty:    or(p.RepeatPenalty, d.RepeatPenalty),
			RepeatLastN:      or(p.RepeatLastN, d.RepeatLastN),
			PresencePenalty:  or(p.PresencePenalty, d.PresencePenalty),
			FrequencyPenalty: or(p.FrequencyPenalty, d.FrequencyPenalty),
			XTCThreshold:     d.XTCThreshold,
			DRY:              d.DRY,
			Seed:             or(p.Seed, seed()),
		},
	}
	if how.OnFull, err = policy(p.OnFull); err != nil {
		return how, err
	}
	s := &how.Sampler
	if x := p.XTC; x != nil {
		s.XTCProbability, s.XTCThreshold = x.Probability, or(x.Threshold, d.XTCThreshold)
	}
	if x := p.DRY; x != nil {
		s.DRY = sample.DRY{Multiplier: x.Multiplier, Base: or(x.Base, d.DRY.Base), AllowedLength: or(x.AllowedLength, d.DRY.AllowedLength), LastN: or(x.LastN, d.DRY.LastN)}
		how.Breakers = x.Breakers
	}
	if x := p.Mirostat; x != nil {
		s.Mirostat, s.MirostatTau, s.MirostatEta = true, or(x.Tau, d.MirostatTau), or(x.Eta, d.MirostatEta)
	}
	for _, id := range slices.Sorted(maps.Keys(p.LogitBias)) {
		s.Bias = append(s.Bias, sample.Bias{ID: id, Value: p.LogitBias[id]})
	}
	switch {
	case p.Grammar != nil:
		how.Grammar, err = grammar.Parse(*p.Grammar)
	case p.JSONSchema != nil:
		how.Grammar, err = grammar.FromSchema(p.JSONSchema)
	}
	return how, faulty(p, err)
}

func policy(name string) (session.FullPolicy, error) {
	switch name {
	case "", "stop":
		return session.FullStop, nil
	case "shift":
		return session.FullShift, nil
	}
	return 0, argument("onFull", "onFull %q: stop or shift", name)
}

// options are the caller's names of the parameters of package sample that are not the same but for their first letter.
var options = map[string]string{
	"XTCProbability": "xtc.probability", "XTCThreshold": "xtc.threshold", "MirostatTau": "mirostat.tau", "MirostatEta": "mirostat.eta", "Bias": "logitBias",
	"DRY.Multiplier": "dry.multiplier", "DRY.Base": "dry.base", "DRY.AllowedLength": "dry.allowedLength", "DRY.LastN": "dry.lastN",
}

// faulty gives an error of an option the caller's name of it.
func faulty(p *protocol.Generate, err error) error {
	if e, ok := errors.AsType[*sample.ParamError](err); ok {
		name := options[e.Param]
		if name == "" {
			name = strings.ToLower(e.Param[:1]) + e.Param[1:]
		}
		return argument(name, "%s %v: %s is needed", name, e.Value, e.Want)
	}
	if e, ok := errors.AsType[*grammar.Error](err); ok {
		name := "grammar"
		if p.JSONSchema != nil {
			name = "jsonSchema"
		}
		return argument(name, "%s: %v", name, e)
	}
	return err
}

// finite is a number that JSON can write, for one that is not above 0.
func finite(x float32) float32 { return max(x, -9999) }

func top(m *session.Model, list []sample.Logprob) []protocol.Logprob {
	tok, err := m.Tokenizer()
	out := make([]protocol.Logprob, len(list))
	for i, l := range list {
		out[i] = protocol.Logprob{ID: l.ID, Logprob: finite(l.Logprob)}
		if err == nil {
			out[i].Piece = tok.Piece(l.ID, true)
		}
	}
	return out
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
