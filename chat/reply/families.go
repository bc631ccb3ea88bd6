package reply

import (
	"strings"
	"sync"
)

// The ways of writing that several families share.
var (
	think = [][2]string{{"<think>", "</think>"}}

	// <tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>
	hermesCalls = form{syntax: jsonCalls, begin: "<tool_call>", end: []string{"</tool_call>"}}

	// <tool_call><function=f><parameter=a>1</parameter></function></tool_call>
	coderCalls = functionCalls("<tool_call>", "</tool_call>")
	coderAlone = keyedAlone(functionCalls("", ""))

	// <tool_call>f<arg_key>a</arg_key><arg_value>1</arg_value></tool_call>
	glmCalls = form{
		syntax: keyedCalls, begin: "<tool_call>",
		nameEnd: []string{"\n", "<arg_key>", "</tool_call>"}, close: []string{"</tool_call>"},
		key: "<arg_key>", keyEnd: "</arg_key>", value: "<arg_value>", valueEnd: "</arg_value>",
	}

	// <|python_tag|>{"name": "f", "parameters": {"a": 1}} or <|python_tag|>f.call(a=1)
	pythonTag = []form{
		{syntax: jsonCalls, begin: "<|python_tag|>"},
		{syntax: pythonCalls, begin: "<|python_tag|>"},
	}

	bareJSON   = &form{syntax: jsonCalls, unmarked: true}
	barePython = &form{syntax: pythonCalls, unmarked: true}

	// <|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"a": 1}<|tool_call_end|>
	kimiCall = form{
		syntax: namedCalls, begin: "<|tool_call_begin|>", numbered: true,
		nameEnd: []string{"<|tool_call_argument_begin|>"}, close: []string{"<|tool_call_end|>"},
	}
	kimiSkip = []string{"<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"}

	// <｜tool▁call▁begin｜>f<｜tool▁sep｜>{"a": 1}<｜tool▁call▁end｜>, and the older
	// <｜tool▁call▁begin｜>function<｜tool▁sep｜>f, then a JSON code block, <｜tool▁call▁end｜>
	deepseekCalls = []form{
		{
			syntax: namedCalls, begin: "<｜tool▁call▁begin｜>",
			nameEnd: []string{"<｜tool▁sep｜>"}, close: []string{"<｜tool▁call▁end｜>"},
		},
		{
			syntax: namedCalls, begin: "<｜tool▁call▁begin｜>", prefix: "function<｜tool▁sep｜>",
			nameEnd: []string{"```json"}, close: []string{"```", "<｜tool▁call▁end｜>"},
		},
	}
	deepseekSkip = []string{"<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"}

	// [TOOL_CALLS][{"name": "f", "arguments": {"a": 1}, "id": "x"}], the newer [TOOL_CALLS]f[ARGS]{"a": 1},
	// and the one between, [TOOL_CALLS]f[CALL_ID]x[ARGS]{"a": 1}
	mistralCalls = []form{
		{syntax: jsonCalls, begin: "[TOOL_CALLS]"},
		{syntax: namedCalls, begin: "[TOOL_CALLS]", nameEnd: []string{"[ARGS]"}, idAfter: "[CALL_ID]"},
	}
)

func functionCalls(begin, end string) form {
	return form{
		syntax: keyedCalls, begin: begin, end: []string{end}, open: "<function=",
		nameEnd: []string{">"}, close: []string{"</function>"},
		key: "<parameter=", keyEnd: ">", valueEnd: "</parameter>",
	}
}

// invokeCalls are <invoke name="f"><parameter name="a">1</parameter></invoke> within begin and end, where
// the marks' names have a prefix.
func invokeCalls(prefix, begin, end string) form {
	return form{
		syntax: keyedCalls, begin: begin, end: []string{end}, open: "<" + prefix + `invoke name="`,
		nameEnd: []string{">"}, close: []string{"</" + prefix + "invoke>"},
		key: "<" + prefix + `parameter name="`, keyEnd: ">", valueEnd: "</" + prefix + "parameter>",
	}
}

// keyedAlone is the form of a call without the marks around all calls.
func keyedAlone(f form) form {
	f.begin, f.open, f.end = f.open, "", nil
	return f
}

// jsonIn is JSON between two marks.
func jsonIn(begin, end string) form { return form{syntax: jsonCalls, begin: begin, end: []string{end}} }

func pythonIn(begin, end string) form {
	return form{syntax: pythonCalls, begin: begin, end: []string{end}}
}

