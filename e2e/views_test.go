//go:build e2e

package e2e

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// openDemo opens the demo model in a view.
func openDemo(t *testing.T, view string) *tab {
	t.Helper()
	p := open(t, "/"+view)
	p.state("empty")
	p.click("#demo")
	p.until(`document.body.dataset.state === "open"`, 40*time.Second)
	return p
}

func TestMapLeadsToTensors(t *testing.T) {
	p := openDemo(t, "")
	p.click(`[data-view="map"]`)
	p.until(`location.hash === "#map" && document.querySelector("#bytemap canvas") !== null`, 3*time.Second)
	// The last of the file is a tensor; a click there opens it.
	eval[bool](p, `(() => {
		const c = document.querySelector("#bytemap"), box = c.getBoundingClientRect();
		return c.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: box.right - 2, clientY: box.bottom - 4 }));
	})()`)
	p.until(`location.hash.startsWith("#tensor/") && document.querySelector(".tensor-title") !== null`, 3*time.Second)
	eval[bool](p, `(history.back(), true)`)
	p.until(`document.querySelector("#bytemap") !== null`, 3*time.Second)
	// The same by keyboard: the first tensor of the file.
	for _, key := range []string{"ArrowRight", "Enter"} {
		eval[bool](p, fmt.Sprintf(`document.querySelector("#bytemap").dispatchEvent(new KeyboardEvent("keydown", { key: %q, bubbles: true, cancelable: true }))`, key))
		time.Sleep(100 * time.Millisecond)
	}
	p.until(`location.hash.startsWith("#tensor/")`, 3*time.Second)
}

// TestTensorPage: what the page says of a tensor is what its values are.
func TestTensorPage(t *testing.T) {
	p := openDemo(t, "#tensor/blk.0.attn_norm.weight")
	p.until(`document.querySelector("#stats")?.dataset.state === "done" && document.querySelector("#heat")?.dataset.state === "done"`, 60*time.Second)
	got := eval[string](p, `(async () => {
		const { open } = await import("/straw.js");
		const m = await open(new File([await (await fetch("/demo.gguf")).blob()], "demo.gguf"));
		const v = await m.tensor("blk.0.attn_norm.weight");
		m.close();
		const said = (k) => Math.fround(document.querySelector('[data-stat=' + k + ']').textContent.replaceAll(",", ""));
		return [said("min") === Math.min(...v), said("max") === Math.max(...v), said("zeros") === v.filter((x) => x === 0).length,
			document.querySelectorAll("#values span").length === Math.min(512, v.length)].join();
	})()`)
	if got != "true,true,true,true" {
		t.Errorf("smallest, largest, zeros, values: %s", got)
	}
	// Exported without a save dialog, the values are a download: past the service worker or through it, which may not be there yet.
	folder := p.downloads(t)
	p.click("#export-npy")
	downloaded(t, folder, "blk.0.attn_norm.weight.npy", func(got []byte) bool { return bytes.HasPrefix(got, []byte("\x93NUMPY")) && len(got) > 128 })
	p.until(`navigator.serviceWorker.controller !== null`, long)
	p.click("#export-csv")
	downloaded(t, folder, "blk.0.attn_norm.weight.csv", func(got []byte) bool {
		return bytes.HasSuffix(got, []byte("\n")) && bytes.Count(got, []byte(",")) > 100
	})
	p.click(`.tensor-view a[href="#file"]`)
	p.until(`document.querySelector("#tensors") !== null`, 3*time.Second)
}

func TestCompareView(t *testing.T) {
	other := demoBytes(t)
	at := strings.Index(string(other), "Sip Tales")
	copy(other[at:], "Sup Tales")
	copy(other[strings.Index(string(other), "Ġsomething"):], "Ġsomethink")
	other[len(other)-40] ^= 0x11 // in the last tensor
	p := openDemo(t, "#compare")
	p.do(chromedp.SetUploadFiles("#other", []string{save(t, "other.gguf", other)}, chromedp.NodeReady))
	p.until(`document.querySelector("#compare").dataset.state === "done"`, 60*time.Second)
	if n := eval[int](p, `document.querySelectorAll('#differing [data-change="changed"]').length`); n != 1 {
		t.Errorf("%d tensors differ, want 1", n)
	}
	if got := p.text(".compare-view details summary"); got != "1 token only there" {
		t.Errorf("the vocabulary says %q", got)
	}
	p.click(".compare-view details summary")
	p.until(`document.querySelector(".compare-view .elements li")?.textContent.includes("somethink")`, long)
	if got := p.text(`[data-key="general.name"]`); !strings.Contains(got, "Sip Tales") || !strings.Contains(got, "Sup Tales") {
		t.Errorf("the key says %q", got)
	}
	p.do(chromedp.SetUploadFiles("#other", []string{save(t, "page.gguf", fmt.Appendf(nil, "<!DOCTYPE html>%200s", ""))}, chromedp.NodeReady))
	p.until(`document.querySelector("#compare").dataset.state === "failed"`, 30*time.Second)
	if got := p.text("#compare [role=alert]"); !strings.Contains(got, "HTML") {
		t.Errorf("the error says %q", got)
	}
}

