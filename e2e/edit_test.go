//go:build e2e

package e2e

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"straw/gguf"
	"straw/internal/demo"
	"straw/internal/edit"
)

const long = 30 * time.Second // for what a loaded machine does

// onDisk gives the page pickers that give files of the browser's own file system, and model.gguf there, which is the demo. Handles of it are what a
// disk's are, but that nobody is asked.
const onDisk = `(async () => {
	window.root = await navigator.storage.getDirectory();
	const out = await (await root.getFileHandle("model.gguf", { create: true })).createWritable();
	await (await fetch("/demo.gguf")).body.pipeTo(out);
	window.showOpenFilePicker = async () => [await root.getFileHandle("model.gguf")];
	window.showSaveFilePicker = async (o) => root.getFileHandle(window.saveAs ?? o.suggestedName, { create: true });
	window.showDirectoryPicker = async () => root.getDirectoryHandle("folder", { create: true });
	window.bytesOf = async (handle) => new Promise(async (resolve) => {
		const r = new FileReader();
		r.onload = () => resolve(r.result.split(",")[1] ?? "");
		r.readAsDataURL(await handle.getFile());
	});
	return true;
})()`

// editor opens the demo as the file model.gguf of onDisk, in the view for editing.
func editor(t *testing.T) *tab {
	t.Helper()
	p := open(t, "/#edit")
	p.state("empty")
	eval[bool](p, onDisk)
	p.reopen()
	return p
}

func (p *tab) reopen() {
	p.t.Helper()
	eval[bool](p, `(async () => {
		const carried = new DataTransfer();
		carried.items.add(await (await root.getFileHandle("model.gguf")).getFile());
		document.querySelector("#file").files = carried.files;
		return document.querySelector("#file").dispatchEvent(new Event("change", { bubbles: true }));
	})()`)
	p.state("open")
	p.until(`document.querySelector("#edit-keys") !== null`, long)
}

// stored are the bytes of a file of onDisk.
func (p *tab) stored(name string) []byte {
	p.t.Helper()
	b, err := base64.StdEncoding.DecodeString(eval[string](p, fmt.Sprintf(`root.getFileHandle(%q).then(bytesOf)`, name)))
	if err != nil {
		p.t.Fatal(err)
	}
	return b
}

// set opens a key of the edit view and gives it a value, as a person does.
func (p *tab) set(key, value string) {
	p.t.Helper()
	p.enter("#edit-search", key)
	row := fmt.Sprintf(`[data-edit=%q]`, key)
	p.until(fmt.Sprintf(`document.querySelectorAll("[data-edit]").length === 1 && document.querySelector('%s') !== null`, row), long)
	if eval[bool](p, fmt.Sprintf(`document.querySelector('%s .opener').ariaExpanded === "false"`, row)) {
		p.click(row + " .opener")
	}
	p.until(`document.querySelector("#edit-keys .value") !== null`, long)
	p.enter("#edit-keys .value", value)
	p.click("#edit-keys [type=submit]")
}

