package main

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

func TestReport(t *testing.T) {
	var out strings.Builder
	within := []weight{{name: "page.js", br: 60_000}, {name: "page.css", br: 40_000}, {name: "viewer.wasm", br: 1_000_000}, {name: "runner.wasm", br: 9_000_000}}
	if over := report(&out, within); over != 0 {
		t.Errorf("%d budgets exceeded, want none:\n%s", over, &out)
	}
	out.Reset()
	above := append(within, weight{name: "index.html", br: 1}, weight{name: "straw.d.ts", br: 1 << 20})
	if over := report(&out, above); over != 1 || !strings.Contains(out.String(), "over the budget of 100 KB") {
		t.Errorf("%d budgets exceeded, want one, of the scripts:\n%s", over, &out)
	}
}

func TestWriteAssets(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	noise := make([]byte, 10_000) // what does not shrink has no compressed form
	rnd := rand.NewChaCha8([32]byte{})
	_, _ = rnd.Read(noise)
	text := []byte(strings.Repeat("straw ", 1000))
	for _, round := range []string{"compressed", "from the cache"} {
		weights, err := writeAssets(dir, cache, map[string][]byte{"a.js": text, "b.gguf": noise})
		if err != nil {
			t.Fatal(round, err)
		}
		if a := weights[0]; a.name != "a.js" || a.raw != 6000 || a.br > 100 || a.gzip > 200 {
			t.Errorf("%s: %+v", round, a)
		}
		if b := weights[1]; b.br != 10_000 || b.gzip != 10_000 {
			t.Errorf("%s: %+v", round, b)
		}
		packed, err := os.ReadFile(filepath.Join(dir, "a.js.br"))
		if err != nil {
			t.Fatal(round, err)
		}
		if plain, err := io.ReadAll(brotli.NewReader(bytes.NewReader(packed))); err != nil || !bytes.Equal(plain, text) {
			t.Errorf("%s: a.js.br does not hold a.js: %v", round, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "b.gguf.gz")); err == nil {
			t.Errorf("%s: b.gguf.gz was written", round)
		}
	}
	files, err := os.ReadDir(cache)
	if err != nil || len(files) != 4 {
		t.Errorf("%d files in the cache, want 4: %v", len(files), err)
	}
}

// A cached form that is older than its source is right: it is found by the source's hash.
func TestCachedByHash(t *testing.T) {
	dir := t.TempDir()
	calls := 0
	pack := func(b []byte) ([]byte, error) {
		calls++
		return b[:1], nil
	}
	for _, data := range []string{"ab", "cd", "ab"} {
		got, err := cached(dir, ".br", []byte(data), pack)
		if err != nil || string(got) != data[:1] {
			t.Errorf("%q: got %q, %v", data, got, err)
		}
	}
	if calls != 2 {
		t.Errorf("compressed %d times, want 2", calls)
	}
}
