package run

import (
	"context"

	"straw/chat"
	"straw/internal/doctor"
	"straw/internal/session"
	"straw/wasm/internal/worker"
	"straw/wasm/protocol"
)

// renderTemplate needs no weights.
func (r *Runner) renderTemplate(ctx context.Context, c *worker.Call) (worker.Reply, error) {
	p := c.Params.(*protocol.RenderTemplate)
	f, err := r.File()
	if err != nil {
		return worker.Reply{}, err
	}
	var t *session.Template
	if p.Template != nil {
		t, err = session.TemplateOf(f, *p.Template)
	} else {
		t, err = r.template()
	}
	if err != nil {
		return worker.Reply{}, err
	}
	what := chat.Conversation{AddGenerationPrompt: p.AddGenerationPrompt == nil || *p.AddGenerationPrompt}
	if what.Extra, err = variables(p.Variables); err != nil {
		return worker.Reply{}, err
	}
	if what.Messages, err = chat.DecodeJSON(p.Messages); err != nil {
		return worker.Reply{}, argument("messages", "messages: %v", err)
	}
	if p.Tools != nil {
		if what.Tools, err = chat.DecodeJSON(p.Tools); err != nil {
			return worker.Reply{}, argument("tools", "tools: %v", err)
		}
	}
	text, err := t.Render(ctx, what, chat.Options{})
	return worker.Reply{Result: protocol.Text{Text: text}}, err
}

func (r *Runner) openTemplate() (*session.Template, error) {
	f, err := r.File()
	if err != nil {
		return nil, err
	}
	return session.OpenTemplate(f)
}

// examine needs no weights either.
func (r *Runner) examine(ctx context.Context, _ *worker.Call) (worker.Reply, error) {
	f, err := r.File()
	if err != nil {
		return worker.Reply{}, err
	}
	found, err := doctor.Examine(ctx, f)
	if err != nil {
		return worker.Reply{}, err
	}
	list := make([]protocol.Finding, len(found))
	for i, x := range found {
		list[i] = protocol.Finding{Rule: x.Rule, Severity: x.Severity.String(), Subject: protocol.Piece(x.Subject), Message: x.Message}
	}
	return worker.Reply{Result: protocol.Findings{Findings: list}}, nil
}
