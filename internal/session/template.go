package session

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"straw/chat"
	"straw/chat/reply"
)

// ChatTemplate is the text of the file's chat template, "" where it has none.
func (m *Model) ChatTemplate() (string, error) { return TemplateSource(m.texts.src) }

// Render wraps a prompt's messages in the file's chat template, ready for the model to answer.
func (m *Model) Render(ctx context.Context, p Prompt) (string, error) {
	template, err := m.texts.template()
	if err != nil {
		return "", err
	}
	tools, err := toolValues(p.Tools)
	if err != nil {
		return "", err
	}
	f := callForms[0]
	if slices.ContainsFunc(p.Messages, func(m Message) bool { return len(m.Calls) > 0 }) {
		f = template.callForm(ctx, tools)
	}
	messages, err := values(p.Messages, f)
	if err != nil {
		return "", err
	}
	return template.Render(ctx, chat.Conversation{Messages: messages, Tools: tools, AddGenerationPrompt: true, Extra: p.Variables}, chat.Options{})
}

// Metadata is what of a file its template is found in.
type Metadata interface {
	Get(key string) (any, error)
}

// Template is a file's chat template and the texts of the two tokens that templates write.
type Template struct {
	BOS, EOS string // "" where the file names none

	usual, tools *chat.Template           // tools is for conversations with tools; nil: usual
	family       *reply.Family            // how the models of this template write calls and thoughts
	calls        atomic.Pointer[callForm] // found at the first conversation with calls
}

// toolsKey is of the template for conversations with tools, where that is another.
const toolsKey = "tokenizer.chat_template.tool_use"

// noTemplate is the error of files without one.
var noTemplate = &UnsupportedError{"tokenizer.chat_template: the file has none: give the prompt as it is (--raw)"}

// TemplateSource is the text of a file's chat template, "" where it has none.
func TemplateSource(src Metadata) (string, error) { return text(src, "tokenizer.chat_template") }

func text(src Metadata, key string) (string, error) {
	v, err := src.Get(key)
	if err != nil {
		return "", err
	}
	s, _ := v.(string)
	return s, nil
}

// OpenTemplate reads a file's chat template, and the one named tool_use for conversations with tools
// where there is one. A template with a fault is an error of type *chat.Error.
func OpenTemplate(src Metadata) (*Template, error) {
	t := &Template{}
	parse := func(key string) (*chat.Template, error) {
		s, err := text(src, key)
		if err != nil || strings.TrimSpace(s) == "" {
			return nil, err
		}
		return chat.Parse(s)
	}
	var err error
	if t.usual, err = parse("tokenizer.chat_template"); err != nil {
		return nil, err
	}
	if t.tools, err = parse(toolsKey); err != nil {
		return nil, err
	}
	if t.usual == nil {
		t.usual = t.tools
	}
	if t.usual == nil {
		return nil, noTemplate
	}
	source, err := TemplateSource(src)
	if err != nil {
		return nil, err
	}
	if more, err := text(src, toolsKey); err == nil {
		source += more
	}
	t.family = reply.Detect(source)
	return t, t.readTokens(src)
}

// TemplateOf is a template of the source given, with the tokens of a file. One with a fault is an error of type *chat.Error.
func TemplateOf(src Metadata, source string) (*Template, error) {
	parsed, err := chat.Parse(source)
	if err != nil {
		return nil, err
	}
	t := &Template{usual: parsed, family: reply.Detect(source)}
	return t, t.readTokens(src)
}

// readTokens reads what BOS and EOS are.
func (t *Template) readTokens(src Metadata) (err error) {
	if t.BOS, err = tokenText(src, "tokenizer.ggml.bos_token_id"); err != nil {
		return err
	}
	t.EOS, err = tokenText(src, "tokenizer.ggml.eos_token_id")
	return err
}

// tokenText is the text of the token that key names, "" where there is none.
func tokenText(src Metadata, key string) (string, error) {
	v, err := src.Get(key)
	if err != nil {
		return "", err
	}
	id, ok := v.(int64)
	if !ok {
		return "", nil
	}
	v, err = src.Get("tokenizer.ggml.tokens")
	if err != nil {
		return "", err
	}
	tokens, _ := v.([]string)
	if id < 0 || id >= int64(len(tokens)) {
		return "", nil
	}
	return tokens[id], nil
}

// Render renders a conversation; its BOS and EOS are filled in.
func (t *Template) Render(ctx context.Context, c chat.Conversation, o chat.Options) (string, error) {
	c.BOS, c.EOS = t.BOS, t.EOS
	use := t.usual
	if c.Tools != nil && t.tools != nil {
		use = t.tools
	}
	return use.Render(ctx, c.Vars(), o)
}
