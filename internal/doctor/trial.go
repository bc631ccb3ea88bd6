package doctor

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"straw/chat"
	"straw/tokenizer"
)

// Limits of one rendering. Of the templates that models come with the most costly takes a tenth of them for these
// conversations.
const (
	mostSteps  = 500_000
	mostBytes  = 16 << 20
	mostOutput = 1 << 20 // bytes
)

// What is said in the trial conversations; no template has a reason to change these words.
const (
	question = "Pelargonium one?"
	answer   = "Quillwort two."
	again    = "Rhubarb three?"
	orders   = "Sorrel four."
	toolName = "lookup_tansy"
	result   = "Umbellifer five"
)

// Messages and tools as templates get them. An id of nine letters and digits is what the strictest template takes.
const (
	ask         = `{"role": "user", "content": "` + question + `"}`
	reply       = `{"role": "assistant", "content": "` + answer + `"}`
	goOn        = `{"role": "user", "content": "` + again + `"}`
	instruct    = `{"role": "system", "content": "` + orders + `"}`
	emptySystem = `{"role": "system", "content": ""}`
	toolResult  = `{"role": "tool", "tool_call_id": "abcdef123", "name": "` + toolName + `", "content": "` + result + `"}`

	toolList = `[{"type": "function", "function": {"name": "` + toolName + `", "description": "Looks a plant up.",
		"parameters": {"type": "object", "properties": {"plant": {"type": "string", "description": "Its name."}}, "required": ["plant"]}}}]`
)

// toolCall is a message in which the model calls the tool; arguments is JSON.
func toolCall(arguments string) string {
	return `{"role": "assistant", "content": "", "tool_calls": [{"id": "abcdef123", "type": "function",
		"function": {"name": "` + toolName + `", "arguments": ` + arguments + `}}]}`
}

// trial is one template that is tried out.
type trial struct {
	*examination
	ctx      context.Context
	key      string
	src      string
	template *chat.Template
	bos, eos string
	parts    bool // contents are lists of parts
}

func (e *examination) newTrial(ctx context.Context, key, src string, t *chat.Template) *trial {
	token := func(name string) string {
		if id, ok := e.integer(ggml + name + "_token_id"); ok && id >= 0 && id < int64(len(e.texts)) {
			return e.texts[id]
		}
		return ""
	}
	return &trial{examination: e, ctx: ctx, key: key, src: src, template: t, bos: token("bos"), eos: token("eos")}
}

// render renders a conversation of messages in JSON; tools may be "".
func (t *trial) render(tools string, prompt bool, messages ...string) (string, error) {
	list, err := chat.DecodeJSON([]byte("[" + strings.Join(messages, ",") + "]"))
	if err != nil {
		return "", err
	}
	if t.parts {
		intoParts(list.(*chat.List))
	}
	c := chat.Conversation{Messages: list, BOS: t.bos, EOS: t.eos, AddGenerationPrompt: prompt}
	if tools != "" {
		if c.Tools, err = chat.DecodeJSON([]byte(tools)); err != nil {
			return "", err
		}
	}
	text, err := t.template.Render(t.ctx, c.Vars(), chat.Options{Limits: chat.Limits{Steps: mostSteps, Bytes: mostBytes, Output: mostOutput}})
	t.failed(t.ctx.Err())
	return text, err
}

// intoParts turns each content into a list with one part of text.
func intoParts(messages *chat.List) {
	for _, m := range messages.Items {
		d := m.(*chat.Dict)
		content, _ := d.Get("content")
		part := chat.NewDict()
		part.Set("type", "text")
		part.Set("text", content)
		d.Set("content", chat.NewList(part))
	}
}

// general tries what every program does with a template, and reports whether a plain question is rendered.
func (t *trial) general() bool {
	text, err := t.render("", true, ask)
	if err != nil || !strings.Contains(text, question) {
		t.parts = true
		text2, err2 := t.render("", true, ask)
		if err2 == nil && strings.Contains(text2, question) {
			t.add("template-parts", t.key, "it takes messages in parts ([{\"type\": \"text\", ...}]) only, not as strings: programs that send strings, Straw among them, get an error or an empty prompt; make it take strings too")
			text, err = text2, nil
		}
	}
	switch {
	case err != nil:
		t.add("template-fails", t.key, "it fails on a plain question, at "+fault(err)+"; correct the template, or give prompts as they are")
		return false
	case !strings.Contains(text, question):
		t.add("template-fails", t.key, "the question is not in what it renders of a plain question: the model would not see it; correct the template")
		return false
	}
	if t.bos != "" && t.tok != nil && t.tok.AddBOS() && strings.HasPrefix(text, t.bos) {
		t.add("bos-doubled", t.key, "what it renders begins with "+quoted(t.bos)+", which the tokenizer (add_bos_token) puts there too: programs that do not take one away feed it twice; Straw does, elsewhere turn one of the two off")
	}
	t.markers(t.turns() + t.system() + text)
	return true
}

