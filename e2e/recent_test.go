//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestRecentFiles: nothing is kept before the person says so; then files are listed, opened again after a reload, and forgotten.
func TestRecentFiles(t *testing.T) {
	p := open(t, "/")
	p.state("empty")
	eval[bool](p, onDisk)
	p.click(`label[for="file"]`)
	p.state("open")
	p.click("#close")
	p.state("empty")
	if n := eval[int](p, `document.querySelectorAll("#recent li").length`); n != 0 {
		t.Errorf("%d files are listed without consent", n)
	}
	p.do(chromedp.Focus("#remember"), chromedp.KeyEvent(" "))
	p.until(`document.querySelector("#recent").textContent.includes("where they are, not what is in them")`, long)
	p.do(chromedp.Focus("#file"), chromedp.KeyEvent(kb.Enter))
	p.state("open")
	p.click("#close")
	p.until(`document.querySelector("#recent li")?.textContent.includes("model.gguf3.66")`, long)

	p.do(chromedp.Reload())
	p.until(`document.querySelectorAll("#recent li").length === 1`, long)
	shot(p, "recent")
	eval[bool](p, `(() => {
		window.ask = FileSystemHandle.prototype.requestPermission;
		FileSystemHandle.prototype.requestPermission = async () => "denied";
		return true;
	})()`)
	p.click("#recent li .button")
	p.until(`document.querySelector("#recent [role=alert]")?.textContent.includes("was not allowed to read model.gguf")`, long)
	eval[bool](p, `((FileSystemHandle.prototype.requestPermission = window.ask), true)`)
	p.click("#recent li .button")
	p.state("open")
	if got := p.text(`#summary [data-field="architecture"]`); got != "llama" {
		t.Errorf("architecture %q", got)
	}

	p.click("#close")
	p.until(`document.querySelectorAll("#recent li").length === 1`, long)
	p.click("#recent .forget")
	p.until(`document.querySelectorAll("#recent li").length === 0 && document.querySelector("#remember").checked`, long)
	p.click("#remember")
	p.do(chromedp.Reload())
	p.state("empty")
	if eval[bool](p, `document.querySelector("#remember").checked || document.querySelectorAll("#recent li").length > 0`) {
		t.Error("consent taken back is still there")
	}
}

// TestKindsOfFiles: what is no model is named for what it is, and told apart from the model that comes with it.
func TestKindsOfFiles(t *testing.T) {
	adapter := write(t, "lora.gguf", []entry{
		{"general.type", "adapter"}, {"general.architecture", "llama"}, {"adapter.type", "lora"}, {"general.base_model.0.name", "Sip Tales"},
	}, []weight{{"blk.0.attn_q.weight.lora_a", []uint64{256, 8}}, {"blk.0.attn_q.weight.lora_b", []uint64{8, 256}}})
	eyes := write(t, "mmproj.gguf", []entry{{"general.architecture", "clip"}, {"clip.projector_type", "mlp"}}, []weight{{"v.blk.0.attn_q.weight", []uint64{32}}})
	p := open(t, "/")
	p.state("empty")
	for _, c := range []struct {
		path, kind string
		words      []string
	}{
		{adapter, "adapter", []string{"An adapter (LoRA)", "Sip Tales", "Rank8", "--lora"}},
		{eyes, "mmproj", []string{"eyes or ears", "mlp"}},
	} {
		p.pick(c.path)
		p.until(`document.body.dataset.state === "open" && document.querySelector("#kind")?.dataset.kind === "`+c.kind+`"`, long)
		for _, w := range c.words {
			if got := p.text("#kind"); !strings.Contains(got, w) {
				t.Errorf("%s: the page says %q, want %q", c.kind, got, w)
			}
		}
		if eval[bool](p, `document.querySelector("#run") !== null`) {
			t.Errorf("%s: the page offers to run it", c.kind)
		}
		shot(p, c.kind)
	}

	p.pick(eyes, save(t, "sip-tales.gguf", demoBytes(t)), save(t, "page.gguf", []byte("<!DOCTYPE html>")), adapter)
	p.until(`document.body.dataset.state === "open" && document.querySelector("#summary h1").textContent.startsWith("Sip Tales")`, long)
	if got := p.text("#companions"); !strings.Contains(got, "mmproj.gguf The eyes") || !strings.Contains(got, "page.gguf Cannot be read") || !strings.Contains(got, "lora.gguf An adapter") {
		t.Errorf("what came with it: %q", got)
	}
	p.click("#companions li button")
	p.until(`document.querySelector("#kind")?.dataset.kind === "mmproj"`, long)
}