// families is the table, the more particular before the more general.
var families = sync.OnceValue(func() []*Family {
	return []*Family{
		{
			Name: "gpt-oss",
			in:   [][]string{{"<|channel|>", "<|message|>"}},
			skip: []string{"<|end|>", "<|return|>", "<|call|>"},
			header: &header{
				starts: []string{"<|start|>", "<|channel|>"}, initial: []string{" to="}, end: "<|message|>", within: []string{"<|constrain|>"},
				read: readHarmony,
			},
		},
		{
			Name:   "muse",
			in:     [][]string{{"<atem:function_calls>"}},
			calls:  []form{invokeCalls("atem:", "<atem:function_calls>", "</atem:function_calls>")},
			skip:   []string{"<|eom|>", "<|eot|>"},
			header: &header{starts: []string{"<|start|>", "<|message|>"}, initial: []string{" to="}, end: "<|message|>", read: readMuse},
		},
		{
			Name: "functionary-v3.2",
			in:   [][]string{{">>>all"}},
			header: &header{
				starts: []string{">>>"}, initial: []string{""}, end: "\n",
				read: func(text string) (Kind, string, bool) {
					if text == "all" {
						return Content, "", true
					}
					return Content, text, validName(text)
				},
			},
		},
		{
			Name: "functionary-v3.1",
			in:   [][]string{{"<function=", "<|python_tag|>"}},
			calls: []form{
				{syntax: namedCalls, begin: "<function=", nameEnd: []string{">"}, close: []string{"</function>"}},
				pythonTag[0], pythonTag[1],
			},
		},
		{
			Name: "kimi-k3",
			in:   [][]string{{"<|open|>", "<|close|>", "<|sep|>"}},
			thoughts: [][2]string{
				{"<|open|>think<|sep|>", "<|close|>think<|sep|>"},
			},
			calls: []form{{
				syntax: keyedCalls, begin: "<|open|>tools<|sep|>", end: []string{"<|close|>tools<|sep|>"},
				open: `<|open|>call tool="`, nameEnd: []string{"<|sep|>"}, close: []string{"<|close|>call<|sep|>"},
				key: `<|open|>argument key="`, keyEnd: "<|sep|>", valueEnd: "<|close|>argument<|sep|>",
			}},
			skip: []string{"<|open|>response<|sep|>", "<|close|>response<|sep|>", "<|close|>message<|sep|>", "<|end_of_msg|>"},
		},
		{
			Name:            "kimi-k2",
			in:              [][]string{{"<|tool_call_begin|>", "<|tool_call_argument_begin|>"}},
			thoughts:        think,
			callsEndThought: true,
			calls:           []form{kimiCall},
			skip:            kimiSkip,
		},
		{
			Name:     "deepseek-dsml",
			in:       [][]string{{"｜DSML｜"}},
			thoughts: think,
			calls: []form{
				invokeCalls("｜DSML｜", "<｜DSML｜tool_calls>", "</｜DSML｜tool_calls>"),
				invokeCalls("｜DSML｜", "<｜DSML｜function_calls>", "</｜DSML｜function_calls>"),
			},
		},
		{
			Name:     "deepseek",
			in:       [][]string{{"<｜tool▁calls▁begin｜>"}, {"<｜Assistant｜>"}},
			thoughts: think,
			calls:    deepseekCalls,
			skip:     deepseekSkip,
		},
		{
			Name: "command-r7b",
			in:   [][]string{{"<|START_ACTION|>"}},
			thoughts: [][2]string{
				{"<|START_THINKING|>", "<|END_THINKING|>"},
			},
			calls: []form{jsonIn("<|START_ACTION|>", "<|END_ACTION|>")},
			skip:  []string{"<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|START_TEXT|>", "<|END_TEXT|>"},
		},
		{
			Name:  "command-r",
			in:    [][]string{{"<|CHATBOT_TOKEN|>", "Action:"}},
			calls: []form{jsonIn("Action: ```json", "```"), jsonIn("Action:```json", "```")},
		},
		{
			Name:     "mistral",
			in:       [][]string{{"[TOOL_CALLS]"}, {"[THINK]"}},
			thoughts: [][2]string{{"[THINK]", "[/THINK]"}},
			calls:    mistralCalls,
		},
		{
			Name:  "firefunction",
			in:    [][]string{{"functools["}},
			calls: []form{{syntax: jsonCalls, begin: "functools"}},
		},
		{
			Name:  "apertus",
			in:    [][]string{{"<|tools_prefix|>"}},
			calls: []form{{syntax: jsonCalls, begin: "<|tools_prefix|>", end: []string{"<|tools_suffix|>"}, nameIsKey: true}},
			thoughts: [][2]string{
				{"<|inner_prefix|>", "<|inner_suffix|>"},
			},
			callsEndThought: true,
		},
		{
			Name: "gigachat",
			in:   [][]string{{"<|role_sep|>", "<|message_sep|>"}},
			calls: []form{
				{syntax: jsonCalls, begin: "<|function_call|>"},
				{syntax: jsonCalls, begin: "<|message_sep|>\n\nfunction call<|role_sep|>"},
			},
			skip: []string{"<|message_sep|>"},
		},
		{
			Name:     "solar",
			in:       [][]string{{"<|tool_call:begin|>", "<|tool_call:args|>"}},
			thoughts: [][2]string{{"<|think|>", "<|end|>"}},
			calls: []form{{
				syntax: namedCalls, begin: "<|tool_calls|>", open: "<|tool_call:begin|>", end: []string{"<|calls|>"},
				nameEnd: []string{"<|tool_call:args|>"}, idBefore: "<|tool_call:name|>", close: []string{"<|tool_call:end|>"},
			}},
			skip: []string{"<|begin|>assistant", "<|content|>", "<|end|>", "<|flush|>"},
		},
		{
			Name:     "gemma4",
			in:       [][]string{{"<|tool_call>", "<tool_call|>"}},
			thoughts: [][2]string{{"<|channel>thought", "<channel|>"}},
			calls:    []form{{syntax: gemmaCalls, begin: "<|tool_call>", end: []string{"<tool_call|>"}}},
		},
		{
			Name:  "gemma",
			in:    [][]string{{"tool_code"}, {"<start_of_turn>"}},
			calls: []form{pythonIn("```tool_code", "```")},
		},
		{
			Name:     "minimax-m2",
			in:       [][]string{{"<minimax:tool_call>"}},
			thoughts: think,
			calls:    []form{invokeCalls("", "<minimax:tool_call>", "</minimax:tool_call>")},
		},
		{
			Name:     "minimax-m3",
			in:       [][]string{{"]<]minimax[>["}},
			thoughts: [][2]string{{"<mm:think>", "</mm:think>"}},
			calls: []form{{
				syntax: nestedCalls, begin: "]<]minimax[>[<tool_call>", end: []string{"]<]minimax[>[</tool_call>"},
				open: `]<]minimax[>[<invoke name="`, nameEnd: []string{">"}, close: []string{"]<]minimax[>[</invoke>"},
				key: "]<]minimax[>[<", valueEnd: "]<]minimax[>[</",
			}},
		},
		{
			Name:     "seed-oss",
			in:       [][]string{{"<seed:tool_call>"}, {"<seed:think>"}},
			thoughts: [][2]string{{"<seed:think>", "</seed:think>"}},
			calls:    []form{functionCalls("<seed:tool_call>", "</seed:tool_call>")},
		},
		{
			Name:     "minicpm",
			in:       [][]string{{`<function name="`, `<param name="`}},
			thoughts: think,
			calls: []form{{
				syntax: keyedCalls, begin: `<function name="`, nameEnd: []string{">"}, close: []string{"</function>"},
				key: `<param name="`, keyEnd: ">", valueEnd: "</param>",
			}},
			skip: []string{"<tool_sep>"},
		},
		{
			Name:     "hunyuan-3",
			in:       [][]string{{"<tool_sep{}>", "<arg_key{}>"}, {"<tool_sep:opensource>"}},
			thoughts: [][2]string{{"<think:opensource>", "</think:opensource>"}},
			calls: []form{{
				syntax: keyedCalls, begin: "<tool_calls:opensource>", end: []string{"</tool_calls:opensource>"},
				open: "<tool_call:opensource>", nameEnd: []string{"<tool_sep:opensource>"}, close: []string{"</tool_call:opensource>"},
				key: "<arg_key:opensource>", keyEnd: "</arg_key:opensource>",
				value: "<arg_value:opensource>", valueEnd: "</arg_value:opensource>",
			}},
		},
		{
			Name:     "glm",
			in:       [][]string{{"<arg_key>", "<arg_value>"}},
			thoughts: think,
			calls:    []form{glmCalls},
		},
		{
			Name:            "qwen3-coder",
			in:              [][]string{{"<function=", "<parameter="}},
			thoughts:        think,
			callsEndThought: true,
			calls:           []form{coderCalls, hermesCalls, coderAlone},
		},
		{
			Name:     "nemotron",
			in:       [][]string{{"<TOOLCALL>"}},
			thoughts: think,
			calls:    []form{jsonIn("<TOOLCALL>", "</TOOLCALL>")},
		},
		{
			Name:     "lfm2",
			in:       [][]string{{"<|tool_call_start|>"}, {"<|tool_list_start|>"}, {"List of tools: ", "<|im_start|>"}},
			thoughts: think,
			calls:    []form{pythonIn("<|tool_call_start|>", "<|tool_call_end|>"), jsonIn("<|tool_call_start|>", "<|tool_call_end|>")},
		},
		{
			Name:     "granite",
			in:       [][]string{{"<|start_of_role|>"}},
			thoughts: think,
			calls:    []form{{syntax: jsonCalls, begin: "<|tool_call|>"}, hermesCalls},
			skip:     []string{"<response>", "</response>"},
		},
		{
			Name:  "phi-4",
			in:    [][]string{{"<|tool_call|>"}, {"<|tool|>"}},
			calls: []form{jsonIn("<|tool_call|>", "<|/tool_call|>"), {syntax: jsonCalls, begin: "functools"}},
		},
		{
			Name:     "internlm",
			in:       [][]string{{"<|action_start|>"}, {"<|plugin|>"}},
			thoughts: think,
			calls:    []form{jsonIn("<|action_start|><|plugin|>", "<|action_end|>")},
		},
		{
			Name:  "llama-4",
			in:    [][]string{{"<|header_start|>"}},
			calls: []form{pythonIn("<|python_start|>", "<|python_end|>"), jsonIn("<|python_start|>", "<|python_end|>")},
			bare:  []*form{bareJSON, barePython},
		},
		{
			Name:  "llama-3",
			in:    [][]string{{"<|start_header_id|>", "<|python_tag|>"}, {"<|start_header_id|>", `"parameters"`}},
			calls: pythonTag,
			bare:  []*form{bareJSON, barePython},
		},
		{
			Name:     "apriel", // 1.6: its prompts open the thought
			in:       [][]string{{"[BEGIN FINAL RESPONSE]"}},
			thoughts: [][2]string{{"Here are my reasoning steps:", "[BEGIN FINAL RESPONSE]"}, {"<thinking>", "</thinking>"}},
			calls:    []form{jsonIn("<tool_calls>", "</tool_calls>")},
			skip:     []string{"[END FINAL RESPONSE]"},
		},
		{
			Name: "tool-calls", // MiniMax-M1, Hunyuan A13B
			in:   [][]string{{"<tool_calls>"}},
			thoughts: [][2]string{
				{"<think>", "</think>"}, {"<thinking>", "</thinking>"},
			},
			calls: []form{jsonIn("<tool_calls>", "</tool_calls>")},
			skip:  []string{"<answer>", "</answer>"},
		},
		{
			Name:     "olmo",
			in:       [][]string{{"<function_calls>"}},
			thoughts: think,
			calls:    []form{pythonIn("<function_calls>", "</function_calls>")},
		},
		{
			Name:     "exaone",
			in:       [][]string{{"[|assistant|]"}},
			thoughts: [][2]string{{"<think>", "</think>"}, {"<thought>", "</thought>"}},
			calls:    []form{hermesCalls},
		},
		{
			Name:     "hermes", // Qwen 2.5, Qwen 3, QwQ, SmolLM 3, MiMo, Reka
			in:       [][]string{{"<tool_call>"}, {"</tool_call>"}},
			thoughts: think,
			calls:    []form{hermesCalls},
		},
		generic,
	}
})

