package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"straw/chat"
	"straw/gguf"
)

const (
	mainTemplate = "tokenizer.chat_template"
	toolTemplate = "tokenizer.chat_template.tool_use"

	mostTemplates = 4       // of one file that are looked at
	mostSource    = 1 << 20 // bytes of a template that are read; package chat parses no more
)

// templates examines the file's chat templates.
func (e *examination) templates(ctx context.Context) {
	parsed := map[string]*trial{}
	n := 0
	for _, kv := range e.f.Metadata {
		if kv.Key != mainTemplate && !strings.HasPrefix(kv.Key, mainTemplate+".") || kv.Value.Type() != gguf.String {
			continue
		}
		if n++; n > mostTemplates {
			e.add("template-many", kv.Key, fmt.Sprintf("the file has more than %d templates: this one and those after it were not examined", mostTemplates))
			break
		}
		if kv.Value.Len() > mostSource {
			e.add("template-long", kv.Key, fmt.Sprintf("%d bytes: it is not read; models with templates have a few thousand", kv.Value.Len()))
			continue
		}
		src, err := kv.Value.Text()
		if e.failed(err) || strings.TrimSpace(src) == "" {
			continue
		}
		e.suspect(kv.Key, src)
		t, err := chat.Parse(src)
		if err != nil {
			e.add("template-syntax", kv.Key, fault(err)+": no program can use it; correct the template, or give prompts as they are")
			continue
		}
		parsed[kv.Key] = e.newTrial(ctx, kv.Key, src, t)
	}
	if n == 0 || n == 1 && e.text(toolTemplate) == "" && strings.TrimSpace(e.text(mainTemplate)) == "" && e.has(mainTemplate) {
		e.untemplated()
	}
	// Templates of other names are for conversations that only their programs know.
	usual, tools := parsed[mainTemplate], parsed[toolTemplate]
	if usual != nil && usual.general() && tools == nil {
		tools = usual
	}
	if tools != nil {
		tools.toolUse()
	}
}

// fault is an error of a template on one line, with the place first.
func fault(err error) string {
	at := (*chat.Error)(nil)
	if !errors.As(err, &at) {
		return plain(err.Error())
	}
	return fmt.Sprintf("line %d, column %d: %s", at.Line, at.Column, quoted(at.Message))
}

// untemplated: a model by whose name people will chat with it.
func (e *examination) untemplated() {
	for _, key := range []string{"general.finetune", "general.name", "general.basename"} {
		name := strings.ToLower(e.text(key))
		words := strings.FieldsFunc(name, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
		for _, w := range words {
			switch w {
			case "instruct", "chat", "it", "assistant":
				e.add("template-missing", mainTemplate, "by "+key+" the model is made for conversations, but the file has no template: programs guess one; take the template from the original model's tokenizer_config.json")
				return
			}
		}
	}
}
