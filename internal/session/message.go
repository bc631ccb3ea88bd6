package session

import (
	"encoding/json"
	"fmt"

	"straw/chat"
	"straw/chat/reply"
)

// Message is one turn of a conversation.
type Message struct {
	Role      string // "system", "user", "assistant", "tool" or what else the template knows
	Content   string
	Reasoning string       // of the assistant: what it thought before it answered
	Calls     []reply.Call // of the assistant: the tools it called
	CallID    string       // of a tool: the ID of the call that this is the result of
	Name      string       // of a tool: its name
}

// Tool is one that the model may call.
type Tool struct {
	Name, Description string
	Parameters        []byte // JSON schema of the arguments, "" for none
}

// callForm is how a template wants the calls of an assistant's message.
type callForm struct {
	arguments bool // as an object; else as the text of one
	content   bool // a message without content has the empty one; else None
}

// value is the message as templates have it: the form of OpenAI's API, as transformers has it too.
func (m *Message) value(f callForm) (chat.Value, error) {
	d := chat.NewDict()
	d.Set("role", m.Role)
	if m.Content == "" && len(m.Calls) > 0 && !f.content {
		d.Set("content", nil)
	} else {
		d.Set("content", m.Content)
	}
	if m.Reasoning != "" {
		d.Set("reasoning_content", m.Reasoning)
		if len(m.Calls) > 0 && m.Content == "" {
			d.Set("thinking", m.Reasoning) // gpt-oss's name, which it takes in place of a content only
		}
	}
	if len(m.Calls) > 0 {
		list := chat.NewList()
		for i := range m.Calls {
			c, err := callValue(&m.Calls[i], f)
			if err != nil {
				return nil, err
			}
			list.Items = append(list.Items, c)
		}
		d.Set("tool_calls", list)
	}
	if m.CallID != "" {
		d.Set("tool_call_id", m.CallID)
	}
	if m.Name != "" {
		d.Set("name", m.Name)
	}
	return d, nil
}

func callValue(c *reply.Call, f callForm) (chat.Value, error) {
	var arguments chat.Value = c.Arguments
	if f.arguments {
		v, err := chat.DecodeJSON([]byte(c.Arguments))
		if err != nil {
			return nil, &UsageError{fmt.Sprintf("the arguments of a call of %q are no JSON: %v", c.Name, err)}
		}
		arguments = v
	}
	function, d := chat.NewDict(), chat.NewDict()
	function.Set("name", c.Name)
	function.Set("arguments", arguments)
	d.Set("type", "function")
	if c.ID != "" {
		d.Set("id", c.ID)
	}
	d.Set("function", function)
	return d, nil
}

// values are all messages.
func values(messages []Message, f callForm) (*chat.List, error) {
	list := chat.NewList()
	for i := range messages {
		v, err := messages[i].value(f)
		if err != nil {
			return nil, err
		}
		list.Items = append(list.Items, v)
	}
	return list, nil
}

// toolValues are tools as templates have them; nil where there are none.
func toolValues(tools []Tool) (chat.Value, error) {
	if len(tools) == 0 {
		return nil, nil
	}
	list := chat.NewList()
	for _, t := range tools {
		function, d := chat.NewDict(), chat.NewDict()
		function.Set("name", t.Name)
		function.Set("description", t.Description)
		var parameters chat.Value = chat.NewDict()
		if len(t.Parameters) > 0 {
			v, err := chat.DecodeJSON(t.Parameters)
			if err != nil {
				return nil, &UsageError{fmt.Sprintf("the parameters of the tool %q are no JSON: %v", t.Name, err)}
			}
			parameters = v
		}
		function.Set("parameters", parameters)
		d.Set("type", "function")
		d.Set("function", function)
		list.Items = append(list.Items, d)
	}
	return list, nil
}

// ParseTools reads a JSON array of tools: OpenAI's {"type": "function", "function": {...}}, or what is in "function"
// alone.
func ParseTools(text []byte) ([]Tool, error) {
	type function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	var list []struct {
		function
		Function *function `json:"function"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, &UsageError{"a JSON array of tools is needed: " + err.Error()}
	}
	tools := make([]Tool, len(list))
	for i, t := range list {
		if t.Function != nil {
			t.function = *t.Function
		}
		if t.Name == "" {
			return nil, &UsageError{fmt.Sprintf("tool %d of the list has no name", i)}
		}
		tools[i] = Tool{Name: t.Name, Description: t.Description, Parameters: t.Parameters}
	}
	return tools, nil
}