// TestTensorGroups folds tensors by layer and by role, with totals that are those of their tensors, by keyboard.
func TestTensorGroups(t *testing.T) {
	p := openDemo(t, "")
	group := func(by string) {
		t.Helper()
		eval[bool](p, fmt.Sprintf(`(() => { const s = document.querySelector("#tensor-group"); s.value = %q; return s.dispatchEvent(new Event("change", { bubbles: true })); })()`, by))
	}
	group("layer")
	p.until(`document.querySelectorAll("[data-group]").length === 5 && document.querySelectorAll("[data-tensor]").length === 0`, long)
	p.do(chromedp.Focus(`[data-group="layer 0"] .opener`), chromedp.KeyEvent(kb.ArrowRight))
	p.until(`document.querySelectorAll("[data-tensor]").length === 9 && [...document.querySelectorAll("[data-tensor]")].every(r => r.dataset.tensor.startsWith("blk.0."))`, long)
	if got := eval[string](p, `(async () => {
		const { open } = await import("/straw.js");
		const m = await open(new File([await (await fetch("/demo.gguf")).blob()], "demo.gguf"));
		m.close();
		const of = m.info.tensors.filter((x) => x.name.startsWith("blk.0."));
		return (of.reduce((sum, x) => sum + x.nbytes, 0) / 1000).toFixed(0) + " KB";
	})()`); !strings.Contains(strings.ReplaceAll(p.text(`[data-group="layer 0"] .is-bytes`), "\u00a0", " "), got) {
		t.Errorf("the layer has %s, the row says %q", got, p.text(`[data-group="layer 0"]`))
	}
	shot(p, "groups")
	p.do(chromedp.Focus(`[data-group="layer 0"] .opener`), chromedp.KeyEvent(kb.ArrowLeft))
	p.until(`document.querySelectorAll("[data-tensor]").length === 0`, long)
	group("role")
	p.until(`document.querySelector('[data-group^="role"]') !== null && document.querySelector("#tensors").textContent.includes("Feed-forward")`, long)
	p.do(chromedp.Focus("#fold-all"), chromedp.KeyEvent(kb.Enter))
	p.until(`document.querySelectorAll("[data-tensor]").length > 10`, long)
	group("none")
	p.until(`document.querySelectorAll("[data-group]").length === 0`, long)
}

// TestMeasureTensor: a coarser type loses more, and a file that was changed differs by as much as it was changed.
func TestMeasureTensor(t *testing.T) {
	p := openDemo(t, "#tensor/blk.0.ffn_up.weight")
	for _, as := range []string{"Q8_0", "Q4_0"} {
		eval[bool](p, fmt.Sprintf(`(() => { const s = document.querySelector("#measure-type"); s.value = %q; return s.dispatchEvent(new Event("change", { bubbles: true })); })()`, as))
		p.do(chromedp.Focus("#measure-go"), chromedp.KeyEvent(kb.Enter))
		p.until(fmt.Sprintf(`document.querySelector('[data-against=%q]') !== null`, as), long)
	}
	relative := func(against string) float64 {
		t.Helper()
		return eval[float64](p, fmt.Sprintf(`Number(document.querySelector('[data-against=%q] [data-error="relative"]').textContent)`, against))
	}
	if q8, q4 := relative("Q8_0"), relative("Q4_0"); q8 > 0.01 || q4 < 0.02 || q4 > 0.2 {
		t.Errorf("relative errors of Q8_0 and Q4_0: %v, %v", q8, q4)
	}
	p.do(chromedp.SetUploadFiles("#measure-other", []string{save(t, "copy.gguf", demoBytes(t))}, chromedp.NodeReady))
	p.until(`document.querySelector('[data-against="copy.gguf"]') !== null`, long)
	if r := relative("copy.gguf"); r != 0 {
		t.Errorf("a copy differs by %v", r)
	}
	shot(p, "measure")
	eval[bool](p, `(() => { const s = document.querySelector("#measure-type"); s.value = "Q4_K"; return s.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	p.do(chromedp.SetUploadFiles("#measure-other", []string{save(t, "page.gguf", []byte("<!DOCTYPE html>"))}, chromedp.NodeReady))
	p.until(`document.querySelector("#measure").dataset.state === "failed"`, long)
}
