package protocol

// Message is one turn of a chat, in the form of OpenAI's API.
type Message struct {
	Role       string     `json:"role"`
	Content    *string    `json:"content,omitempty"`
	Reasoning  string     `json:"reasoning_content,omitempty"`
	ToolCalls  []ToolCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"` // of a tool: the call that this is the result of
	Name       string     `json:"name,omitempty"`         // of a tool
}

func (m *Message) UnmarshalJSON(text []byte) error { return decode(text, m) }

// ToolCall is a call in an assistant's message.
type ToolCall struct {
	ID       string   `json:"id,omitempty"`
	Type     string   `json:"type,omitempty"` // function
	Function Function `json:"function"`
}

func (c *ToolCall) UnmarshalJSON(text []byte) error { return decode(text, c) }

// Function is what is called. Arguments is the text of a JSON object.
type Function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

func (f *Function) UnmarshalJSON(text []byte) error { return decode(text, f) }

// CallStep is what a piece tells of a call: its beginning has ID and Name, what follows parts of Arguments. A call that was Dropped was none; its text follows
// as part of the answer, and the next call has its index.
type CallStep struct {
	Index     int    `json:"index"`
	ID        string `json:"id,omitempty"`
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments,omitempty"`
	Dropped   bool   `json:"dropped,omitempty"`
}

func (c *CallStep) UnmarshalJSON(text []byte) error { return decode(text, c) }
