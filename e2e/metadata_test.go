//go:build e2e

package e2e

import (
	"strings"
	"testing"
	"time"
)

func TestMetadataExplained(t *testing.T) {
	p := openDemo(t, "")
	p.enter("#metadata-search", "eos_token")
	p.until(`Boolean(document.querySelector('[data-key="tokenizer.ggml.eos_token_id"] .token-text')?.textContent)`, 5*time.Second)
	p.enter("#metadata-search", "head_count")
	p.until(`document.querySelector('[data-key="llama.attention.head_count_kv"]') !== null`, 3*time.Second)
	p.click(`[data-key="llama.attention.head_count_kv"] .opener`)
	p.until(`document.querySelector("#metadata .meaning")?.textContent.includes("keys and values")`, 3*time.Second)
	p.enter("#metadata-search", "")
	eval[bool](p, `(() => {
		const s = document.querySelector("#metadata-group");
		s.value = "general";
		return s.dispatchEvent(new Event("change", { bubbles: true }));
	})()`)
	p.until(`document.querySelectorAll("[data-key]").length > 3 && [...document.querySelectorAll("[data-key]")].every(r => r.dataset.key.startsWith("general."))`, 3*time.Second)
	saved := eval[string](p, `(async () => {
		const s = document.querySelector("#metadata-format");
		s.value = "yaml";
		s.dispatchEvent(new Event("change", { bubbles: true }));
		await new Promise((r) => setTimeout(r, 100));
		const blob = new Promise((resolve) => { const make = URL.createObjectURL; URL.createObjectURL = (b) => { resolve(b); return make.call(URL, b); }; });
		document.querySelector("#metadata-save").click();
		return (await blob).text();
	})()`)
	if !strings.Contains(saved, "\"general.architecture\": \"llama\"\n") || strings.Contains(saved, "tokenizer.") {
		t.Errorf("saved %q", saved)
	}
}

// TestFindInArray finds what lies beyond the part that the document holds.
func TestFindInArray(t *testing.T) {
	p := open(t, "/")
	p.pick(write(t, "vocabulary.gguf", []entry{{"general.architecture", "llama"}, {"tokenizer.ggml.tokens", vocabulary(50_000)}}, nil))
	p.state("open")
	p.click(`[data-key="tokenizer.ggml.tokens"] .opener`)
	p.until(`document.querySelector(".array-find") !== null`, 3*time.Second)
	p.enter(".array-find", "token41234")
	time.Sleep(100 * time.Millisecond)
	p.click(".find .button")
	p.until(`document.querySelector(".is-found")?.textContent.includes("token41234")`, 10*time.Second)
}

// TestHubName: a repository's files are listed to choose from, and what is wrong with a name is said.
func TestHubName(t *testing.T) {
	p := open(t, "/")
	p.state("empty")
	eval[bool](p, `(() => {
		const real = window.fetch;
		window.asked = [];
		window.fetch = (url, o) => {
			if (!String(url).startsWith("https://huggingface.co/")) return real(url, o);
			window.asked.push(String(url));
			if (!String(url).endsWith("/me/tales")) return Promise.resolve(new Response("", { status: 404 }));
			const siblings = ["README.md", "a-Q8_0.gguf", "b-00001-of-00002.gguf", "b-00002-of-00002.gguf"].map((rfilename) => ({ rfilename }));
			return Promise.resolve(Response.json({ siblings }));
		};
		return true;
	})()`)
	p.enter("#url", "me/tales")
	p.click("#url-open")
	p.until(`document.querySelectorAll("#hub li").length === 2`, 3*time.Second)
	if got := p.text("#hub ul"); got != "a-Q8_0.ggufb-00001-of-00002.gguf" {
		t.Errorf("listed %q", got)
	}
	p.enter("#url", "me/nothing")
	p.click("#url-open")
	p.state("failed")
	if got := p.text("#error"); !strings.Contains(got, "repository") || !strings.Contains(got, "me/nothing") {
		t.Errorf("the error says %q", got)
	}
	if got := eval[string](p, `window.asked.join()`); got != "https://huggingface.co/api/models/me/tales,https://huggingface.co/api/models/me/nothing" {
		t.Errorf("asked for %s", got)
	}
}
