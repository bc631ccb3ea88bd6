package run

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"straw/internal/scripted"
	"straw/wasm/protocol"
)

var thinker = scripted.Model{
	Template: "{% if tools %}{{ tools[0].function.name }}{% endif %}{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}{{ tone }}" +
		"{% if messages | length > 2 %}{{ raise_exception('too many messages') }}{% endif %}",
	Special: []string{"<|user|>", "<|assistant|>"},
	Says:    map[string][]string{"<|assistant|>": {"<think>", "Hm.", "</think>", "Well:", "<tool_call>", `{"name": "add", "arguments": {"a": 1}}`, "</tool_call>"}},
}

func thinking() (io.ReaderAt, int64) {
	b := thinker.Bytes()
	return bytes.NewReader(b), int64(len(b))
}

// TestCalls: a thought, an answer and a call reach the page as steps and as a message, which goes back to the model as it is.
func TestCalls(t *testing.T) {
	p := newPageOf(t, thinking)
	result[protocol.Loaded](t, p.ask("load", protocol.Load{}))
	tools := protocol.JSON(`[{"type":"function","function":{"name":"add"}}]`)
	var text, thought, arguments string
	var first protocol.CallStep
	ask := protocol.Generate{Messages: []protocol.Message{{Role: "user", Content: new("hi")}}, Tools: tools}
	l := result[protocol.Last](t, p.finish(p.send("generate", ask), func(_ string, data any) {
		g := data.(*protocol.Generated)
		text, thought = text+g.Text, thought+g.Reasoning
		for _, c := range g.Calls {
			if c.Name != "" {
				first = c
			}
			arguments += c.Arguments
		}
	}))
	if text != "Well:" || thought != "Hm." || first.Name != "add" || first.ID == "" || arguments != `{"a": 1}` || l.FinishReason != "tool_calls" {
		t.Errorf("%q, thought %q, call %+v %s, %s", text, thought, first, arguments, l.FinishReason)
	}
	got, err := json.Marshal(l.Message)
	want := `{"role":"assistant","content":"Well:","reasoning_content":"Hm.","tool_calls":[{"id":"` + first.ID + `","type":"function","function":{"name":"add","arguments":"{\"a\": 1}"}}]}`
	if string(got) != want || err != nil {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	ask.Messages = append(ask.Messages, *l.Message)
	if a := p.ask("generate", ask); a.Error != nil {
		t.Errorf("a second question: %+v", a.Error)
	}
	ask.Tools = protocol.JSON(`[{"type":"function"}]`)
	if a := p.ask("generate", ask); a.Error == nil || a.Error.Field != "tools" {
		t.Errorf("a tool without a name: %+v", a)
	}
}

// TestRenderTemplate needs no loaded model; messages are the template's as they are.
func TestRenderTemplate(t *testing.T) {
	p := newPageOf(t, thinking)
	for _, c := range []struct {
		ask  protocol.RenderTemplate
		want string
	}{
		{protocol.RenderTemplate{Messages: protocol.JSON(`[{"role":"user","content":"hi"}]`)}, "<|user|>hi<|assistant|>"},
		{protocol.RenderTemplate{Messages: protocol.JSON(`[{"role":"user","content":{"b":1,"a":2}}]`), AddGenerationPrompt: new(false)}, "<|user|>{'b': 1, 'a': 2}"},
		{protocol.RenderTemplate{Messages: protocol.JSON(`[]`), Tools: protocol.JSON(`[{"function":{"name":"f"}}]`), Variables: protocol.JSON(`{"tone":"dry"}`)}, "f<|assistant|>dry"},
	} {
		if got := result[protocol.Text](t, p.ask("renderTemplate", c.ask)); got.Text != c.want {
			t.Errorf("%s: %q, want %q", c.ask.Messages, got.Text, c.want)
		}
	}
	own := protocol.RenderTemplate{Messages: protocol.JSON(`[{"content": "Hi"}]`), Template: new("{{ bos_token }}{{ messages[0].content }}")}
	if got := result[protocol.Text](t, p.ask("renderTemplate", own)); !strings.HasSuffix(got.Text, "Hi") || len(got.Text) <= 2 {
		t.Errorf("another template gives %q", got.Text)
	}
	for source, want := range map[string][2]int{"a\n  {{ 1 + }}": {2, 10}, "{{ raise_exception('no') }}": {1, 19}} {
		own.Template = &source
		if e := p.ask("renderTemplate", own).Error; e == nil || e.Field != "tokenizer.chat_template" || [2]int{e.Line, e.Column} != want {
			t.Errorf("%q: %+v, want line and column %v", source, e, want)
		}
	}
	a := p.ask("renderTemplate", protocol.RenderTemplate{Messages: protocol.JSON(`[{},{},{}]`)})
	if a.Error == nil || a.Error.Kind != "format" || a.Error.Field != "tokenizer.chat_template" || !strings.Contains(a.Error.Message, "line 1, column") {
		t.Errorf("a template that raises: %+v", a.Error)
	}
}

func TestExamine(t *testing.T) {
	p := newPageOf(t, thinking)
	rules := map[string]bool{}
	for _, f := range result[protocol.Findings](t, p.ask("examine", nil)).Findings {
		rules[f.Rule] = true
		if f.Severity == "" || f.Message == "" {
			t.Errorf("%+v", f)
		}
	}
	if !rules["template-marker"] && !rules["template-turns"] {
		t.Errorf("no finding about a template that fails on a second question: %v", rules)
	}
}
