//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestPickAFile(t *testing.T) {
	p := open(t, "/")
	p.state("empty")
	p.pick(save(t, "sip-tales.gguf", demoBytes(t)))
	p.state("open")
	for field, want := range map[string]string{
		"name": "Sip Tales", "architecture": "llama", "parameters": "3.4", "context": "512", "size": "3.",
	} {
		if got := p.text(fmt.Sprintf(`#summary [data-field=%q]`, field)); !strings.Contains(got, want) {
			t.Errorf("summary says %q for %s, want something with %q", got, field, want)
		}
	}
	if got := p.text(`[data-key="general.architecture"]`); !strings.Contains(got, "llama") {
		t.Errorf("metadata row says %q", got)
	}
	if got := p.text(`[data-tensor="token_embd.weight"]`); !strings.Contains(got, "Q8_0") {
		t.Errorf("tensor row says %q", got)
	}
	if e := p.text("#error"); e != "" {
		t.Errorf("an error is shown: %s", e)
	}
}

func TestSearchAndFilter(t *testing.T) {
	p := open(t, "/")
	p.pick(save(t, "sip-tales.gguf", demoBytes(t)))
	p.state("open")
	p.enter("#metadata-search", "rope")
	p.until(`document.querySelectorAll("[data-key]").length > 0 && [...document.querySelectorAll("[data-key]")].every(r => r.dataset.key.includes("rope"))`, 3*time.Second)
	p.enter("#tensor-search", "ffn_up")
	p.until(`document.querySelectorAll("[data-tensor]").length === 4 && [...document.querySelectorAll("[data-tensor]")].every(r => r.dataset.tensor.includes("ffn_up"))`, 3*time.Second)
	p.enter("#tensor-search", "")
	p.click(`[data-sort="name"]`)
	p.until(`(() => { const n = [...document.querySelectorAll("[data-tensor]")].map(r => r.dataset.tensor); return n.length > 5 && n[0].startsWith("blk.0."); })()`, 3*time.Second)
}

func TestDropAFile(t *testing.T) {
	p := open(t, "/")
	p.state("empty")
	eval[bool](p, `(async () => {
		const text = await (await fetch("/demo.gguf")).blob();
		const carried = new DataTransfer();
		carried.items.add(new File([text], "dropped.gguf"));
		for (const name of ["dragenter", "dragover", "drop"])
			document.querySelector("#drop").dispatchEvent(new DragEvent(name, { dataTransfer: carried, bubbles: true, cancelable: true }));
		return true;
	})()`)
	p.state("open")
	if got := p.text(`#summary [data-field="architecture"]`); !strings.Contains(got, "llama") {
		t.Errorf("architecture %q", got)
	}
}

func TestShardsInAnyOrder(t *testing.T) {
	var shards []string
	for i := range 3 {
		metadata := []entry{{"split.no", uint16(i)}, {"split.count", uint16(3)}, {"split.tensors.count", int32(3)}}
		if i == 0 {
			metadata = append([]entry{{"general.architecture", "llama"}, {"general.name", "In three parts"}}, metadata...)
		}
		shards = append(shards, write(t, fmt.Sprintf("m-%05d-of-00003.gguf", i+1), metadata, []weight{{fmt.Sprintf("blk.%d.w", i), []uint64{64, 4}}}))
	}
	p := open(t, "/")
	p.pick(shards[1], shards[2], shards[0])
	p.state("open")
	p.until(`document.querySelectorAll("[data-tensor]").length === 3`, 3*time.Second)
	if got := p.text(`#summary [data-field="name"]`); !strings.Contains(got, "In three parts") {
		t.Errorf("name %q", got)
	}

	p.pick(shards[2], shards[0]) // one is missing
	p.state("failed")
	if got := p.text("#error"); !strings.Contains(got, "2") || !strings.Contains(strings.ToLower(got), "shard") && !strings.Contains(got, "m-00002") {
		t.Errorf("the error does not name the shard: %q", got)
	}
}

func TestBadFiles(t *testing.T) {
	whole := demoBytes(t)
	p := open(t, "/")
	for _, c := range []struct {
		name  string
		text  []byte
		words []string // of which one must be in the message
		keys  bool     // what was read is shown
	}{
		{"page.gguf", []byte("<!DOCTYPE html><html><body>404</body></html>" + strings.Repeat(" ", 200)), []string{"HTML", "web page"}, false},
		{"lfs.gguf", []byte("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"), []string{"LFS"}, false},
		{"empty.gguf", nil, []string{"empty"}, false},
		{"half.gguf", whole[:len(whole)/2], []string{"cut", "trunc", "end", "missing", "beyond"}, true},
		{"noise.gguf", append([]byte("GGUF\x03\x00\x00\x00"), strings.Repeat("\xff", 100)...), []string{"count", "tensor"}, false},
	} {
		p.pick(save(t, c.name, c.text))
		p.until(fmt.Sprintf(`document.body.dataset.state === "failed" && %t === (document.querySelectorAll("[data-key]").length > 5)`, c.keys), 10*time.Second)
		got := p.text("#error")
		found := false
		for _, w := range c.words {
			found = found || strings.Contains(strings.ToLower(got), strings.ToLower(w))
		}
		if !found {
			t.Errorf("%s: the page says %q, want one of %q", c.name, got, c.words)
		}
	}
	p.pick(save(t, "good.gguf", whole))
	p.state("open")
	if e := p.text("#error"); e != "" {
		t.Errorf("the error stays: %q", e)
	}
}