// edited is the demo as straw edit changes it.
func edited(t *testing.T, changes ...edit.Change) []byte {
	t.Helper()
	f, err := gguf.Open(demo.Open())
	if err != nil {
		t.Fatal(err)
	}
	d, err := edit.Plan(f, changes)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := edit.Write(t.Context(), &b, d, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func to(t *testing.T, key, typ, text string) edit.Change {
	t.Helper()
	v, err := edit.ParseValue(typ, text)
	if err != nil {
		t.Fatal(err)
	}
	return edit.Change{Key: key, Value: v}
}

// TestEditAndSave changes, adds and takes away keys, and what is saved is what the command line would write.
func TestEditAndSave(t *testing.T) {
	p := editor(t)
	p.set("llama.context_length", "many")
	p.until(`document.querySelector("#edit-keys [role=alert]")?.textContent.includes("no number")`, long)
	if !eval[bool](p, `document.querySelector("#edit-keys .value").getAttribute("aria-invalid") === "true" && document.querySelector("#changes") === null`) {
		t.Error("a value that was refused counts as a change, or is not marked")
	}
	p.enter("#edit-keys .value", "1024")
	p.click("#edit-keys [type=submit]")
	p.until(`document.querySelector('#changes [data-key="llama.context_length"]')?.textContent.includes("1024")`, long)

	p.enter("#edit-search", "general.license")
	p.until(`document.querySelectorAll("[data-edit]").length === 1`, long)
	p.do(chromedp.Focus(`[data-edit="general.license"] .opener`), chromedp.KeyEvent(kb.Enter))
	p.until(`document.querySelector("#edit-keys .detail .button:not(.is-primary)") !== null`, long)
	p.click("#edit-keys .detail .button:not(.is-primary)")
	p.until(`document.querySelector('[data-edit="general.license"]')?.dataset.change === "removed"`, long)

	p.enter("#new-key .name", "mine.list")
	eval[bool](p, `(() => { const s = document.querySelector("#new-key select"); s.value = "f32[]"; return s.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	p.enter("#new-key .value", "[1, 0.5]")
	p.click("#new-key [type=submit]")
	p.until(`document.querySelectorAll("#changes > li").length === 3 && document.querySelector("#sizes") !== null`, long)
	p.enter("#template-text", "{{ messages[0].content }}\n")
	p.until(`document.querySelectorAll("#changes > li").length === 4 && document.querySelector(".gutter").textContent === "1\n2"`, long)
	p.enter("#edit-search", "")
	shot(p, "edit")

	eval[bool](p, `(window.saveAs = "copy.gguf", true)`)
	p.click("#save-copy")
	p.until(`document.querySelector("#saved").dataset.state === "done"`, long)
	want := edited(t, edit.Change{Key: "general.license", Unset: true}, to(t, "llama.context_length", "u32", "1024"), to(t, "mine.list", "f32[]", "[1, 0.5]"),
		to(t, "tokenizer.chat_template", "str", "{{ messages[0].content }}\n"))
	if got := p.stored("copy.gguf"); !bytes.Equal(got, want) {
		t.Errorf("%d bytes saved are not the %d that straw edit writes", len(got), len(want))
	}
	if s := p.text("#sizes"); !strings.Contains(s, fmt.Sprintf("→ %s", thousands(len(want)))) {
		t.Errorf("the sizes say %q, the file has %d", s, len(want))
	}
	p.click("#forget-edits")
	p.until(`document.querySelector("#changes") === null && document.querySelectorAll('[data-edit]:not([data-change="kept"])').length === 0`, long)
}

// thousands writes a number as the page does.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// TestEditInPlace changes the file itself, after a warning, where the header keeps its length; the page then shows the new one.
func TestEditInPlace(t *testing.T) {
	p := editor(t)
	p.set("general.name", strings.Repeat("Long tales ", 20))
	p.until(`document.querySelector(".in-place")?.textContent.includes("save a copy")`, long)
	p.click("#forget-edits")
	p.set("general.name", "Sip Songs")
	p.until(`document.querySelector("#in-place") !== null`, long)
	p.click("#in-place")
	p.until(`document.querySelector("[role=alertdialog]")?.textContent.includes("no way back")`, long)
	shot(p, "edit-in-place")
	p.click("#in-place-yes")
	p.until(`document.querySelector('#summary [data-field="name"]')?.textContent === "Sip Songs"`, long)
	want := edited(t, to(t, "general.name", "str", "Sip Songs"))
	if !bytes.Equal(p.stored("model.gguf"), want) {
		t.Error("the file is not what straw edit --in-place makes of it")
	}

	// Another file than the open one is left alone.
	p.set("general.name", "Sip Chats")
	p.until(`document.querySelector("#in-place") !== null`, long)
	eval[bool](p, `(async () => {
		const w = await (await root.getFileHandle("model.gguf")).createWritable({ keepExistingData: true });
		await w.truncate(3_000_000);
		await w.close();
		return true;
	})()`)
	p.click("#in-place")
	p.click("#in-place-yes")
	p.until(`document.querySelector("#saved").dataset.state === "failed"`, long)
	if got := p.text("#saved [role=alert]"); !strings.Contains(got, "was changed since it was opened") {
		t.Errorf("the error says %q", got)
	}
	if !bytes.Equal(p.stored("model.gguf"), want[:3_000_000]) {
		t.Error("a file that was not the open one was written")
	}
}

// TestSaveWithoutRoom: the disk is full, and the file that was there stays as it was.
func TestSaveWithoutRoom(t *testing.T) {
	p := editor(t)
	before := p.stored("model.gguf")
	p.set("general.name", "Sip Songs")
	p.until(`document.querySelector("#in-place") !== null`, long)
	if _, err := chromedp.Call(p.ctx, storage.OverrideQuotaForOrigin, storage.OverrideQuotaForOriginParams{Origin: site, QuotaSize: new(4e6)}); err != nil {
		t.Fatal(err)
	}
	eval[bool](p, `(window.saveAs = "model.gguf", true)`)
	p.click("#save-copy")
	p.until(`document.querySelector("#saved").dataset.state === "failed"`, long)
	if got := p.text("#saved [role=alert]"); !strings.Contains(got, "could not be written") || !strings.Contains(got, "still there") {
		t.Errorf("the error says %q", got)
	}
	if !bytes.Equal(p.stored("model.gguf"), before) {
		t.Error("the file that was there has changed")
	}
}

// TestSplitAndMerge: shards saved into a folder, opened again and saved as one file, are the bytes of the original.
func TestSplitAndMerge(t *testing.T) {
	p := editor(t)
	eval[bool](p, `(() => { const s = document.querySelector("#split-kind"); s.value = "tensors"; return s.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	p.until(`document.querySelector("#split-most").value === "128"`, long)
	p.enter("#split-most", "16")
	p.click("#split-plan")
	p.until(`document.querySelectorAll("#shards li").length === 3`, long)
	p.click("#split-save")
	p.until(`document.querySelector("#split-saved").dataset.state === "done"`, long)
	eval[bool](p, `(async () => {
		const carried = new DataTransfer();
		for await (const h of (await root.getDirectoryHandle("folder")).values()) carried.items.add(await h.getFile());
		document.querySelector("#file").files = carried.files;
		return document.querySelector("#file").dispatchEvent(new Event("change", { bubbles: true }));
	})()`)
	p.until(`document.body.dataset.state === "open" && document.querySelector("#summary").textContent.includes("3 shards")`, long)
	eval[bool](p, `(window.saveAs = "merged.gguf", true)`)
	p.click("#save-copy")
	p.until(`document.querySelector("#saved").dataset.state === "done"`, long)
	if !bytes.Equal(p.stored("merged.gguf"), demoBytes(t)) {
		t.Error("split and merged, the model is another file")
	}
}

// TestSaveAsDownload: a browser that cannot write files gets a download, piece by piece through the service worker.
func TestSaveAsDownload(t *testing.T) {
	p := open(t, "/#edit")
	p.until(`navigator.serviceWorker.controller !== null`, long)
	folder := p.downloads(t)
	p.pick(save(t, "sip-tales.gguf", demoBytes(t)))
	p.state("open")
	p.set("general.name", "Sip Songs")
	p.until(`document.querySelector("#sizes") !== null`, long)
	p.click("#save-copy")
	p.until(`document.querySelector("#saved").dataset.state === "done"`, long)
	want := edited(t, to(t, "general.name", "str", "Sip Songs"))
	downloaded(t, folder, "sip-tales-edited.gguf", func(got []byte) bool { return bytes.Equal(got, want) })
}
