package session

import "strings"

// Message is one turn of a conversation.
type Message struct {
	Role    string `json:"role"` // "system", "user" or "assistant"
	Content string `json:"content"`
}

const (
	imStart = "<|im_start|>"
	imEnd   = "<|im_end|>"
)

// ChatTemplate is the template in the file's metadata, "" where it has none.
func (m *Model) ChatTemplate() (string, error) {
	v, err := m.src.Get("tokenizer.chat_template")
	if err != nil {
		return "", err
	}
	s, _ := v.(string)
	return s, nil
}

// Render wraps messages in the file's chat template, ready for the model to answer. Only templates
// of the ChatML family are known (recognised by their two markers); others are refused by name
// rather than guessed, for a wrong template quietly makes a model stupid.
func (m *Model) Render(messages []Message) (string, error) {
	t, err := m.ChatTemplate()
	if err != nil {
		return "", err
	}
	return render(t, messages)
}

func render(template string, messages []Message) (string, error) {
	switch {
	case strings.TrimSpace(template) == "":
		return "", &UnsupportedError{"tokenizer.chat_template: the file has none: give the prompt as it is (--raw)"}
	case !strings.Contains(template, imStart) || !strings.Contains(template, imEnd):
		return "", &UnsupportedError{"tokenizer.chat_template: this file's chat template cannot be rendered yet (only ChatML, <|im_start|> and <|im_end|>): give the prompt as it is (--raw)"}
	}
	var b strings.Builder
	for _, m := range messages {
		b.WriteString(imStart + m.Role + "\n" + m.Content + imEnd + "\n")
	}
	b.WriteString(imStart + "assistant\n")
	return b.String(), nil
}
