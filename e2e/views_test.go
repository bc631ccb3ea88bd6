//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
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
	// Exported without a save dialog, the values are a download.
	saved := eval[string](p, `(async () => {
		delete window.showSaveFilePicker;
		const blob = new Promise((resolve) => { const make = URL.createObjectURL; URL.createObjectURL = (b) => { resolve(b); return make.call(URL, b); }; });
		document.querySelector("#export-npy").click();
		const bytes = new Uint8Array(await (await blob).arrayBuffer());
		return String.fromCharCode(...bytes.slice(1, 6)) + bytes.length % 64;
	})()`)
	if !strings.HasPrefix(saved, "NUMPY") {
		t.Errorf("saved %q", saved)
	}
	p.click(`.tensor-view a[href="#file"]`)
	p.until(`document.querySelector("#tensors") !== null`, 3*time.Second)
}

func TestCompareView(t *testing.T) {
	other := demoBytes(t)
	at := strings.Index(string(other), "Sip Tales")
	copy(other[at:], "Sup Tales")
	other[len(other)-40] ^= 0x11 // in the last tensor
	p := openDemo(t, "#compare")
	p.do(chromedp.SetUploadFiles("#other", []string{save(t, "other.gguf", other)}, chromedp.NodeReady))
	p.until(`document.querySelector("#compare").dataset.state === "done"`, 60*time.Second)
	if n := eval[int](p, `document.querySelectorAll('#differing [data-change="changed"]').length`); n != 1 {
		t.Errorf("%d tensors differ, want 1", n)
	}
	if got := p.text(`[data-key="general.name"]`); !strings.Contains(got, "Sip Tales") || !strings.Contains(got, "Sup Tales") {
		t.Errorf("the key says %q", got)
	}
	p.do(chromedp.SetUploadFiles("#other", []string{save(t, "page.gguf", fmt.Appendf(nil, "<!DOCTYPE html>%200s", ""))}, chromedp.NodeReady))
	p.until(`document.querySelector("#compare").dataset.state === "failed"`, 30*time.Second)
	if got := p.text("#compare [role=alert]"); !strings.Contains(got, "HTML") {
		t.Errorf("the error says %q", got)
	}
}
