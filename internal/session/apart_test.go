package session

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"straw/chat/reply"
	"straw/engine"
	"straw/engine/grammar"
	"straw/gguf"
	"straw/internal/scripted"
)

// toolTemplate is of the hermes family: an answer to a tool's result begins otherwise than one to a question.
const toolTemplate = `{% for t in tools or [] %}{{ t | tojson }}{% endfor %}
{%- for m in messages %}<|{{ m.role }}|>{{ m.reasoning_content or '' }}{{ m.content }}
{%- for c in m.tool_calls or [] %}<tool_call>{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}</tool_call>{% endfor %}
{%- endfor %}{% if messages[-1].role == 'tool' %}<|answer|>{% else %}<|assistant|>{% endif %}`

// says opens a model that answers a question, and the result of a tool, with these pieces.
func says(t *testing.T, template string, question, result []string) *Model {
	t.Helper()
	start := "<|assistant|>"
	if strings.HasSuffix(template, "<think>") {
		start = "<think>"
	}
	m := scripted.Model{Template: template,
		Special: []string{"<|assistant|>", "<|answer|>", "<think>", "<tool_call>", "<|noise|>"},
		Says:    map[string][]string{start: question, "<|answer|>": result}}
	b := m.Bytes()
	f, err := gguf.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	model, err := Load(t.Context(), f, engine.Options{Threads: 1, Resident: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { model.Close() })
	return model
}

var addTool = []Tool{{Name: "add", Description: "Adds.", Parameters: []byte(`{"type": "object", "properties": {"b": {"type": "integer"}, "a": {"type": "integer"}}}`)}}

// TestToolRound: a thought, a call, its result, an answer; each as events and as a whole.
func TestToolRound(t *testing.T) {
	m := says(t, toolTemplate,
		[]string{"<think>", "Sums", " are", " easy.", "</think>", "\n\n", "Let me", "<|noise|>", " see.\n", "<tool_call>", "\n", `{"name": "add", `, `"arguments": {"b": 2,`, ` "a": 1}}`, "\n</tool_call>"},
		[]string{"It is", " 3."})
	turns := []Message{{Role: "user", Content: "1 + 2?"}}
	var kinds, text []string
	var id string
	r, err := m.Generate(t.Context(), Prompt{Messages: turns, Tools: addTool}, Params{MaxTokens: -1}, func(p Piece) error {
		var answer strings.Builder
		for _, e := range p.Events {
			if len(kinds) == 0 || kinds[len(kinds)-1] != e.Kind.String() {
				kinds, text = append(kinds, e.Kind.String()), append(text, "")
			}
			text[len(text)-1] += e.Text
			if e.Kind == reply.Content {
				answer.WriteString(e.Text)
			}
			if e.Kind == reply.Begin {
				id = e.ID
			}
			if e.Kind == reply.End && e.ID != id {
				t.Errorf("the call %q ends as %q", id, e.ID)
			}
		}
		if p.Text != answer.String() {
			t.Errorf("text %q, events tell %q", p.Text, answer.String())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := Message{Role: "assistant", Content: "Let me see.", Reasoning: "Sums are easy.", Calls: []reply.Call{{ID: id, Name: "add", Arguments: `{"b": 2, "a": 1}`}}}
	if got := r.Message(); !reflect.DeepEqual(got, want) || r.FinishReason != FinishCalls || len(id) != 9 {
		t.Errorf("%+v (%s), want %+v", got, r.FinishReason, want)
	}
	if got := strings.Join(kinds, " "); got != "reasoning content begin arguments end" || text[0] != want.Reasoning || text[1] != want.Content || text[3] != want.Calls[0].Arguments {
		t.Errorf("events %s: %q", got, text)
	}

	turns = append(turns, r.Message(), Message{Role: "tool", CallID: id, Name: "add", Content: "3"})
	rendered, err := m.Render(t.Context(), Prompt{Messages: turns, Tools: addTool})
	if err != nil || !strings.HasSuffix(rendered, `<|assistant|>Sums are easy.Let me see.<tool_call>{"name": "add", "arguments": {"b": 2, "a": 1}}</tool_call><|tool|>3<|answer|>`) {
		t.Errorf("%q, %v", rendered, err)
	}
	if !strings.HasPrefix(rendered, `{"type": "function", "function": {"name": "add", "description": "Adds.", "parameters": {"type": "object", "properties": {"b": {"type": "integer"}, "a": {"type": "integer"}}}}}`) {
		t.Errorf("the tools are in it as %.200q", rendered)
	}
	if r, err = m.Generate(t.Context(), Prompt{Messages: turns, Tools: addTool}, Params{MaxTokens: -1}, nil); err != nil || r.Text != "It is 3." || r.FinishReason != FinishStop {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestApartOrNot(t *testing.T) {
	for name, c := range map[string]struct {
		template string
		says     []string
		stop     []string
		params   func(*Params)
		text     string
		thought  string
	}{
		"a thought that the prompt opens": {template: toolTemplate + "\n<think>", says: []string{"Hm", "</think>", "Hi"}, text: "Hi", thought: "Hm"},
		"no thought":                      {template: toolTemplate, says: []string{"Hi", " you"}, text: "Hi you"},
		"cut within a thought":            {template: toolTemplate, says: []string{"<think>", "Hm", " and", " so"}, params: func(p *Params) { p.MaxTokens = 3 }, thought: "Hm and"},
		"a call that is none":             {template: toolTemplate, says: []string{"<tool_call>", "oops"}, text: "<tool_call>oops"},
		"a stop text in a thought":        {template: toolTemplate, says: []string{"<think>", "Hm", " STOP"}, stop: []string{"STOP"}, thought: "Hm"},
	} {
		m := says(t, c.template, c.says, nil)
		p := Params{MaxTokens: -1, Stop: c.stop}
		if c.params != nil {
			c.params(&p)
		}
		text := ""
		r, err := m.Generate(t.Context(), Prompt{Messages: []Message{{Role: "user", Content: "x"}}}, p, func(p Piece) error { text += p.Text; return nil })
		if err != nil || r.Text != c.text || text != c.text || strings.TrimSpace(r.Reasoning) != c.thought || r.Calls != nil {
			t.Errorf("%s: %q, pieces %q, thought %q, %v; want %q, thought %q", name, r.Text, text, r.Reasoning, err, c.text, c.thought)
		}
	}

	// What matches a grammar is the answer, marks or not; and text is not taken apart.
	g, err := grammar.Parse(`root ::= "Hi </think>"`)
	if err != nil {
		t.Fatal(err)
	}
	m := says(t, toolTemplate, []string{"Hi", " </think>", "?"}, nil)
	r, err := m.Generate(t.Context(), Prompt{Messages: []Message{{Role: "user", Content: "x"}}}, Params{MaxTokens: -1, Grammar: g}, nil)
	if err != nil || r.Text != "Hi </think>" {
		t.Errorf("a grammar: %q, %v", r.Text, err)
	}
	m = says(t, toolTemplate, []string{"<think>", "Hm", "</think>", "Hi"}, nil)
	r, err = m.Generate(t.Context(), Prompt{Text: "<|assistant|>"}, Params{MaxTokens: -1}, nil)
	if err != nil || r.Text != "Hm</think>Hi" || r.Reasoning != "" {
		t.Errorf("text: %q, %q, %v", r.Text, r.Reasoning, err)
	}
}

// TestCallForms: templates that want calls in one form only get them in it.
func TestCallForms(t *testing.T) {
	const loop = `{% for m in messages %}[{{ m.role }}]`
	turns := []Message{{Role: "user", Content: "x"}, {Role: "assistant", Calls: []reply.Call{{ID: "i", Name: "f", Arguments: `{"z": 1, "a": "é"}`}}}}
	for name, c := range map[string]struct{ template, want string }{
		"objects":      {`{{ m.content or '' }}{% for c in m.tool_calls or [] %}{{ c.id }} {{ c.function.name }}({{ c.function.arguments | tojson }}){% endfor %}{% endfor %}`, `[user]x[assistant]i f({"z": 1, "a": "é"})`},
		"text":         {`{{ m.content or '' }}{% for c in m.tool_calls or [] %}{{ c.function.name + c.function.arguments }}{% endfor %}{% endfor %}`, `[user]x[assistant]f{"z": 1, "a": "é"}`},
		"printed":      {`{{ m.content or '' }}{% for c in m.tool_calls or [] %}{{ c.function.name ~ c.function.arguments }}{% endfor %}{% endfor %}`, `[user]x[assistant]f{"z": 1, "a": "é"}`},
		"a content":    {`{{ m.content + '.' }}{% for c in m.tool_calls or [] %}{{ c.function.name }}{{ c.function.arguments | tojson }}{% endfor %}{% endfor %}`, `[user]x.[assistant].f{"z": 1, "a": "é"}`},
		"None, if any": {`{% if m.content is none %}{% for c in m.tool_calls %}{{ c.function.name }}{{ c.function.arguments | tojson }}{% endfor %}{% else %}{{ m.content }}{% endif %}{% endfor %}`, `[user]x[assistant]f{"z": 1, "a": "é"}`},
	} {
		m := says(t, loop+c.template, nil, nil)
		got, err := m.Render(t.Context(), Prompt{Messages: turns})
		if got != c.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
}
