package session

import (
	"context"
	"strings"

	"straw/chat"
	"straw/chat/reply"
)

// callForms are tried in this order.
var callForms = []callForm{{arguments: true}, {arguments: true, content: true}, {}, {content: true}}

// callForm finds out how the template wants calls: it renders a conversation with one, and looks whether
// the call is there, its arguments as JSON. Most templates take objects; some can only take the text of
// one, some fail without a content, and some leave the call out where there is one.
func (t *Template) callForm(ctx context.Context, tools chat.Value) callForm {
	if f := t.calls.Load(); f != nil {
		return *f
	}
	const name, key = "straw_probe_tool", "straw_probe_key"
	arguments := `{"` + key + `": "x"}`
	conversation := []Message{
		{Role: "user", Content: "Hello"},
		{Role: "assistant", Calls: []reply.Call{{ID: "000000000", Name: name, Arguments: arguments}}},
		{Role: "tool", Name: name, CallID: "000000000", Content: "Done"},
	}
	found := callForms[0]
	for _, f := range callForms {
		list, err := values(conversation, f)
		if err != nil {
			panic(err) // the conversation's JSON is JSON
		}
		text, err := t.Render(ctx, chat.Conversation{Messages: list, Tools: tools, AddGenerationPrompt: true}, chat.Options{})
		if err == nil && strings.Contains(text, name) && strings.Contains(text, key) && !strings.Contains(text, "None") &&
			!strings.Contains(text, `{'`+key) && !strings.Contains(text, `\"`+key) {
			found = f
			break
		}
	}
	if ctx.Err() == nil {
		t.calls.Store(&found)
	}
	return found
}
