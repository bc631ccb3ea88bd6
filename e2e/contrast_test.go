//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// media sets what a person asked the system for: its name and the value.
func (p *tab) media(name, value string) {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: name, Value: value}}})
	if err != nil {
		p.t.Fatal(err)
	}
}

// TestForcedColours: with the system's own few colours, what says something by its colour alone still says it.
func TestForcedColours(t *testing.T) {
	p := openDemo(t, "#edit")
	p.until(`document.querySelector("#edit-keys") !== null`, long)
	views := []struct{ view, waits string }{
		{"file", `document.querySelector("#tensors") !== null`},
		{"map", `document.querySelector("#bytemap canvas") !== null`},
		{"edit", `document.querySelector("#edit-keys") !== null`},
		{"tensor/output_norm.weight", `document.querySelector("#stats")?.dataset.state === "done"`},
	}
	for _, c := range []struct{ name, value string }{{"forced-colors", "active"}, {"prefers-contrast", "more"}} {
		p.media(c.name, c.value)
		for _, v := range views {
			eval[bool](p, fmt.Sprintf(`(location.hash = %q, true)`, "#"+v.view))
			p.until(v.waits, long)
			picture(p, c.name+"-"+filepath.Base(v.view))
		}
	}

	p.media("forced-colors", "active")
	eval[bool](p, `(location.hash = "#map", true)`)
	p.until(`document.querySelector(".layers") !== null`, long)
	// Shares and layers keep their colours, and the open tab another edge than the rest.
	if n := eval[int](p, `new Set([...document.querySelectorAll(".share, .column span")].map(e => getComputedStyle(e).backgroundColor)).size`); n < 3 {
		t.Errorf("%d colours in the charts", n)
	}
	if eval[bool](p, `(() => {
		const edge = (e) => getComputedStyle(e).borderBottomColor;
		return edge(document.querySelector(".tabs a[aria-current]")) === edge(document.querySelector(".tabs a:not([aria-current])"));
	})()`) {
		t.Error("the open tab looks like the others")
	}
}

// picture is a screenshot as things are.
func picture(p *tab, name string) {
	p.t.Helper()
	folder := os.Getenv("SHOTS")
	if folder == "" {
		return
	}
	time.Sleep(300 * time.Millisecond) // colours fade
	png, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), png, 0o666); err != nil {
		p.t.Fatal(err)
	}
}
