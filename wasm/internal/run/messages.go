package run

import (
	"straw/chat"
	"straw/chat/reply"
	"straw/internal/session"
	"straw/wasm/protocol"
)

// prompt is what the page wants continued.
func prompt(p *protocol.Generate) (session.Prompt, error) {
	switch {
	case p.IDs != nil:
		return session.Prompt{IDs: p.IDs}, nil
	case p.Messages != nil:
		return conversation(p)
	case p.Raw != nil && !*p.Raw:
		return session.Prompt{Messages: []session.Message{{Role: "user", Content: *p.Prompt}}}, nil
	}
	return session.Prompt{Text: *p.Prompt}, nil
}

func conversation(p *protocol.Generate) (c session.Prompt, err error) {
	for _, m := range p.Messages {
		turn := session.Message{Role: m.Role, Content: or(m.Content, ""), Reasoning: m.Reasoning, CallID: m.ToolCallID, Name: m.Name}
		for _, t := range m.ToolCalls {
			turn.Calls = append(turn.Calls, reply.Call{ID: t.ID, Name: t.Function.Name, Arguments: t.Function.Arguments})
		}
		c.Messages = append(c.Messages, turn)
	}
	if p.Tools != nil {
		if c.Tools, err = session.ParseTools(p.Tools); err != nil {
			return c, argument("tools", "tools: %v", err)
		}
	}
	c.Variables, err = variables(p.Variables)
	return c, err
}

// variables reads an object of a template's variables; nil for none.
func variables(text protocol.JSON) (*chat.Dict, error) {
	if text == nil {
		return nil, nil
	}
	v, err := chat.DecodeJSON(text)
	if err != nil {
		return nil, argument("variables", "variables: %v", err)
	}
	return v.(*chat.Dict), nil // package protocol has seen its brace
}

// generated is a piece as the page gets it.
func generated(p *session.Piece) *protocol.Generated {
	g := &protocol.Generated{ID: p.ID, Text: p.Text}
	for _, e := range p.Events {
		step := protocol.CallStep{Index: e.Call}
		switch e.Kind {
		case reply.Reasoning:
			g.Reasoning += e.Text
			continue
		case reply.Begin:
			step.ID, step.Name = e.ID, e.Name
		case reply.Arguments:
			step.Arguments = e.Text
		case reply.Drop:
			step.Dropped = true
		default:
			continue
		}
		g.Calls = append(g.Calls, step)
	}
	return g
}

// assistant is a whole answer as a message.
func assistant(r *session.Result) *protocol.Message {
	m := &protocol.Message{Role: "assistant", Content: &r.Text, Reasoning: r.Reasoning}
	for _, c := range r.Calls {
		m.ToolCalls = append(m.ToolCalls, protocol.ToolCall{ID: c.ID, Type: "function", Function: protocol.Function{Name: c.Name, Arguments: c.Arguments}})
	}
	return m
}
