//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"straw/engine"
	"straw/engine/sample"
	"straw/gguf"
	"straw/internal/demo"
	"straw/internal/session"
)

// A story that every backend must tell alike: drawn with a seed, and long enough for more than a page of the cache.
const (
	begins = "Once upon a time there was a small boat. It had a red sail and a very old captain, who knew every island of the sea by its name"
	words  = 60
	seed   = 7
)

// native is the tokens of the story as the command line tells it.
func native(t *testing.T) []int {
	t.Helper()
	f, err := gguf.Open(demo.Open())
	if err != nil {
		t.Fatal(err)
	}
	m, err := session.Load(t.Context(), f, engine.Options{Resident: true, KV: engine.KVF16, Context: 256})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	how := session.Params{MaxTokens: words, Sampler: sample.Default()}
	how.Sampler.Seed = seed
	r, err := m.Generate(t.Context(), session.Prompt{Text: begins}, how, func(session.Piece) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return r.IDs
}

// tells loads the demo model in the page with a backend and some threads, and has it tell the story.
func tells(p *tab, backend string, threads int) (name string, ids []int) {
	p.t.Helper()
	type told struct {
		Backend string `json:"backend"`
		IDs     []int  `json:"ids"`
	}
	got := eval[told](p, fmt.Sprintf(`(async () => {
		const { open } = await import("/straw.js");
		const model = await open(await (await fetch("/demo.gguf")).blob());
		const session = await model.load({ contextSize: 256, backend: %q, threads: %d || undefined });
		for await (const _ of session.generate({ prompt: %q, maxTokens: %d, seed: %d }));
		const told = { backend: session.backend, ids: [...session.last.ids] };
		session.close();
		model.close();
		return told;
	})()`, backend, threads, begins, words, seed))
	return got.Backend, got.IDs
}

// TestBackends: whatever computes, the tokens are the command line's, and the session says what it was and why.
func TestBackends(t *testing.T) {
	want := native(t)
	if len(want) < words/2 {
		t.Fatalf("the story has %d tokens", len(want))
	}
	for _, c := range []struct {
		page, backend string
		threads       int
		says          string
	}{
		{"/", "auto", 2, "simd-threads: relaxed SIMD; 2 threads"},
		{"/", "auto", 5, "simd-threads: relaxed SIMD; 5 threads"}, // more than there are cores
		{"/", "simd", 0, "simd: relaxed SIMD; one thread, as asked for"},
		{"/", "simd128", 0, "simd: SIMD, not relaxed, as asked for; one thread"},
		{"/", "scalar", 0, "scalar: as asked for"},
		{"/test/embed.html", "auto", 0, "simd: relaxed SIMD; one thread: the page is not cross-origin isolated"},
	} {
		p := open(t, c.page)
		name, ids := tells(p, c.backend, c.threads)
		if !strings.HasPrefix(name, c.says) {
			t.Errorf("%s with %d threads on %s: it says %q, want %q", c.backend, c.threads, c.page, name, c.says)
		}
		if !slices.Equal(ids, want) {
			t.Errorf("%s with %d threads on %s: tokens\n%v, want\n%v", c.backend, c.threads, c.page, ids, want)
		}
	}
}

// TestWithoutSIMD: a browser that has none still tells the story.
func TestWithoutSIMD(t *testing.T) {
	path, err := chromium()
	if err != nil {
		t.Fatal(err)
	}
	options := append(slices.Clone(flags(path)), chromedp.Flag("js-flags", "--no-enable-sse4-1"))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	other, cancel := chromedp.NewContext(allocator)
	defer cancel()
	if err := chromedp.Do(other); err != nil {
		t.Fatal(err)
	}
	p := openIn(t, other, "/")
	name, ids := tells(p, "auto", 0)
	if !strings.HasPrefix(name, "scalar: this browser has no WebAssembly SIMD") {
		t.Errorf("it says %q", name)
	}
	if want := native(t); !slices.Equal(ids, want) {
		t.Errorf("tokens\n%v, want\n%v", ids, want)
	}
}
