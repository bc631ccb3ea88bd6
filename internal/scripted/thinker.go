package scripted

// Thinker thinks, calls the tool add with {"b": 2, "a": 1}, and tells that "It is 3." when it has a tool's result; with the
// variable broken its template has it begin a call that is none.
var Thinker = Model{
	Template: "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}{% if messages[-1].role == 'tool' %}<|answer|>{% elif broken is defined %}<|broken|>{% else %}<|assistant|>{% endif %}{# <tool_call> #}",
	Special:  []string{"<|assistant|>", "<|answer|>", "<|broken|>"},
	Says: map[string][]string{
		"<|assistant|>": {"<think>", "I need", " to add.", "</think>", "\n\n", "Let us", " see.", "\n<tool_call>", `{"name": "add", "arguments": {"b": 2,`, ` "a": 1}}`, "</tool_call>"},
		"<|answer|>":    {"It is", " 3."},
		"<|broken|>":    {"<tool_call>", `{"name": "add", "arguments": {"c": `, "oops", "</tool_call>"},
	},
}
