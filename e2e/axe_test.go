//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"testing"
	"time"
)

// axe is what axe-core finds wrong with the page.
type axe struct {
	ID    string   `json:"id"`
	Help  string   `json:"help"`
	Nodes []string `json:"nodes"`
}

func TestAccessibility(t *testing.T) {
	script, err := os.ReadFile("../web/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Fatalf("%v\nnpm ci in web/ installs it", err)
	}
	p := open(t, "/")
	p.state("empty")
	eval[bool](p, string(script)+";true")
	check := func(what string, widths []int64, schemes ...string) {
		t.Helper()
		for _, width := range widths {
			for _, scheme := range schemes {
				p.look(width, scheme)
				time.Sleep(250 * time.Millisecond) // colours fade
				for _, v := range eval[[]axe](p, `axe.run({ resultTypes: ["violations"], preload: false }).then(r => r.violations.map(v => ({ id: v.id, help: v.help, nodes: v.nodes.map(n => n.target.join(" ") + ": " + n.failureSummary).slice(0, 5) })))`) {
					t.Errorf("%s, %d px, %s: %s: %s\n%q", what, width, scheme, v.ID, v.Help, v.Nodes)
				}
				if wide := eval[int](p, `document.documentElement.scrollWidth`); wide > int(width) {
					t.Errorf("%s: the page is %d px wide in a window of %d", what, wide, width)
				}
			}
		}
	}
	wide, narrow := []int64{1280}, []int64{400}
	both := []int64{1280, 400}
	check("empty", narrow, "light", "dark")
	p.pick(save(t, "page.gguf", []byte("<!DOCTYPE html><html></html>"+fmt.Sprintf("%200s", ""))))
	p.state("failed")
	check("failed", wide, "light", "dark")
	p.look(1280, "light")
	p.click("#demo")
	p.state("open")
	check("open", both, "light", "dark")
	for _, view := range []string{"#map", "#tensor/blk.0.ffn_up.weight", "#tokens", "#template", "#compare", "#edit"} {
		p.look(1280, "light")
		eval[bool](p, fmt.Sprintf(`(location.hash = %q, true)`, view))
		p.until(`!document.querySelector('[data-state="reading"]')`, 60*time.Second)
		check(view, both, "light", "dark")
	}
	eval[bool](p, `(location.hash = "#run", true)`)
	p.look(1280, "light")
	p.until(`document.querySelector("#run") !== null`, long)
	p.enter("#maxTokens", "3")
	p.click("#run")
	p.until(`document.querySelector("#run-panel").dataset.state === "done"`, 40*time.Second)
	check("after a run", both, "light", "dark")
	p.look(1280, "light")
	p.click("#similar-mode")
	p.click("#run")
	p.until(`document.querySelector("#similar") !== null`, long)
	check("texts compared", both, "light", "dark")
	p.pick(thinker(t))
	p.state("open")
	p.look(1280, "light")
	p.until(`document.querySelector("#chat")?.checked`, long)
	eval[bool](p, `(document.querySelectorAll(".settings, .settings details").forEach((d) => (d.open = true)), true)`)
	p.enter("#tools", "[")
	check("tools at fault", both, "light", "dark")
	p.enter("#tools", `[{"type": "function", "function": {"name": "add"}}]`)
	p.look(1280, "light")
	p.say("What is 1 + 2?", 1)
	check("calls to answer", both, "light", "dark")
	p.enter("#endpoint", "http://localhost:1/v1")
	p.look(1280, "light")
	p.click("#endpoint-agreed")
	check("another machine", both, "light", "dark")
}
