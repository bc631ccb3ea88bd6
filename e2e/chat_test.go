//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"straw/internal/scripted"
)

// writer is a file whose answer is Markdown, with what must not become markup.
func writer(t *testing.T) string {
	t.Helper()
	m := scripted.Model{
		Template: "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}",
		Special:  []string{"<|user|>", "<|assistant|>", "<|system|>"},
		Says: map[string][]string{"<|assistant|>": {"# A", " title\n\n", "Some **bold** words", ", `code`", " and [a link](https://example.com).\n\n",
			"```go\nfunc main() { // says\n\tprintln(\"hi\", 1)\n}\n```\n\n", "- one\n- two\n\n", "| a | b |\n|---|--:|\n| 1 | 22 |\n\n",
			"<img src=x onerror=alert(1)> <b>raw</b>", " ![a picture](https://example.com/x.png)", " [bad](javascript:alert(1))\n"}},
	}
	path := filepath.Join(t.TempDir(), "writer.gguf")
	if err := os.WriteFile(path, m.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// say types a message and waits for the n-th answer.
func (p *tab) say(text string, n int) {
	p.t.Helper()
	p.do(chromedp.SendKeys("#prompt", text+"\r"))
	p.answered(n)
}

func (p *tab) answered(n int) {
	p.t.Helper()
	p.until(fmt.Sprintf(`document.querySelector("#run-panel").dataset.state !== "running" && document.querySelectorAll(".turn.is-answer .tools").length === %d`, n), 40*time.Second)
}

// TestChat is a conversation as a person has it: asked by keyboard, edited, answered again, branched, and found again after a reload.
func TestChat(t *testing.T) {
	p := open(t, "/#run")
	path := writer(t)
	p.pick(path)
	p.state("open")
	p.enter("#system", "Be brief.")
	p.say("What can you do?", 1)

	// Markdown became elements, and markup of the model's stayed text.
	for selector, want := range map[string]string{
		"#story .heading": "A title", "#story strong": "bold", "#story td:last-child": "22", "#story li:last-child": "two",
		"#story .code figcaption span": "go", "#story .c-word": "func", "#story .c-note": "// says",
	} {
		if got := p.text(selector); got != want {
			t.Errorf("%s is %q, want %q", selector, got, want)
		}
	}
	if n := eval[int](p, `document.querySelectorAll("#story img, #story b, #story [href^=javascript]").length`); n != 0 {
		t.Errorf("%d elements came from the model's own markup", n)
	}
	if s := p.text("#story"); !strings.Contains(s, "<img src=x onerror=alert(1)>") || !strings.Contains(s, "a picture") {
		t.Errorf("raw HTML is not shown as text: %q", s)
	}
	if s := p.text(".account"); !strings.Contains(s, "tok/s") || !strings.Contains(s, "prompt of") {
		t.Errorf("the account is %q", s)
	}
	shot(p, "chat")

	p.say("And what else?", 2)
	if s := p.text(".room"); !strings.Contains(s, "of 2,048") {
		t.Errorf("the context meter says %q", s)
	}
	p.click(".turn:last-child .again")
	p.answered(2)
	if s := p.text(".turn:last-child .branches .number"); s != "2 of 2" {
		t.Errorf("after asking again: %q", s)
	}
	p.click(".turn.is-question .edit-turn")
	p.do(chromedp.SendKeys(".edit", " Tell me.\r"))
	p.answered(1)
	if s := p.text(".turn .bubble"); s != "What can you do? Tell me." {
		t.Errorf("the edited question is %q", s)
	}
	p.click(".turn.is-question .branches button")
	p.until(`document.querySelectorAll(".turn").length === 4`, 5*time.Second)

	// It is kept, and taken along.
	file := eval[string](p, `(async () => { let text; URL.createObjectURL = (b) => { text = b.text(); return "data:,"; }; document.querySelector("#export-chats").click(); return text; })()`)
	if !strings.Contains(file, `"straw": "chats"`) || !strings.Contains(file, "And what else?") {
		t.Errorf("exported: %.200s", file)
	}
	p.do(chromedp.Reload())
	p.state("empty")
	p.pick(path)
	p.state("open")
	p.until(`document.querySelectorAll(".chat-title").length === 1`, 10*time.Second)
	p.click(".chat-title")
	p.until(`document.querySelectorAll(".turn").length === 4`, 5*time.Second)
	eval[bool](p, `((window.confirm = () => true), true)`)
	p.click(".chats .remove")
	p.until(`document.querySelectorAll(".chat-title, .turn").length === 0`, 5*time.Second)
	p.do(chromedp.SetUploadFiles("#import-chats", []string{save(t, "chats.json", []byte(file))}, chromedp.NodeReady))
	p.until(`document.querySelectorAll(".chat-title").length === 1`, 5*time.Second)
	p.do(chromedp.SetUploadFiles("#import-chats", []string{save(t, "other.json", []byte(`{"straw": "chats", "version": 1, "chats": [{"id": 1}]}`))}, chromedp.NodeReady))
	p.until(`document.querySelector(".chats [role=alert]")?.textContent.includes("chats[0]")`, 5*time.Second)
}

// TestProbabilities: an answer as its tokens, with what each might have been.
func TestProbabilities(t *testing.T) {
	p := open(t, "/#run")
	p.pick(writer(t))
	p.state("open")
	p.click("#probabilities")
	p.say("Hello", 1)
	p.click(".probabilities")
	if n := eval[int](p, `document.querySelectorAll(".token").length`); n < 8 {
		t.Errorf("%d tokens", n)
	}
	p.do(chromedp.Focus(".token-text"), chromedp.KeyEvent(kb.Home), chromedp.KeyEvent(kb.ArrowRight))
	p.until(`document.querySelector(".token-text").getAttribute("aria-valuenow") === "2"`, 5*time.Second)
	if s := p.text(".alternatives li"); !strings.Contains(s, "title") || !strings.Contains(s, "%") {
		t.Errorf("what it might have been: %q", s)
	}
	shot(p, "probabilities")
}

// TestInputMethod: Enter belongs to the input method while it composes.
func TestInputMethod(t *testing.T) {
	p := open(t, "/#run")
	p.pick(writer(t))
	p.state("open")
	p.enter("#prompt", "こんに")
	eval[bool](p, `document.querySelector("#prompt").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true }))`)
	if s := eval[string](p, `document.querySelector("#run-panel").dataset.state + document.querySelectorAll(".turn").length`); s != "idle0" {
		t.Errorf("Enter while composing: %s", s)
	}
}

// TestTools: the model is told of tools, its call is answered by hand, and it goes on from there.
func TestTools(t *testing.T) {
	m := scripted.Model{
		Template: "{% for t in tools or [] %}<|may|>{{ t.function.name }}{% endfor %}{% for m in messages %}<|{{ 'gave' if m.role == 'tool' else m.role }}|>{{ m.content }}{% endfor %}{% if add_generation_prompt %}<|{{ 'after' if messages[-1].role == 'tool' else 'assistant' }}|>{% endif %}",
		Special:  []string{"<|user|>", "<|assistant|>", "<|may|>", "<|gave|>", "<|after|>"},
		Says: map[string][]string{
			"<|assistant|>": {"<tool_call>", `{"name": "add", `, `"arguments": {"a": 1, "b": 2}}`, "</tool_call>"},
			"<|after|>":     {"It", " is", " three."},
		},
	}
	p := open(t, "/#run")
	p.pick(save(t, "tools.gguf", m.Bytes()))
	p.state("open")
	eval[bool](p, `(document.querySelectorAll(".settings details").forEach((d) => (d.open = true)), true)`)
	p.enter("#tools", `{"type": "function"}`)
	p.do(chromedp.SendKeys("#prompt", "What is 1 + 2?\r"))
	if got := p.text("#tools-fault"); !strings.Contains(got, "no list") || eval[int](p, `document.querySelectorAll(".turn").length`) != 0 {
		t.Errorf("tools at fault: %q", got)
	}
	p.enter("#tools", `[{"type": "function", "function": {"name": "add", "parameters": {"type": "object"}}}]`)
	p.do(chromedp.SendKeys("#prompt", "\r"))
	p.answered(1)
	if got := p.text(".call code"); got != "add" {
		t.Errorf("the call is of %q", got)
	}
	p.do(chromedp.SendKeys(".call-result", "3"))
	shot(p, "tools")
	p.click(".send-results")
	p.answered(2)
	if got := p.text("#story"); got != "It is three." {
		t.Errorf("after the result it says %q", got)
	}
	if got := p.text(".is-result"); got != "Result of add3" {
		t.Errorf("the result is %q", got)
	}
	if got := p.text("#story + .call-answers"); got != "" {
		t.Errorf("an answer without calls asks for %q", got)
	}
}

// TestSimilar: texts are compared by their embeddings, and a text is most like itself.
func TestSimilar(t *testing.T) {
	p := openDemo(t, "#run")
	p.click("#similar-mode")
	p.enter("#prompt", "The cat sat.\nThe cat sat.\nOnce upon a time there was a king.")
	p.click("#run")
	p.until(`document.querySelector("#run-panel").dataset.state === "done"`, long)
	alike := eval[[]string](p, `["1 1", "1 2", "1 3", "3 1"].map((pair) => document.querySelector('[data-pair="' + pair + '"]').textContent)`)
	if alike[0] != "1.000" || alike[1] != "1.000" || alike[2] >= "1.000" || alike[2] != alike[3] {
		t.Errorf("itself, the same, another, the other way: %v", alike)
	}
	shot(p, "similar")
	// The same session writes too.
	p.click("#complete")
	p.enter("#maxTokens", "3")
	p.click("#run")
	p.until(`document.querySelector("#story").textContent !== "" && document.querySelector("#run-panel").dataset.state === "done"`, long)
}