// generic knows the marks that cannot be mistaken for something else.
var generic = &Family{
	Name:     "generic",
	thoughts: think,
	calls: []form{
		hermesCalls, coderCalls, glmCalls,
		jsonIn("<tool_calls>", "</tool_calls>"),
		mistralCalls[0], mistralCalls[1],
		pythonTag[0], pythonTag[1],
		jsonIn("<|tool_call|>", "<|/tool_call|>"),
		jsonIn("<TOOLCALL>", "</TOOLCALL>"),
	},
	bare: []*form{bareJSON},
}

// readHarmony reads "assistant to=functions.f<|channel|>commentary json", the parts in any order.
func readHarmony(text string) (k Kind, call string, ok bool) {
	_, to, addressed := strings.Cut(text, "to=")
	if i := strings.IndexAny(to, " <\n"); i >= 0 {
		to = to[:i]
	}
	if addressed && to != "assistant" && to != "user" && to != "all" {
		to = strings.TrimPrefix(to, "functions.")
		return Content, to, validName(to)
	}
	if strings.HasPrefix(text, "analysis") || strings.Contains(text, "<|channel|>analysis") {
		return Reasoning, "", true
	}
	return Content, "", true
}

// readMuse reads "assistant to=self". Messages to tools hold calls that name the tool themselves.
func readMuse(text string) (k Kind, call string, ok bool) {
	if strings.HasSuffix(text, "to=self") {
		return Reasoning, "", true
	}
	return Content, "", true
}
