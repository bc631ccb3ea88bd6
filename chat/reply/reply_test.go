package reply

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var weather = []Tool{
	{Name: "get_weather", Parameters: []byte(`{"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}, "x": {}}}`)},
	{Name: "add", Parameters: []byte(`{"type": "object", "properties": {"a": {"type": "number"}, "b": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}`)},
}

const args = `{"city": "Paris", "days": 2}`

func one(name, arguments string) []Call { return []Call{{Name: name, Arguments: arguments}} }

// cases are outputs as models of each family write them, and what they mean.
var cases = []struct {
	name, family, in string
	o                Options
	want             Message
}{
	{"plain", "hermes", "  Hi <there>, 2 < 3 </think> x\n", Options{}, Message{Content: "  Hi <there>, 2 < 3 </think> x\n"}},
	{"empty", "hermes", "", Options{}, Message{}},
	{"thought and call", "hermes", "<think>\nLet me see.\n</think>\n\nI look.\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": " + args + "}\n</tool_call>\n<tool_call>\n{\"arguments\": {\"a\": 1}, \"name\": \"add\"}\n</tool_call>", Options{},
		Message{Content: "I look.", Reasoning: "Let me see.", Calls: []Call{{"", "get_weather", args}, {"", "add", `{"a": 1}`}}}},
	{"prompt opened the thought", "hermes", "Hm.\n</think>\n\nYes.", Options{Thinking: true}, Message{Content: "Yes.", Reasoning: "Hm."}},
	{"thought opened twice", "hermes", "<think>\nHm.\n</think>\n\nYes.", Options{Thinking: true}, Message{Content: "Yes.", Reasoning: "Hm."}},
	{"thought without end", "hermes", "<think>Hm <tool_call>", Options{}, Message{Reasoning: "Hm <tool_call>"}},
	{"empty thought", "hermes", "<think>\n\n</think>\n\nYes", Options{}, Message{Content: "Yes"}},
	{"call without end", "hermes", `<tool_call>{"name": "add", "arguments": {"a": 1}}`, Options{}, Message{Calls: one("add", `{"a": 1}`)}},
	{"call cut off", "hermes", `See <tool_call>{"name": "add", "arguments": {"a": 1`, Options{}, Message{Content: `See <tool_call>{"name": "add", "arguments": {"a": 1`}},
	{"bad JSON, then a call", "hermes", "<tool_call>{bad}</tool_call>\n<tool_call>{\"name\": \"add\"}</tool_call> done", Options{},
		Message{Content: "<tool_call>{bad}</tool_call> done", Calls: one("add", "{}")}},
	{"arguments in a string, a raw line break", "hermes", "<tool_call>{\"name\": \"add\", \"arguments\": \"{\\\"a\\\": \\\"x\\\\ny\\\"}\"}</tool_call><tool_call>{\"name\": \"add\", \"arguments\": {\"a\": \"x\ny\"}}</tool_call>", Options{},
		Message{Calls: []Call{{"", "add", `{"a": "x\ny"}`}, {"", "add", `{"a": "x\u000ay"}`}}}},
	{"nested function", "hermes", `<tool_call>{"type": "function", "id": "7", "function": {"name": "add", "arguments": {"a": [1, {"b": null}]}}}</tool_call>`, Options{},
		Message{Calls: []Call{{"7", "add", `{"a": [1, {"b": null}]}`}}}},

	{"XML", "qwen3-coder", "Sure.\n<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n<parameter=days>\n2\n</parameter>\n<parameter=x>\n[1, 2.5, true, null]\n</parameter>\n</function>\n</tool_call>", Options{Tools: weather},
		Message{Content: "Sure.", Calls: one("get_weather", `{"city": "Paris", "days": 2, "x": [1, 2.5, true, null]}`)}},
	{"types of the schema", "qwen3-coder", "<tool_call>\n<function=get_weather>\n<parameter=city>\n2\n</parameter>\n</function>\n<function=add>\n<parameter=a>\nmany\n</parameter>\n<parameter=b>\nnull\n</parameter>\n</function>\n</tool_call>", Options{Tools: weather},
		Message{Calls: []Call{{"", "get_weather", `{"city": "2"}`}, {"", "add", `{"a": "many", "b": null}`}}}},
	{"types by look", "qwen3-coder", "<function=f>\n<parameter=a>\n2\n</parameter>\n<parameter=b>\ntwo\nlines\n\n</parameter>\n</function>", Options{},
		Message{Calls: one("f", `{"a": 2, "b": "two\nlines\n"}`)}},
	{"JSON of its own accord", "qwen3-coder", `<tool_call>{"name": "add", "arguments": {}}</tool_call>`, Options{}, Message{Calls: one("add", "{}")}},
	{"a parameter without end", "qwen3-coder", "<tool_call><function=f><parameter=a>1", Options{}, Message{Content: "<tool_call><function=f><parameter=a>1"}},

	{"bare", "llama-3", `{"name": "get_weather", "parameters": ` + args + `}`, Options{Tools: weather}, Message{Calls: one("get_weather", args)}},
	{"bare, type first, two", "llama-3", `{"type": "function", "name": "get_weather", "parameters": ` + args + `}; {"name": "add", "parameters": {}}`, Options{Tools: weather}, Message{Calls: []Call{{"", "get_weather", args}, {"", "add", "{}"}}}},
	{"bare JSON that is an answer", "llama-3", `{"name": "Bob", "parameters": {}}`, Options{Tools: weather}, Message{Content: `{"name": "Bob", "parameters": {}}`}},
	{"bare JSON, no tools", "llama-3", `{"name": "get_weather", "parameters": {}}`, Options{}, Message{Content: `{"name": "get_weather", "parameters": {}}`}},
	{"python tag", "llama-3", `<|python_tag|>{"name": "get_weather", "parameters": ` + args + `}`, Options{}, Message{Calls: one("get_weather", args)}},
	{"built-in", "llama-3", `<|python_tag|>brave_search.call(query="a \"b\" 'c'\n")`, Options{}, Message{Calls: one("brave_search.call", `{"query": "a \"b\" 'c'\n"}`)}},
	{"Python list", "llama-4", `[get_weather(city='Paris', days=2), add(a=-1.5, b=None)]`, Options{Tools: weather}, Message{Calls: []Call{{"", "get_weather", args}, {"", "add", `{"a": -1.5, "b": null}`}}}},
	{"Python between marks", "llama-4", `<|python_start|>[f(a=1)]<|python_end|>`, Options{}, Message{Calls: one("f", `{"a": 1}`)}},

	{"list with ID", "mistral", `[TOOL_CALLS][{"name": "get_weather", "arguments": ` + args + `, "id": "abc123456"}]`, Options{}, Message{Calls: []Call{{"abc123456", "get_weather", args}}}},
	{"name and arguments", "mistral", `[THINK]Hm.[/THINK]Ok.[TOOL_CALLS]get_weather[ARGS]` + args + `[TOOL_CALLS]add[ARGS]{}`, Options{}, Message{Content: "Ok.", Reasoning: "Hm.", Calls: []Call{{"", "get_weather", args}, {"", "add", "{}"}}}},
	{"call ID", "mistral", `[TOOL_CALLS]get_weather[CALL_ID]abc[ARGS]` + args, Options{}, Message{Calls: []Call{{"abc", "get_weather", args}}}},
	{"list cut off", "mistral", `[TOOL_CALLS][{"name": "a", "arguments": {}}, {"name": "b", "arg`, Options{}, Message{Content: `, {"name": "b", "arg`, Calls: one("a", "{}")}},

	{"channels", "gpt-oss", `<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>`, Options{}, Message{Content: "Yes.", Reasoning: "Hm."}},
	{"call in the channel", "gpt-oss", `<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>` + args + `<|call|>`, Options{}, Message{Reasoning: "Hm.", Calls: one("get_weather", args)}},
	{"call in the role", "gpt-oss", ` to=functions.get_weather<|channel|>commentary json<|message|>` + args, Options{}, Message{Calls: one("get_weather", args)}},
	{"preamble", "gpt-oss", `<|channel|>commentary<|message|>I look.<|end|><|start|>assistant to=functions.f<|channel|>commentary<|message|>{}`, Options{}, Message{Content: "I look.", Calls: one("f", "{}")}},
	{"no channel", "gpt-oss", "Hello to=all <|message", Options{}, Message{Content: "Hello to=all <|message"}},
	{"call with bad arguments", "gpt-oss", `<|channel|>commentary to=functions.f<|message|>{"a": <|call|>`, Options{}, Message{Content: `<|channel|>commentary to=functions.f<|message|>{"a":`}},

	{"V3.1", "deepseek", "Hm</think>Ok<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>" + args + "<｜tool▁call▁end｜><｜tool▁call▁begin｜>add<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>", Options{Thinking: true},
		Message{Content: "Ok", Reasoning: "Hm", Calls: []Call{{"", "get_weather", args}, {"", "add", "{}"}}}},
	{"R1", "deepseek", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n" + args + "\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>", Options{}, Message{Calls: one("get_weather", args)}},
	{"V3.2", "deepseek-dsml", "</think>\n\n<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"f\">\n<｜DSML｜parameter name=\"a\" string=\"true\">2</｜DSML｜parameter>\n<｜DSML｜parameter name=\"b\" string=\"false\">[1, true]</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>", Options{Thinking: true},
		Message{Calls: one("f", `{"a": "2", "b": [1, true]}`)}},

	{"action", "command-r7b", "<|START_THINKING|>Hm.<|END_THINKING|><|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"get_weather\", \"parameters\": " + args + "}\n]<|END_ACTION|>", Options{}, Message{Reasoning: "Hm.", Calls: []Call{{"0", "get_weather", args}}}},
	{"response", "command-r7b", "<|START_THINKING|>Hm.<|END_THINKING|><|START_RESPONSE|>Yes.<|END_RESPONSE|>", Options{}, Message{Content: "Yes.", Reasoning: "Hm."}},
	{"action", "command-r", "Action: ```json\n[\n    {\n        \"tool_name\": \"add\",\n        \"parameters\": {\"a\": 1}\n    }\n]```", Options{}, Message{Calls: one("add", `{"a": 1}`)}},

	{"recipients", "functionary-v3.2", "all\nI look.\n>>>get_weather\n" + args + ">>>add\n{}", Options{}, Message{Content: "I look.", Calls: []Call{{"", "get_weather", args}, {"", "add", "{}"}}}},
	{"not a recipient", "functionary-v3.2", "Well, no.\n>>> x\n", Options{}, Message{Content: "Well, no.\n>>> x\n"}},
	{"function", "functionary-v3.1", "Ok <function=get_weather>" + args + "</function>", Options{}, Message{Content: "Ok", Calls: one("get_weather", args)}},
	{"functools", "firefunction", ` functools[{"name": "get_weather", "arguments": ` + args + `}]`, Options{}, Message{Calls: one("get_weather", args)}},
	{"call", "granite", `<|tool_call|>[{"name": "get_weather", "arguments": ` + args + `}]`, Options{}, Message{Calls: one("get_weather", args)}},
	{"response", "granite", "<think>Hm.</think>\n<response>Yes.</response>", Options{}, Message{Content: "Yes.", Reasoning: "Hm."}},
	{"call", "phi-4", `<|tool_call|>[{"name": "get_weather", "arguments": ` + args + `}]<|/tool_call|>`, Options{}, Message{Calls: one("get_weather", args)}},

	{"lines", "glm", "\n<think>Hm.</think>\n<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n<arg_key>days</arg_key>\n<arg_value>2</arg_value>\n</tool_call>", Options{Tools: weather}, Message{Reasoning: "Hm.", Calls: one("get_weather", args)}},
	{"one line", "glm", "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>days</arg_key><arg_value>2</arg_value></tool_call><tool_call>now</tool_call>", Options{}, Message{Calls: []Call{{"", "get_weather", args}, {"", "now", "{}"}}}},
	{"call", "hunyuan-3", "<think:opensource>Hm</think:opensource><tool_calls:opensource>\n<tool_call:opensource>f<tool_sep:opensource>\n<arg_key:opensource>a</arg_key:opensource>\n<arg_value:opensource>1</arg_value:opensource>\n</tool_call:opensource>\n</tool_calls:opensource>", Options{}, Message{Reasoning: "Hm", Calls: one("f", `{"a": 1}`)}},

	{"section", "kimi-k2", "<think>Hm<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>" + args + "<|tool_call_end|><|tool_calls_section_end|>", Options{}, Message{Reasoning: "Hm", Calls: []Call{{"functions.get_weather:0", "get_weather", args}}}},
	{"call", "kimi-k3", `Hm<|close|>think<|sep|><|open|>response<|sep|>Ok<|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Paris<|close|>argument<|sep|><|open|>argument key="days" type="number"<|sep|>2<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|><|end_of_msg|>`, Options{Thinking: true},
		Message{Content: "Ok", Reasoning: "Hm", Calls: one("get_weather", args)}},
	{"invoke", "minimax-m2", "Hm.\n</think>\n\n<minimax:tool_call>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Paris</parameter>\n<parameter name=\"days\">2</parameter>\n</invoke>\n</minimax:tool_call>", Options{Thinking: true}, Message{Reasoning: "Hm.", Calls: one("get_weather", args)}},
	{"nested", "minimax-m3", "<mm:think>Hm.</mm:think>]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"f\">]<]minimax[>[<a>x]<]minimax[>[</a>]<]minimax[>[<b>]<]minimax[>[<item>1]<]minimax[>[</item>]<]minimax[>[<item>]<]minimax[>[<c>two]<]minimax[>[</c>]<]minimax[>[</item>]<]minimax[>[</b>]<]minimax[>[<d>]<]minimax[>[</d>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>", Options{},
		Message{Reasoning: "Hm.", Calls: one("f", `{"a": "x", "b": [1, {"c": "two"}], "d": null}`)}},
	{"seed", "seed-oss", "<seed:think>Hm</seed:think><seed:tool_call>\n<function=f>\n<parameter=a>[1, True, None]</parameter>\n<parameter=b>Paris</parameter>\n</function>\n</seed:tool_call>", Options{}, Message{Reasoning: "Hm", Calls: one("f", `{"a": [1, true, null], "b": "Paris"}`)}},
	{"CDATA", "minicpm", `<function name="f"><param name="a"><![CDATA[x<y]]></param><param name="n">3</param></function>`, Options{}, Message{Calls: one("f", `{"a": "x<y", "n": 3}`)}},
	{"recipients", "muse", " to=self<|message|>Hm.<|eom|><|start|>assistant to=f<|message|><atem:function_calls>\n<atem:invoke name=\"f\">\n<atem:parameter name=\"a\">1</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eot|>", Options{}, Message{Reasoning: "Hm.", Calls: one("f", `{"a": 1}`)}},

	{"tool_code", "gemma", "Ok.\n```tool_code\nget_weather(city=\"Paris\", days=2)\n```", Options{}, Message{Content: "Ok.", Calls: one("get_weather", args)}},
	{"code that calls nothing", "gemma", "```tool_code\nx = 1\n```", Options{}, Message{Content: "```tool_code\nx = 1\n```"}},
	{"call", "gemma4", "<|channel>thought\nHm.<channel|><|tool_call>call:f{a:<|\"|>x \"y\"<|\"|>,b:{c:[1,true]}}<tool_call|>", Options{}, Message{Reasoning: "Hm.", Calls: one("f", `{"a": "x \"y\"", "b": {"c": [1, true]}}`)}},
	{"Python", "lfm2", "<|tool_call_start|>[get_weather(city='Paris', days=2, x=[1, 2.5, True, None, {'a': ('b',)}])]<|tool_call_end|>", Options{}, Message{Calls: one("get_weather", `{"city": "Paris", "days": 2, "x": [1, 2.5, true, null, {"a": ["b"]}]}`)}},
	{"positional", "lfm2", "<|tool_call_start|>[f(1)]<|tool_call_end|>", Options{}, Message{Content: "<|tool_call_start|>[f(1)]<|tool_call_end|>"}},
	{"lines of Python", "olmo", "<function_calls>\nget_weather(city=\"Paris\", days=2)\nadd()\n</function_calls>", Options{}, Message{Calls: []Call{{"", "get_weather", args}, {"", "add", "{}"}}}},
	{"thought and call", "exaone", "<thought>\nHm.\n</thought>\n\n<tool_call>{\"name\": \"get_weather\", \"arguments\": " + args + "}</tool_call>", Options{}, Message{Reasoning: "Hm.", Calls: one("get_weather", args)}},
	{"list", "nemotron", "Hm.\n</think>\n\n<TOOLCALL>[{\"name\": \"get_weather\", \"arguments\": " + args + "}]</TOOLCALL>", Options{Thinking: true}, Message{Reasoning: "Hm.", Calls: one("get_weather", args)}},
	{"name as key", "apertus", `<|inner_prefix|>Hm.<|tools_prefix|>[{"get_weather": ` + args + `}, {"add": {}}]<|tools_suffix|>`, Options{}, Message{Reasoning: "Hm.", Calls: []Call{{"", "get_weather", args}, {"", "add", "{}"}}}},
	{"call", "solar", "<|think|>Hm.<|end|><|begin|>assistant<|tool_calls|><|tool_call:begin|>id1<|tool_call:name|>get_weather<|tool_call:args|>" + args + "<|tool_call:end|><|calls|>", Options{}, Message{Reasoning: "Hm.", Calls: []Call{{"id1", "get_weather", args}}}},
	{"function call", "gigachat", "Ok<|message_sep|>\n\nfunction call<|role_sep|>\n{\"name\": \"get_weather\", \"arguments\": " + args + "}", Options{}, Message{Content: "Ok", Calls: one("get_weather", args)}},
	{"plugin", "internlm", "<|action_start|><|plugin|>\n{\"name\": \"get_weather\", \"parameters\": " + args + "}\n<|action_end|>", Options{}, Message{Calls: one("get_weather", args)}},
	{"list", "tool-calls", "<thinking>Hm.</thinking>\n<tool_calls>[{\"name\": \"get_weather\", \"arguments\": " + args + ", \"id\": \"1\"}]</tool_calls>", Options{}, Message{Reasoning: "Hm.", Calls: []Call{{"1", "get_weather", args}}}},
	{"prompt opened the thought", "apriel", "Hm.\n[BEGIN FINAL RESPONSE]\nYes.\n<tool_calls>[{\"name\": \"add\", \"arguments\": {}}]</tool_calls>", Options{Thinking: true}, Message{Content: "Yes.", Reasoning: "Hm.", Calls: one("add", "{}")}},
	{"lines", "tool-calls", "<tool_calls>\n{\"name\": \"get_weather\", \"arguments\": " + args + "}\n{\"name\": \"add\", \"arguments\": {}}\n</tool_calls>", Options{}, Message{Calls: []Call{{"", "get_weather", args}, {"", "add", "{}"}}}},
	{"all ways", "generic", "<tool_call>f<arg_key>a</arg_key><arg_value>1</arg_value></tool_call> and [TOOL_CALLS]g[ARGS]{}", Options{}, Message{Content: " and", Calls: []Call{{"", "f", `{"a": 1}`}, {"", "g", "{}"}}}},
}

// stream parses the pieces and holds the events to their order.
func stream(f *Family, o Options, pieces []string) (Message, error) {
	p := f.New(o)
	var c collected
	open, calls := false, 0
	take := func(events []Event) error {
		for _, e := range events {
			inCall := e.Kind == Arguments || e.Kind == End || e.Kind == Drop
			if inCall != open || e.Kind >= Begin && e.Call != calls {
				return fmt.Errorf("%v of call %d; open %v, %d complete", e.Kind, e.Call, open, calls)
			}
			if e.Kind <= Reasoning && e.Text == "" {
				return fmt.Errorf("empty %v", e.Kind)
			}
			open = e.Kind == Begin || e.Kind == Arguments
			if e.Kind == End {
				calls++
			}
			c.add(e)
		}
		return nil
	}
	var err error
	for _, piece := range pieces {
		if e := take(p.Push(piece)); err == nil {
			err = e
		}
	}
	if e := take(p.Close()); err == nil {
		err = e
	}
	if err == nil && open {
		err = fmt.Errorf("a call is open at the end")
	}
	if m := p.Message(); err == nil && !reflect.DeepEqual(m, c.message()) {
		err = fmt.Errorf("Message %+v, events %+v", m, c.message())
	}
	return c.message(), err
}

// check parses an output whole and in pieces, and holds the result to what is always so.
func check(f *Family, o Options, text string, pieces []string) (Message, error) {
	var s scanner
	s.init(f, o)
	s.buf, s.ended = []byte(text), true
	s.run()
	whole := s.message()
	if s.counted+s.swallows != int64(len(text)) {
		return whole, fmt.Errorf("%d bytes of text and %d of marks in an output of %d", s.counted, s.swallows, len(text))
	}
	for _, c := range whole.Calls {
		if !json.Valid([]byte(c.Arguments)) || c.Arguments[0] != '{' || c.Name == "" {
			return whole, fmt.Errorf("arguments of %q: %s", c.Name, c.Arguments)
		}
	}
	got, err := stream(f, o, pieces)
	if err == nil && !reflect.DeepEqual(got, whole) {
		err = fmt.Errorf("in pieces %+v, whole %+v", got, whole)
	}
	return whole, err
}

func TestFamilies(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range cases {
		seen[c.family] = true
		t.Run(c.family+"/"+c.name, func(t *testing.T) {
			f := Lookup(c.family)
			got, err := check(f, c.o, c.in, strings.Split(c.in, ""))
			if err != nil {
				t.Error("character by character:", err)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
			var bytes []string
			for i := range len(c.in) {
				bytes = append(bytes, c.in[i:i+1])
			}
			if _, err := check(f, c.o, c.in, bytes); err != nil {
				t.Error("byte by byte:", err)
			}
		})
	}
	for _, f := range Families() {
		if !seen[f.Name] {
			t.Errorf("no case of %s", f.Name)
		}
	}
}

func TestCuts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(cases).Draw(t, "case")
		f := rapid.SampledFrom(Families()).Draw(t, "family")
		if rapid.Bool().Draw(t, "its own") {
			f = Lookup(c.family)
		}
		var pieces []string
		for rest := c.in; rest != ""; {
			n := rapid.IntRange(1, min(len(rest), 20)).Draw(t, "n")
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		if _, err := check(f, c.o, c.in, pieces); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
	})
}

func FuzzReply(f *testing.F) {
	for _, c := range cases {
		for i, g := range families() {
			if g.Name == c.family {
				f.Add(uint8(i), uint8(3), c.o.Thinking, c.in)
			}
		}
	}
	f.Fuzz(func(t *testing.T, family, cut uint8, thinking bool, text string) {
		var pieces []string
		n := int(cut)%13 + 1
		for rest := text; rest != ""; rest = rest[min(n, len(rest)):] {
			pieces = append(pieces, rest[:min(n, len(rest))])
		}
		o := Options{Thinking: thinking, Tools: weather}
		if _, err := check(families()[int(family)%len(families())], o, text, pieces); err != nil {
			t.Fatal(err)
		}
	})
}