// turns tries a conversation that goes on, and how an answer ends in it. Its value is what was rendered.
func (t *trial) turns() string {
	text, err := t.render("", true, ask, reply, goOn)
	switch {
	case err != nil:
		t.add("template-turns", t.key, "it fails on a second question, at "+fault(err)+": a conversation ends after one answer; correct the template")
	case !contains(text, question) || !contains(text, answer) || !contains(text, again):
		t.add("template-turns", t.key, "a part of the conversation is not in what it renders of two questions: the model forgets it; correct the template")
	}
	if t.tok == nil {
		return text
	}
	ended, err := t.render("", false, ask, reply)
	if _, after, ok := strings.Cut(ended, answer); err == nil && ok {
		t.turnEnd(strings.TrimLeft(after, " \t\r\n"))
	}
	return text
}

// turnEnd looks at what follows an answer at the end of a conversation.
func (t *trial) turnEnd(after string) {
	best, length := -1, 0
	for id, text := range t.texts {
		if len(text) > length && id < len(t.kinds) && t.kinds[id] == int64(tokenizer.Control) && strings.HasPrefix(after, text) {
			best, length = id, len(text)
		}
	}
	if best >= 0 && !t.tok.IsEOG(best) {
		t.add("turn-end", t.key, "it ends an answer with "+quoted(t.texts[best])+", which does not end generation: answers run on into the next turn; set tokenizer.ggml.eot_token_id to its id, "+strconv.Itoa(best))
	}
}

// markers looks at the texts between <| and |> that a template writes: they should be tokens of their own.
func (t *trial) markers(text string) {
	if t.tok == nil {
		return
	}
	ids := map[string]int{}
	var order []string
	for _, ends := range [][2]string{{"<|", "|>"}, {"<｜", "｜>"}} {
		rest := text
		for {
			i := strings.Index(rest, ends[0])
			if i < 0 {
				break
			}
			rest = rest[i:]
			n := strings.Index(rest, ends[1])
			if n < 0 {
				break
			}
			n += len(ends[1])
			if m := rest[:n]; n <= 64 && !strings.ContainsAny(m, " \t\r\n'\"") {
				if _, known := ids[m]; !known {
					ids[m] = -1
					order = append(order, m)
				}
			}
			rest = rest[len(ends[0]):]
		}
	}
	for id, token := range t.texts {
		if _, ok := ids[token]; ok {
			ids[token] = id
		}
	}
	for _, m := range order {
		id := ids[m]
		if id < 0 {
			t.add("template-marker", t.key, "it writes "+quoted(m)+", which is no token: the model gets it letter by letter; if it was not trained so, the template is another model's")
			return
		}
		if _, kind := t.tok.Token(id); kind == tokenizer.Normal {
			t.add("template-marker-type", t.key, fmt.Sprintf("it writes %s, which is token %d, but of type normal: in a prompt it is not taken for the token; set its type to control (%d)", quoted(m), id, tokenizer.Control))
			return
		}
	}
}

// system tries a system message, and an empty one. Its value is what was rendered.
func (t *trial) system() string {
	text, err := t.render("", true, instruct, ask)
	switch {
	case err != nil:
		t.add("template-system", t.key, "it refuses a system message, at "+fault(err)+"; put the instructions at the beginning of the first question")
		return ""
	case !strings.Contains(text, orders):
		t.add("template-system-ignored", t.key, "it leaves a system message out without saying so: instructions have no effect; put them at the beginning of the first question, or correct the template")
	}
	if _, err := t.render("", true, emptySystem, ask); err != nil {
		t.add("template-empty-system", t.key, "it fails on an empty system message, at "+fault(err)+"; send none at all where there are no instructions")
	}
	return text
}

// toolWords are tokens that models have which were taught to call tools.
var toolWords = []string{"<tool_call>", "<|tool_call|>", "[TOOL_CALLS]", "[AVAILABLE_TOOLS]", "<|python_tag|>", "<｜tool▁calls▁begin｜>", "<|tool_calls_section_begin|>"}

// toolUse tries tools, a call and its result.
func (t *trial) toolUse() {
	text, err := t.render(toolList, true, ask)
	switch {
	case err != nil:
		t.add("template-tools", t.key, "it fails on a conversation with tools, at "+fault(err)+"; send no tools, or correct the template")
		return
	case strings.Contains(text, toolName):
	case strings.Contains(t.src, "tools"):
		t.add("template-tools-ignored", t.key, "it speaks of tools but leaves them out: the model does not know what it may call; see what the template wants beside them, or correct it")
		return
	default:
		for _, token := range t.texts {
			for _, w := range toolWords {
				if token == w {
					t.add("template-tools-ignored", t.key, "the vocabulary has "+quoted(w)+" for calls of tools, but the template leaves tools out: the model does not know what it may call; take the template from the original model")
					return
				}
			}
		}
		return
	}
	text, err = t.render(toolList, true, ask, toolCall(`{"plant": "tansy"}`), toolResult)
	if err != nil || !strings.Contains(text, result) {
		if asText, textErr := t.render(toolList, true, ask, toolCall(`"{\"plant\": \"tansy\"}"`), toolResult); textErr == nil && strings.Contains(asText, result) {
			text, err = asText, nil
		}
	}
	switch {
	case err != nil:
		t.add("template-tool-calls", t.key, "it takes tools but fails on the result of a call, at "+fault(err)+": the model can call a tool and never learns what came of it; correct the template")
	case !strings.Contains(text, result):
		t.add("template-tool-calls", t.key, "it takes tools but leaves the result of a call out: the model can call a tool and never learns what came of it; correct the template")
	}
}
