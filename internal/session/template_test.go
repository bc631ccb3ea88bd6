package session

import (
	"context"
	"errors"
	"strings"
	"testing"

	"straw/chat"
	"straw/engine"
)

// keys is the metadata of a file.
type keys map[string]any

func (k keys) Get(key string) (any, error) { return k[key], nil }

func TestOpenTemplate(t *testing.T) {
	const all = "{{ bos_token }}{% for m in messages %}{{ m.role }}:{{ m.content }}{{ eos_token }}{% endfor %}{{ tools | length if tools else '' }}{{ add_generation_prompt }}"
	file := keys{"tokenizer.chat_template": all, "tokenizer.ggml.tokens": []string{"<unk>", "<s>", "</s>"},
		"tokenizer.ggml.bos_token_id": int64(1), "tokenizer.ggml.eos_token_id": int64(2)}
	c := chat.Conversation{AddGenerationPrompt: true}
	for name, x := range map[string]struct {
		key   string
		value any
		tools bool
		want  string
	}{
		"usual":             {want: "<s>user:hi</s>True"},
		"tools":             {tools: true, want: "<s>user:hi</s>1True"},
		"a name for tools":  {"tokenizer.chat_template.tool_use", "tools!", true, "tools!"},
		"a name, not asked": {"tokenizer.chat_template.tool_use", "tools!", false, "<s>user:hi</s>True"},
		"no such token":     {"tokenizer.ggml.eos_token_id", int64(99), false, "<s>user:hiTrue"},
	} {
		k := keys{x.key: x.value}
		for key, v := range file {
			if key != x.key {
				k[key] = v
			}
		}
		tp, err := OpenTemplate(k)
		if err != nil {
			t.Fatal(name, err)
		}
		hi := chat.NewDict()
		hi.Set("role", "user")
		hi.Set("content", "hi")
		c.Messages, c.Tools = chat.NewList(hi), nil
		if x.tools {
			c.Tools = chat.NewList(chat.NewDict())
		}
		if got, err := tp.Render(context.Background(), c, chat.Options{}); got != x.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", name, got, err, x.want)
		}
	}
}

func TestOpenTemplateFaults(t *testing.T) {
	var none *UnsupportedError
	if _, err := OpenTemplate(keys{"tokenizer.chat_template": " \n"}); !errors.As(err, &none) {
		t.Errorf("an empty one: %v", err)
	}
	var fault *chat.Error
	if _, err := OpenTemplate(keys{"tokenizer.chat_template": "a\n{{ x | nothing }}"}); !errors.As(err, &fault) || fault.Line != 2 {
		t.Errorf("a broken one: %v", err)
	}
}

// TestRenderDemo: the demo model's own template, and BOS once although template and vocabulary both add it.
func TestRenderDemo(t *testing.T) {
	m := load(t, engine.Options{})
	got, err := m.Render(t.Context(), Prompt{Messages: []Message{{Role: "system", Content: "Be kind."}, {Role: "user", Content: "Hello"}}})
	want := "<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n"
	if !strings.HasSuffix(got, want) || err != nil {
		t.Fatalf("%q, %v: want %q", got, err, want)
	}
	tok, err := m.Tokenizer()
	if err != nil {
		t.Fatal(err)
	}
	ids, err := m.Encode(Prompt{Messages: []Message{{Role: "user", Content: "Hello"}}})
	if err != nil {
		t.Fatal(err)
	}
	if bos, ok := tok.BOS(); ok && tok.AddBOS() && (ids[0] != bos || ids[1] == bos) {
		t.Errorf("BOS is %d, the prompt begins with %v", bos, ids[:2])
	}
	m.texts.template = func() (*Template, error) {
		return &Template{usual: mustParse(t, "<|endoftext|>{{ messages[0].content }}")}, nil
	}
	twice, err := m.Encode(Prompt{Messages: []Message{{Role: "user", Content: "Hello"}}})
	if err != nil || len(twice) < 2 || twice[0] == twice[1] {
		t.Errorf("a template that writes BOS: %v, %v", twice, err)
	}
}

func mustParse(t *testing.T, src string) *chat.Template {
	t.Helper()
	tp, err := chat.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	return tp
}
