//go:build e2e

package e2e

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestKeys: everything is reached from the keyboard.
func TestKeys(t *testing.T) {
	p := open(t, "/")
	p.state("empty")
	p.do(chromedp.KeyEvent("k", chromedp.KeyModifiers(2))) // Ctrl
	p.until(`document.querySelector("#keys").open`, 5*time.Second)
	shot(p, "keys")
	p.do(chromedp.KeyEvent("demo"), chromedp.KeyEvent(kb.Enter))
	p.state("open")
	p.do(chromedp.KeyEvent("k", chromedp.KeyModifiers(2)), chromedp.KeyEvent("write"), chromedp.KeyEvent(kb.Enter))
	p.until(`location.hash === "#run" && document.activeElement?.id === "prompt"`, 5*time.Second)
	p.enter("#maxTokens", "100000")
	p.do(chromedp.Focus("#prompt"), chromedp.KeyEvent(kb.Enter))
	p.until(`document.querySelector("#story").textContent.length > 20`, 40*time.Second)
	p.do(chromedp.KeyEvent(kb.Escape))
	p.until(`document.querySelector("#run-panel").dataset.state === "stopped"`, 10*time.Second)
}

// TestForecast: what the model will take is told before it runs, and a smaller budget changes it.
func TestForecast(t *testing.T) {
	p := open(t, "/#run")
	p.click("#demo")
	p.state("open")
	p.click("#forecast")
	p.until(`document.querySelectorAll(".ledger li").length > 2`, 40*time.Second)
	before := p.text(".forecast")
	if !strings.Contains(before, "Weights") || !strings.Contains(before, "Keys and values") || !strings.Contains(before, "stay in memory") {
		t.Errorf("the forecast says %q", before)
	}
	p.do(chromedp.Focus("#memoryBudget"), chromedp.KeyEvent(kb.ArrowLeft))
	p.until(`document.querySelector(".forecast").textContent.includes("read from the file again")`, 10*time.Second)
	p.enter("#contextSize", "64")
	p.until(`document.querySelector(".forecast").textContent.includes("context of 64 tokens")`, 10*time.Second)
	p.enter("#maxTokens", "4")
	p.click("#run")
	p.until(`document.querySelector("#run-panel").dataset.state === "done"`, 40*time.Second)
	if s := p.text(".room"); !strings.Contains(s, "of 64") {
		t.Errorf("the context is %q", s)
	}
	if s := p.text("#backend"); !strings.Contains(s, "read from the file again") {
		t.Errorf("the budget was not kept: %q", s)
	}
	shot(p, "forecast")
}

// TestOffline: after the first visit the page needs no server.
func TestOffline(t *testing.T) {
	server := httptest.NewServer(handler())
	p := open(t, server.URL+"/")
	p.expect("net::ERR")
	p.expect("Failed to load")
	p.state("empty")
	p.until(`navigator.serviceWorker.controller !== null`, 20*time.Second)
	server.Close()
	p.do(chromedp.Reload())
	p.state("empty")
	p.pick(writer(t))
	p.state("open")
}

// TestPolicy: nothing but the page's own scripts runs, on hosts that send no headers too.
func TestPolicy(t *testing.T) {
	p := open(t, "/")
	p.expect("Content Security Policy")
	p.state("empty")
	policy := eval[string](p, `document.querySelector("meta[http-equiv]").content`)
	header := eval[string](p, `fetch("/").then((r) => r.headers.get("Content-Security-Policy"))`)
	if header != policy+"; frame-ancestors 'self'" {
		t.Errorf("the page's policy and the server's differ:\n%s\n%s", policy, header)
	}
	if eval[bool](p, `(() => { const s = document.createElement("script"); s.textContent = "window.ran = true"; document.body.append(s); return window.ran === true; })()`) {
		t.Error("a script in the page's text ran")
	}
}

// TestExamples: the pages that show how to use the module and the element.
func TestExamples(t *testing.T) {
	p := open(t, "/examples/element.html")
	p.until(`document.querySelector("straw-viewer").shadowRoot.querySelector("h2")?.textContent.includes("Sip Tales")`, 20*time.Second)
	if n := eval[int](p, `(() => { const r = document.querySelector("straw-viewer").shadowRoot; return r.querySelectorAll("tbody tr").length; })()`); n < 50 {
		t.Errorf("%d rows", n)
	}
	eval[bool](p, `(document.querySelector("straw-viewer").setAttribute("src", "../icon.svg"), true)`)
	p.until(`document.querySelector("straw-viewer").shadowRoot.querySelector("[role=alert]") !== null`, 20*time.Second)

	m := open(t, "/examples/module.html")
	m.until(`!document.querySelector("#tell").disabled`, 20*time.Second)
	m.click("#tell")
	m.until(`document.querySelector("#story").textContent.length > 60`, 40*time.Second)
}

// TestEmbed: a text becomes a vector of length 1, the same for the same text.
func TestEmbed(t *testing.T) {
	p := demoModel(t)
	got := eval[[]float64](p, `(async () => {
		const s = await model.load({ contextSize: 128 });
		const [a, b, c] = [await s.embed("A cat sat."), await s.embed("A cat sat."), await s.embed("Once upon a time there was a king")];
		s.close();
		const dot = (x, y) => x.reduce((sum, v, i) => sum + v * y[i], 0);
		return [dot(a, a), dot(a, b), dot(a, c), a.length];
	})()`)
	if d := got[0] - 1; d > 1e-4 || d < -1e-4 || got[0] != got[1] || got[2] >= got[0] || got[3] != 256 {
		t.Errorf("length, same, other, size: %v", got)
	}
}
