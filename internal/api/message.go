package api

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"straw/chat"
	"straw/chat/reply"
	"straw/internal/session"
)

// message is a turn of a conversation in OpenAI's form.
type message struct {
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Reasoning string          `json:"reasoning_content"`
	Name      string          `json:"name"`
	CallID    string          `json:"tool_call_id"`
	Calls     []struct {
		ID       string   `json:"id"`
		Type     string   `json:"type"`
		Function function `json:"function"`
	} `json:"tool_calls"`
}

// function is a call of one.
type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // JSON
}

// conversation is what a model is to answer.
type conversation struct {
	Messages  []message                  `json:"messages"`
	Tools     json.RawMessage            `json:"tools"`
	Variables map[string]json.RawMessage `json:"chat_template_kwargs"`
	Effort    string                     `json:"reasoning_effort"`
}

// prompt turns it into a prompt.
func (c *conversation) prompt() (p session.Prompt, err error) {
	if len(c.Messages) == 0 {
		return p, bad("messages", "at least one is needed")
	}
	for i := range c.Messages {
		m, err := c.Messages[i].session(fmt.Sprintf("messages[%d]", i))
		if err != nil {
			return p, err
		}
		p.Messages = append(p.Messages, m)
	}
	if len(c.Tools) > 0 && c.Tools[0] != 'n' {
		if p.Tools, err = session.ParseTools(c.Tools); err != nil {
			return p, bad("tools", "%v", err)
		}
	}
	if len(c.Variables) > 0 || c.Effort != "" {
		p.Variables = chat.NewDict()
	}
	for name, raw := range c.Variables {
		v, err := chat.DecodeJSON(raw)
		if err != nil {
			return p, bad("chat_template_kwargs."+name, "%v", err)
		}
		p.Variables.Set(name, v)
	}
	if c.Effort != "" {
		p.Variables.Set("reasoning_effort", c.Effort)
	}
	return p, nil
}

// roles are those of OpenAI; templates know no developers, who speak as the system does.
var roles = map[string]string{"system": "system", "developer": "system", "user": "user", "assistant": "assistant", "tool": "tool"}

// session is the message, of which param is the name, as a prompt has it.
func (m *message) session(param string) (out session.Message, err error) {
	role, ok := roles[m.Role]
	if !ok {
		return out, bad(param+".role", "%q: system, developer, user, assistant or tool is needed", m.Role)
	}
	out = session.Message{Role: role, Reasoning: m.Reasoning, CallID: m.CallID, Name: m.Name}
	if out.Content, err = content(param+".content", m.Content); err != nil {
		return out, err
	}
	if len(m.Calls) > 0 && role != "assistant" {
		return out, bad(param+".tool_calls", "only the assistant calls tools")
	}
	for i, c := range m.Calls {
		at := fmt.Sprintf("%s.tool_calls[%d]", param, i)
		switch {
		case c.Type != "" && c.Type != "function":
			return out, bad(at+".type", "%q: function is needed", c.Type)
		case c.Function.Name == "":
			return out, bad(at+".function.name", "it is missing")
		}
		if c.Function.Arguments == "" {
			c.Function.Arguments = "{}"
		}
		if !json.Valid([]byte(c.Function.Arguments)) {
			return out, bad(at+".function.arguments", "the text is no JSON")
		}
		out.Calls = append(out.Calls, reply.Call{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
	}
	return out, nil
}

// content reads a text, null, or a list of parts, all of which must be texts.
func content(param string, raw json.RawMessage) (string, error) {
	const want = "a text or a list of text parts is needed"
	if len(raw) == 0 || raw[0] == 'n' {
		return "", nil
	}
	if raw[0] == '"' {
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err
	}
	var parts []struct{ Type, Text, Refusal string }
	if json.Unmarshal(raw, &parts) != nil {
		return "", bad(param, want)
	}
	var b strings.Builder
	for i, p := range parts {
		switch p.Type {
		case "text":
			b.WriteString(p.Text)
		case "refusal":
			b.WriteString(p.Refusal)
		default:
			return "", bad(fmt.Sprintf("%s[%d].type", param, i), "%q: only text is possible, no pictures, sounds or files", p.Type)
		}
	}
	return b.String(), nil
}

// toolChoice is what a request says of calls: "auto", "none", "required", or a function's name in force.
type toolChoice struct {
	mode string
	name string // of the only function that may be called
}

func parseToolChoice(raw json.RawMessage) (c toolChoice, err error) {
	if len(raw) == 0 || raw[0] == 'n' {
		return toolChoice{mode: "auto"}, nil
	}
	if json.Unmarshal(raw, &c.mode) == nil {
		if !slices.Contains([]string{"auto", "none", "required"}, c.mode) {
			return c, bad("tool_choice", "%q: auto, none, required or a function is needed", c.mode)
		}
		return c, nil
	}
	var named struct {
		Type     string
		Function struct{ Name string }
	}
	if json.Unmarshal(raw, &named) != nil || named.Type != "function" || named.Function.Name == "" {
		return c, bad("tool_choice", `auto, none, required or {"type": "function", "function": {"name": NAME}} is needed`)
	}
	return toolChoice{mode: "required", name: named.Function.Name}, nil
}

// forced is the JSON schema of one call of the tools, or of the one named; families of models write calls in their own
// ways, but all know JSON.
func (c *toolChoice) forced(tools []session.Tool) ([]byte, error) {
	var calls []any
	for _, t := range tools {
		if c.name != "" && t.Name != c.name {
			continue
		}
		arguments := json.RawMessage(t.Parameters)
		if len(arguments) == 0 {
			arguments = json.RawMessage(`{"type": "object"}`)
		}
		name := marshal(t.Name)
		calls = append(calls, json.RawMessage(fmt.Sprintf(
			`{"type": "object", "properties": {"name": {"const": %s}, "arguments": %s}, "required": ["name", "arguments"], "additionalProperties": false}`, name, arguments)))
	}
	switch {
	case len(calls) == 0 && c.name != "":
		return nil, bad("tool_choice", "there is no tool %q", c.name)
	case len(calls) == 0:
		return nil, bad("tool_choice", "there are no tools")
	}
	return marshal(map[string]any{"anyOf": calls}), nil
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
