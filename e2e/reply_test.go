//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"straw/internal/scripted"
)

// thinker is a file that answers with a thought, some words and a call; its template has faults that the doctor finds.
func thinker(t *testing.T) string {
	t.Helper()
	m := scripted.Model{
		Template: "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no orders') }}{% endif %}<|{{ m.role }}|>{{ m.content }}{% endfor %}" +
			"{% if add_generation_prompt %}<|assistant|>{% endif %}{{ tone }}",
		Special: []string{"<|user|>", "<|assistant|>"},
		Says: map[string][]string{"<|assistant|>": {"<think>", "They", " want", " a sum;", " I have", " a tool", " for that.", "</think>", "\n\n", "Let me", " add", " these.",
			"<tool_call>", `{"name": "add", `, `"arguments": {"a": 1, "b": 2}}`, "</tool_call>"}},
	}
	path := filepath.Join(t.TempDir(), "thinker.gguf")
	if err := os.WriteFile(path, m.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

const fetchedRunner = `performance.getEntriesByType("resource").some(r => r.name.includes("runner.wasm"))`

// TestThoughtsAndCalls: an answer in the way of its family is shown in its parts, the thought folded.
func TestThoughtsAndCalls(t *testing.T) {
	p := open(t, "/")
	p.pick(thinker(t))
	p.state("open")
	p.click("#to-run")
	p.click("#chat")
	p.enter("#prompt", "What is 1 + 2?")
	p.click("#run")
	p.until(`document.querySelector("#run-panel").dataset.state === "done"`, 30*time.Second)
	if got := p.text("#story"); got != "Let me add these." {
		t.Errorf("the answer is %q", got)
	}
	if got := p.text("#thought bdi"); got != "They want a sum; I have a tool for that." {
		t.Errorf("the thought is %q", got)
	}
	if eval[bool](p, `document.querySelector("#thought").open`) {
		t.Error("the thought is not folded")
	}
	if got := p.text(".call code"); got != "add" {
		t.Errorf("the call is of %q", got)
	}
	if got := p.text(".call pre"); got != "{\n  \"a\": 1,\n  \"b\": 2\n}" {
		t.Errorf("its arguments are %q", got)
	}
	if got := p.text("#speed"); !strings.Contains(got, "calls a tool") {
		t.Errorf("it ended: %q", got)
	}
	shot(p, "thought")
	// Whoever runs the model has the doctor's program too.
	p.click(`[data-view="file"]`)
	p.until(`document.querySelector(".examination").dataset.state === "done"`, 10*time.Second)
}

// TestExamine: the header's findings are there at once, the doctor's when they are asked for, each with what to do.
func TestExamine(t *testing.T) {
	p := open(t, "/")
	p.pick(thinker(t))
	p.state("open")
	if eval[bool](p, fetchedRunner) {
		t.Error("runner.wasm was fetched before anybody asked")
	}
	p.click("#examine")
	p.until(`document.querySelector('[data-rule="template-system"]') !== null`, 30*time.Second)
	finding := p.text(`[data-rule="template-system"]`)
	for _, word := range []string{"Warning", "no orders", "template-system", "tokenizer.chat_template", "The chat template refuses system messages", "at the beginning of the first question"} {
		if !strings.Contains(finding, word) {
			t.Errorf("the finding does not say %q: %s", word, finding)
		}
	}
	shot(p, "findings")
	// The program that examined is the one that runs.
	p.click("#to-run")
	p.click("#complete")
	p.enter("#maxTokens", "3")
	p.click("#run")
	p.until(`document.querySelector("#run-panel").dataset.state === "done"`, 30*time.Second)
	if n := eval[int](p, `performance.getEntriesByType("resource").filter(r => r.name.includes("worker.js")).length`); n > 2 {
		t.Errorf("%d workers were started, want the viewer's and the runner's", n)
	}
}

// TestRenderTemplate: straw.js renders templates for other pages.
func TestRenderTemplate(t *testing.T) {
	p := open(t, "/test/embed.html")
	p.state("ready")
	p.pick(thinker(t))
	if got := eval[string](p, `(async () => {
		window.model = await straw.open(document.querySelector("#file").files[0]);
		return model.renderTemplate([{ role: "user", content: "Hi" }], { variables: { tone: "!" } });
	})()`); got != "<|user|>Hi<|assistant|>!" {
		t.Errorf("rendered %q", got)
	}
	if got := eval[string](p, `model.renderTemplate([{ role: "user", content: { b: 1, a: [] } }], { addGenerationPrompt: false })`); got != "<|user|>{'b': 1, 'a': []}" {
		t.Errorf("rendered %q", got)
	}
	f := eval[failure](p, `failure(model.renderTemplate([{ role: "system" }]))`)
	if f.Kind != "format" || f.Field != "tokenizer.chat_template" || !f.IsStraw || !strings.Contains(f.Message, "no orders") {
		t.Errorf("a template that raises: %+v", f)
	}
	if f := eval[failure](p, `failure(model.renderTemplate([], { signal: AbortSignal.abort() }))`); f.Kind != "aborted" {
		t.Errorf("aborted: %+v", f)
	}
	if n := eval[int](p, `model.examine().then((list) => list.filter((f) => f.rule === "template-system").length)`); n != 1 {
		t.Errorf("%d findings of the system message", n)
	}
	message := eval[string](p, `(async () => {
		const session = await model.load();
		for await (const piece of session.generate({ messages: [{ role: "user", content: "Hi" }], tools: [{ type: "function", function: { name: "add" } }] }));
		const { finishReason, message } = session.last;
		message.tool_calls[0].id = "";
		session.close();
		return finishReason + JSON.stringify(message);
	})()`)
	const want = `tool_calls{"role":"assistant","content":"Let me add these.","reasoning_content":"They want a sum; I have a tool for that.",` +
		`"tool_calls":[{"id":"","type":"function","function":{"name":"add","arguments":"{\"a\": 1, \"b\": 2}"}}]}`
	if message != want {
		t.Errorf("the answer is %s, want %s", message, want)
	}
}

// shot writes what the page looks like into $SHOTS, if that is set: light, dark and narrow.
func shot(p *tab, name string) {
	folder := os.Getenv("SHOTS")
	if folder == "" {
		return
	}
	p.t.Helper()
	for _, as := range []struct {
		name, scheme string
		width        int64
	}{{"light", "light", 1280}, {"dark", "dark", 1280}, {"narrow", "light", 390}} {
		p.look(as.width, as.scheme)
		eval[bool](p, `(document.querySelector("#findings details") ?? {}).open = true`)
		png, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
		if err != nil {
			p.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name+"-"+as.name+".png"), png, 0o666); err != nil {
			p.t.Fatal(err)
		}
	}
	p.look(1280, "light") // as it was
}
