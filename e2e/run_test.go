//go:build e2e

package e2e

import (
	"strings"
	"testing"
	"time"
)

// TestDemo runs the demo model as a visitor does, and stops it.
func TestDemo(t *testing.T) {
	p := open(t, "/")
	p.state("empty")
	p.click("#demo")
	p.state("open")
	if got := p.text(`#summary [data-field="name"]`); !strings.Contains(got, "Sip Tales") {
		t.Errorf("name %q", got)
	}
	if n := eval[int](p, `performance.getEntriesByType("resource").filter(r => r.name.match(/(runner|simd|relaxed|dot).*wasm/)).length`); n != 0 {
		t.Error("runner.wasm or kernels were fetched before anybody pressed Run")
	}

	p.click("#to-run")
	p.enter("#prompt", "Once upon a time")
	p.enter("#maxTokens", "100000")
	p.click("#run")
	p.until(`document.querySelector("#story").textContent.length > 40 && document.querySelector("#speed").textContent.includes("tok/s")`, 40*time.Second)
	if state := eval[string](p, `document.querySelector("#run-panel").dataset.state`); state != "running" {
		t.Fatalf("state %s while the story comes", state)
	}
	if b := p.text("#backend"); !strings.Contains(b, "simd") || !strings.Contains(b, "SIMD") {
		t.Errorf("the page does not say what computes: %q", b)
	}

	begin := time.Now()
	p.click("#stop")
	p.until(`document.querySelector("#run-panel").dataset.state === "stopped"`, 5*time.Second)
	t.Logf("stopped after %v", time.Since(begin).Round(time.Millisecond))
	story := p.text("#story")
	time.Sleep(300 * time.Millisecond)
	if after := p.text("#story"); after != story {
		t.Error("the story goes on after it was stopped")
	}
	if s := p.text("#speed"); !strings.Contains(s, "tok/s") {
		t.Errorf("speed after stopping: %q", s)
	}

	// The session is still good, and a short story ends by itself.
	p.enter("#maxTokens", "5")
	p.click("#run")
	p.until(`document.querySelector("#run-panel").dataset.state === "done"`, 20*time.Second)
	if s := p.text("#story"); s == "" || len(s) > 60 {
		t.Errorf("five tokens are %q", s)
	}
}
