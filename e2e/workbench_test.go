//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"straw/gguf"
	"straw/internal/demo"
	"straw/tokenizer"
)

// tokenizes waits until the tokens on screen are those of what is set.
func (p *tab) tokenizes() {
	p.t.Helper()
	p.until(`document.querySelector("#tokens")?.dataset.state === "done"`, long)
}

// press sends a key to what a selector matches, focused.
func (p *tab) press(selector, key string) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`(() => {
		const e = document.querySelector(%q);
		e.focus();
		return e.dispatchEvent(new KeyboardEvent("keydown", { key: %q, bubbles: true, cancelable: true })) || true;
	})()`, selector, key))
}

// idsShown are the ids of the pieces on screen.
func (p *tab) idsShown() []int {
	p.t.Helper()
	return eval[[]int](p, `[...document.querySelectorAll(".token-strip .piece")].map((e) => Number(e.dataset.id))`)
}

func demoTokenizer(t *testing.T) *tokenizer.Tokenizer {
	t.Helper()
	f, err := gguf.Open(demo.Open())
	if err != nil {
		t.Fatal(err)
	}
	tok, err := tokenizer.New(f)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

func TestTokensOfAText(t *testing.T) {
	tok := demoTokenizer(t)
	p := openDemo(t, "#tokens")
	p.tokenizes()
	const text = "Once upon a time,\n<b>😀</b>"
	p.enter("#tokens-text", text)
	same := func(o tokenizer.Options) []int {
		t.Helper()
		want := tok.Encode(text, o)
		list, _ := json.Marshal(want)
		p.until(fmt.Sprintf(`JSON.stringify([...document.querySelectorAll(".token-strip .piece")].map((e) => Number(e.dataset.id))) === %q`, list), long)
		p.tokenizes()
		if got := p.text(`[data-count="count"] dd`); got != fmt.Sprint(len(want)) {
			t.Errorf("the count is %s, want %d", got, len(want))
		}
		return want
	}
	ids := same(tokenizer.Options{AddSpecial: true, ParseSpecial: true})
	if got := p.text(`.token-strip [data-at="0"].is-special`); got == "" {
		t.Error("the first token is not shown as a special one")
	}
	// By key: the second token's facts are its own.
	p.press(".token-strip", "ArrowRight")
	p.until(`document.querySelector("#token").dataset.at === "1"`, long)
	if got := p.text("#token .facts dd"); got != fmt.Sprint(ids[1]) {
		t.Errorf("the id is %s, want %d", got, ids[1])
	}
	if got, want := p.text(".hex-bytes code"), strings.ToLower(fmt.Sprintf("% x", tok.Piece(ids[1], true))); got != want {
		t.Errorf("the bytes are %s, want %s", got, want)
	}
	// How it came to be: as many steps as the tokenizer tells, and the state they begin with.
	p.click("#trace")
	p.until(`document.querySelector("#origin")?.dataset.state === "done"`, long)
	w, _ := tok.Trace(text, tokenizer.Options{AddSpecial: true, ParseSpecial: true}, 1)
	if n := eval[int](p, `document.querySelectorAll("#steps li").length`); n != len(w.Merges)+1 || n < 2 {
		t.Errorf("%d steps, want %d and the beginning", n, len(w.Merges))
	}
	if got := p.text("#origin .result .is-chosen .number"); got != fmt.Sprint(ids[1]) {
		t.Errorf("the steps give %s, want %d", got, ids[1])
	}
	// The pointer: a click keeps a token chosen.
	p.click(`.token-strip [data-at="3"]`)
	p.until(`document.querySelector("#token").dataset.at === "3" && document.querySelector("#origin").dataset.state === "done"`, long)
	p.click("#add-special")
	same(tokenizer.Options{ParseSpecial: true})

	// And back: the ids give the text.
	p.click("#ids-fill")
	p.until(fmt.Sprintf(`document.querySelector("#ids-text")?.textContent === %q`, text), long)
	p.enter("#ids", "[1, 99999]")
	p.until(`document.querySelector("#ids-wrong").textContent.includes("99999")`, long)
	p.enter("#ids", "1 x2")
	p.until(`document.querySelector("#ids-wrong").textContent.includes("x2")`, long)
}

// TestLongText: of a text of 1 MB a screen of tokens is in the document, and all of them can be reached.
func TestLongText(t *testing.T) {
	p := openDemo(t, "#tokens")
	p.tokenizes()
	eval[bool](p, `(() => {
		const e = document.querySelector("#tokens-text");
		e.value = "Once upon a time there was a cat.\n".repeat(30000);
		return e.dispatchEvent(new Event("input", { bubbles: true }));
	})()`)
	p.until(`document.querySelector("[data-count=bytes] dd")?.textContent === "1,020,000"`, long)
	p.tokenizes()
	if n := len(p.idsShown()); n != 400 {
		t.Errorf("%d pieces are in the document", n)
	}
	p.press(".token-strip", "End")
	p.until(`Number(document.querySelector("#token")?.dataset.at) > 200000`, long)
	p.tokenizes()
	p.until(`document.querySelector("#token").dataset.at === document.querySelector(".token-strip .piece:last-child").dataset.at`, long)
	p.click(`[aria-label="First tokens"]`)
	p.until(`document.querySelector(".token-strip .piece").dataset.at === "0"`, long)
}

// TestTokenizersBeside: a second file's tokens of the same text, here the demo's own.
func TestTokenizersBeside(t *testing.T) {
	p := openDemo(t, "#tokens")
	p.tokenizes()
	p.do(chromedp.SetUploadFiles("#beside", []string{save(t, "other.gguf", demoBytes(t))}, chromedp.NodeReady))
	p.until(`document.querySelector(".other")?.dataset.state === "done"`, long)
	ids := p.idsShown()
	if n := len(ids); n%2 != 0 || n < 4 || fmt.Sprint(ids[:n/2]) != fmt.Sprint(ids[n/2:]) {
		t.Errorf("side by side: %v", ids)
	}
	p.click(".other .button")
	p.until(`document.querySelector(".other") === null`, long)
	p.do(chromedp.SetUploadFiles("#beside", []string{save(t, "page.gguf", fmt.Appendf(nil, "<!DOCTYPE html>%200s", ""))}, chromedp.NodeReady))
	p.until(`document.querySelector("#tokens [role=alert]")?.textContent.includes("HTML")`, long)
}

// rendered waits until what is shown is what the template makes of what is set, and gives it.
func (p *tab) rendered(state string) string {
	p.t.Helper()
	p.until(fmt.Sprintf(`document.querySelector("#rendered")?.dataset.state === %q`, state), long)
	return p.text("#rendered-text")
}

// shows waits until the rendered text has a part.
func (p *tab) shows(part string) {
	p.t.Helper()
	p.until(fmt.Sprintf(`document.querySelector("#rendered-text")?.textContent.includes(%q)`, part), long)
}

func TestTemplateWorkbench(t *testing.T) {
	source := "{{ bos_token }}{% for m in messages %}\n[{{ m.role }}] {{ m.content }}{% if m.tool_calls %} calls {{ m.tool_calls[0].function.name }}{% endif %}\n{% endfor %}" +
		"{% if tools %}{{ tools | length }} tools{% endif %}{% if add_generation_prompt %}[assistant]{% if not enable_thinking | default(true) %} no thoughts{% endif %}{% endif %}{{ mood }}"
	p := open(t, "/#template")
	p.state("empty")
	p.pick(save(t, "chat.gguf", edited(t, to(t, "tokenizer.chat_template", "str", source))))
	p.state("open")
	if got := p.rendered("done"); !strings.Contains(got, "[user] Hello") || !strings.HasSuffix(got, "[assistant]") {
		t.Errorf("rendered %q", got)
	}
	if got := eval[int](p, `document.querySelectorAll("#rendered-text .is-special").length`); got != 1 {
		t.Errorf("%d special tokens are marked, want BOS", got)
	}
	if got := p.text("#rendered-count"); !strings.Contains(got, "token") {
		t.Errorf("the count says %q", got)
	}
	// The conversation, as a person changes it.
	p.click(`[data-preset="system"]`)
	p.until(`document.querySelector("[data-message=\"1\"]") !== null`, long)
	p.enter(`[data-message="0"] textarea`, "Be <b>brief</b>.")
	p.shows("[system] Be <b>brief</b>.")
	p.click("#message-add")
	p.enter(`[data-message="2"] textarea`, "Third")
	p.shows("[assistant] Third")
	p.click(`[data-message="2"] button`)
	p.until(`!document.querySelector("#rendered-text").textContent.includes("Third")`, long)
	p.click(`[data-preset="tools"]`)
	p.shows("calls get_weather")
	p.shows("1 tools")
	p.click("#thinking")
	p.shows("no thoughts")
	p.enter("#template-variables", `{"mood": "glad"}`)
	p.shows("glad")
	p.enter("#template-variables", `{"mood": `)
	p.until(`document.querySelector("#template-variables").getAttribute("aria-invalid") === "true"`, long)
	p.enter("#template-variables", "")
	p.click("#generation")
	p.until(`!document.querySelector("#rendered-text").textContent.includes("[assistant] no") && !document.querySelector("#rendered-text").textContent.endsWith("[assistant]")`, long)

	// A fault is told where it is.
	p.enter("#workbench-template", "{{ messages[0].role }}\n\n  {{ 1 + }}")
	p.rendered("failed")
	p.until(`document.querySelector(".gutter mark")?.dataset.line === "3"`, long)
	p.click("#template-fault button")
	if got := eval[int](p, `document.querySelector("#workbench-template").selectionStart`); got <= len("{{ messages[0].role }}\n\n  {{") {
		t.Errorf("the caret is at %d", got)
	}
	p.enter("#workbench-template", "{{ messages | length }} messages")
	p.shows("3 messages")

	// Into the file: it becomes a change of the edit view.
	p.click("#template-use")
	p.until(`document.querySelector("#template-text")?.value === "{{ messages | length }} messages"`, long)
	p.until(`document.querySelector('#changes [data-key="tokenizer.chat_template"]') !== null`, long)
	p.click(`[data-view="template"]`)
	p.shows("3 messages")
	if got := eval[bool](p, `document.querySelector("#template-use").disabled`); !got {
		t.Error("the template can be used again without a change")
	}
}