// TestHostileText: what a file says is text, whatever it says.
func TestHostileText(t *testing.T) {
	const script = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`
	path := write(t, "hostile.gguf", []entry{
		{"general.architecture", "llama"},
		{"general.name", script},
		{"general.description", "evil\u202egpj.exe\u0000\x1b[31m\ufeff"},
		{"__proto__", "polluted"},
		{"constructor", "{{7*7}}"},
		{"toString", script},
		{script, "javascript:alert(1)"},
		{"general.url", "javascript:window.hacked=1"},
		{"tokenizer.ggml.tokens", []string{script, "__proto__", "\u202e"}},
		{"tokenizer.chat_template", script + strings.Repeat("\n", 1000)},
	}, []weight{{script, []uint64{32}}, {"__proto__", []uint64{32}}, {"\u202ethgiew", []uint64{32}}})
	p := open(t, "/")
	p.pick(path)
	p.state("open")
	time.Sleep(300 * time.Millisecond) // an image would have failed by now
	if eval[bool](p, `"hacked" in window || {}.polluted !== undefined || document.querySelector("main script, main img[src=x]") !== null`) {
		t.Error("text of the file became part of the page")
	}
	if eval[bool](p, `[...document.querySelectorAll("a")].some(a => a.href.startsWith("javascript:"))`) {
		t.Error("text of the file became a link that runs")
	}
	for _, key := range []string{"__proto__", "constructor", "toString", script} {
		if !eval[bool](p, fmt.Sprintf(`[...document.querySelectorAll("[data-key]")].some(r => r.dataset.key === %q)`, key)) {
			t.Errorf("no row for the key %q", key)
		}
	}
	if eval[bool](p, `/[\u202a-\u202e\u2066-\u2069\u0000\u001b]/.test(document.body.textContent)`) {
		t.Error("control or bidirectional characters are in the page as they are")
	}
}

// TestLargeFile opens what a 9 B model in F32 is, most of it a hole.
func TestLargeFile(t *testing.T) {
	var tensors []weight
	for i := range 32 {
		tensors = append(tensors, weight{fmt.Sprintf("blk.%d.ffn_up.weight", i), []uint64{4096, 10240}})
	}
	path := write(t, "large.gguf", []entry{{"general.architecture", "llama"}, {"general.name", "Large"}}, tensors)
	p := open(t, "/")
	p.state("empty")
	small := p.timeToOpen(save(t, "small.gguf", demoBytes(t)))
	p.click("#close")
	p.state("empty")
	time.Sleep(time.Second) // the next viewer has started by then
	before := renderers()
	large := p.timeToOpen(path)
	grown := 0.0
	for id, bytes := range renderers() {
		if was, ok := before[id]; ok {
			grown = max(grown, bytes-was)
		}
	}
	t.Logf("metadata on screen after %v for 3.7 MB, %v for 5.4 GB; the latter took %.1f MB of memory", small, large, grown/1e6)
	if grown > 40e6 {
		t.Errorf("it took %.1f MB", grown/1e6)
	}
}

// timeToOpen is how long it takes from picking a file to its metadata on the screen.
func (p *tab) timeToOpen(path string) time.Duration {
	p.t.Helper()
	begin := time.Now()
	p.pick(path)
	p.until(`document.body.dataset.state === "open" && document.querySelector("[data-key]") !== null`, 15*time.Second)
	return time.Since(begin).Round(time.Millisecond)
}

// TestLargeVocabulary: the document stays small with 300,000 tokens.
func TestLargeVocabulary(t *testing.T) {
	path := write(t, "vocabulary.gguf", []entry{
		{"general.architecture", "llama"},
		{"tokenizer.ggml.model", "gpt2"},
		{"tokenizer.ggml.tokens", vocabulary(300_000)},
		{"tokenizer.ggml.merges", vocabulary(300_000)},
	}, nil)
	p := open(t, "/")
	p.state("empty")
	p.pick(path)
	p.state("open")
	p.until(`document.querySelector('[data-key="tokenizer.ggml.tokens"]') !== null`, 5*time.Second)
	p.enter("#metadata-search", "tokens")
	p.until(`[...document.querySelectorAll("[data-key]")].every(r => r.dataset.key !== "general.architecture")`, 3*time.Second)
	if n := eval[int](p, `document.querySelectorAll("*").length`); n > 3000 {
		t.Errorf("%d elements in the page", n)
	}
}

func TestManyRowsStayFew(t *testing.T) {
	metadata := []entry{{"general.architecture", "llama"}}
	var tensors []weight
	for i := range 5000 {
		metadata = append(metadata, entry{fmt.Sprintf("test.key.%d", i), uint32(i)})
		tensors = append(tensors, weight{fmt.Sprintf("blk.%d.weight", i), []uint64{32}})
	}
	p := open(t, "/")
	p.pick(write(t, "many.gguf", metadata, tensors))
	p.state("open")
	for _, rows := range []string{"[data-key]", "[data-tensor]"} {
		if n := eval[int](p, fmt.Sprintf(`document.querySelectorAll(%q).length`, rows)); n == 0 || n > 200 {
			t.Errorf("%d rows %s in the document", n, rows)
		}
	}
}
