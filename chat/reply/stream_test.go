package reply

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// TestPieces shows when events come: as soon as a piece tells.
func TestPieces(t *testing.T) {
	p := Lookup("hermes").New(Options{})
	for _, step := range []struct{ piece, want string }{
		{"Hi ", `content "Hi"`},
		{"<tool", ""},
		{"bar> \n", `content " <toolbar>"`},
		{"<tool_call>{\"na", ""},
		{"me\": \"f\", ", ""},
		{"\"arguments\": {\"a", `begin f; arguments "{\"a"`},
		{"\": \"x", `arguments "\": \"x"`},
		{"y\"}", `arguments "y\"}"`},
		{"}</tool", `end`},
		{"_call>\n<tool_call>{\"name\": \"g\", \"arguments\": {", `begin g; arguments "{"`},
		{"oops", `drop; content "\n<tool_call>{\"name\": \"g\", \"arguments\": {oops"`},
		{"?<", `content "?"`},
	} {
		if got := show(p.Push(step.piece)); got != step.want {
			t.Errorf("%q: %s, want %s", step.piece, got, step.want)
		}
	}
	if got := show(p.Close()); got != `content "<"` {
		t.Error("close:", got)
	}
	if p.Push("x") != nil || p.Close() != nil {
		t.Error("events after Close")
	}
	want := Message{Content: "Hi <toolbar>\n<tool_call>{\"name\": \"g\", \"arguments\": {oops?<", Calls: one("f", `{"a": "xy"}`)}
	if got := p.Message(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestBeginID: what a call is named by its model comes with its beginning where the model says it first.
func TestBeginID(t *testing.T) {
	for family, text := range map[string]string{
		"kimi-k2": "<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{",
		"mistral": "[TOOL_CALLS]f[CALL_ID]functions.f:0[ARGS]{",
		"hermes":  `<tool_call>{"id": "functions.f:0", "name": "f", "arguments": {`,
	} {
		p := Lookup(family).New(Options{})
		events := p.Push(text)
		if len(events) == 0 || events[0].Kind != Begin || events[0].Name != "f" || events[0].ID != "functions.f:0" {
			t.Errorf("%s: %+v", family, events)
		}
		p.Close()
	}
}

func show(events []Event) string {
	var s []string
	for _, e := range events {
		switch e.Kind {
		case Begin:
			s = append(s, "begin "+e.Name)
		case End, Drop:
			s = append(s, e.Kind.String())
		default:
			s = append(s, fmt.Sprintf("%v %q", e.Kind, e.Text))
		}
	}
	return strings.Join(s, "; ")
}

// TestHostile: outputs that tempt a parser to look again and again at what it has seen.
func TestHostile(t *testing.T) {
	const size = 1 << 15
	most := 0.0
	for _, f := range Families() {
		starts := []string{"", "{", "[", " ", "<think>", "</think>"}
		for _, m := range f.marks() {
			starts = append(starts, m.text)
			for _, c := range m.forms {
				starts = append(starts, m.text+c.open+"f"+c.nameEnd0()+c.key+"a"+c.keyEnd+c.value, m.text+c.open+"f"+c.nameEnd0()+`{"a": "`)
			}
		}
		for _, start := range starts {
			for _, tail := range []string{"", `{"name": "add", "arguments": {"a": "`, "add(a='", strings.Repeat("[", 150), "\n"} {
				unit := start + tail
				if unit == "" {
					continue
				}
				text := strings.Repeat(unit, size/len(unit)+1)
				var s scanner
				s.init(f, Options{Tools: weather})
				s.buf, s.ended = []byte(text), true
				s.run()
				per := float64(s.looks) / float64(len(text))
				if most = max(most, per); per > 100 {
					t.Errorf("%s: %q repeated: %.0f looks at each byte", f.Name, unit, per)
				}
			}
		}
	}
	t.Logf("at most %.0f looks at each byte", most)
}

func (c *form) nameEnd0() string {
	if len(c.nameEnd) == 0 {
		return ""
	}
	return c.nameEnd[0]
}

func TestLimits(t *testing.T) {
	f := Lookup("hermes")
	long := `<tool_call>{"name": "f", "arguments": {"a": "` + strings.Repeat("x", maxCall) + `"}}</tool_call>`
	deep := `<tool_call>{"name": "f", "arguments": {"a": ` + strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1) + `}}</tool_call>`
	name := `<tool_call>{"name": "` + strings.Repeat("x", maxName+1) + `", "arguments": {}}</tool_call>`
	for _, text := range []string{long, deep, name} {
		if m := f.Parse(text, Options{}); m.Content != text || len(m.Calls) != 0 {
			t.Errorf("%.60s...: %d calls, %d of %d bytes are content", text, len(m.Calls), len(m.Content), len(text))
		}
	}
	if m := f.Parse(strings.Repeat(`<tool_call>{"name": "f"}</tool_call>`, maxCalls+1), Options{}); len(m.Calls) != maxCalls || m.Content != `<tool_call>{"name": "f"}</tool_call>` {
		t.Errorf("%d calls, content %q", len(m.Calls), m.Content)
	}
	if m := Lookup("mistral").Parse("[TOOL_CALLS]["+strings.Repeat(`{"name": "f"},`, maxCalls+1), Options{}); len(m.Calls) != maxCalls {
		t.Errorf("%d calls", len(m.Calls))
	}
}

func TestThinking(t *testing.T) {
	for _, c := range []struct {
		family, prompt string
		want           bool
	}{
		{"hermes", "<|im_start|>assistant\n<think>\n", true},
		{"hermes", "<|im_start|>assistant\n<think>\n\n</think>\n\n", false},
		{"hermes", "<|im_start|>user\nWhat is <think>?<|im_end|>\n<|im_start|>assistant\n", false},
		{"command-r7b", "<|CHATBOT_TOKEN|><|START_THINKING|>", true},
		{"llama-3", "<think>", false},
	} {
		if got := Lookup(c.family).Thinking(c.prompt); got != c.want {
			t.Errorf("%s, %q: %v", c.family, c.prompt, got)
		}
	}
	if Lookup("no such family") != nil {
		t.Error("a family of no name")
	}
}

func BenchmarkParse(b *testing.B) {
	text := strings.Repeat("The answer, in plain words, is <b>this</b>.\n", 200) + `<tool_call>{"name": "f", "arguments": {"a": "` + strings.Repeat("xyz ", 2000) + `"}}</tool_call>`
	f := Lookup("hermes")
	b.Run("whole", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for range b.N {
			f.Parse(text, Options{})
		}
	})
	b.Run("4 bytes a piece", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for range b.N {
			p := f.New(Options{})
			for i := 0; i < len(text); i += 4 {
				p.Push(text[i:min(i+4, len(text))])
			}
			p.Close()
		}
	})
}
