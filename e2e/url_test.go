//go:build e2e

package e2e

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// models serves the demo from another origin, in every way that servers do.
func models(t *testing.T) (url string, sent *atomic.Int64) {
	text := demoBytes(t)
	sent = new(atomic.Int64)
	modified := time.Unix(1_700_000_000, 0)
	share := func(w http.ResponseWriter) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Expose-Headers", "Content-Range, Content-Length, ETag, Accept-Ranges")
		w.Header().Set("Access-Control-Allow-Headers", "Range, If-Range, If-Match")
		w.Header().Set("ETag", `"1"`)
	}
	serve := func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(&counting{w, sent}, r, "m.gguf", modified, bytes.NewReader(text))
	}
	large, err := os.Open(write(t, "large.gguf", []entry{{"general.architecture", "llama"}}, []weight{{"hole", []uint64{4096, 1 << 16}}}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { large.Close() })
	mux := http.NewServeMux()
	mux.HandleFunc("/good/m.gguf", func(w http.ResponseWriter, r *http.Request) { share(w); serve(w, r) })
	mux.HandleFunc("/private/m.gguf", serve)
	mux.HandleFunc("/whole/m.gguf", func(w http.ResponseWriter, r *http.Request) {
		share(w)
		r.Header.Del("Range")
		http.ServeContent(&counting{w, sent}, r, "m.gguf", modified, large)
	})
	mux.HandleFunc("/gone/m.gguf", func(w http.ResponseWriter, r *http.Request) { share(w); http.NotFound(w, r) })
	mux.HandleFunc("/moved/m.gguf", func(w http.ResponseWriter, r *http.Request) {
		share(w)
		http.Redirect(w, r, "/good/m.gguf", http.StatusFound)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL, sent
}

// counting counts the bytes that leave.
type counting struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c *counting) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return c.ResponseWriter.Write(p)
}

func TestAddresses(t *testing.T) {
	url, sent := models(t)
	p := open(t, "/")
	p.expect("net::ERR_FAILED") // the browser itself reports requests that fail
	p.expect("404")
	p.expect("CORS policy")
	p.state("empty")

	for _, path := range []string{"/good/m.gguf", "/moved/m.gguf"} {
		sent.Store(0)
		p.enter("#url", url+path)
		p.click("#url-open")
		p.until(`document.body.dataset.state === "open" && document.querySelector('[data-key="general.architecture"]') !== null`, 10*time.Second)
		if n := sent.Load(); n > 2<<20 {
			t.Errorf("%s: %d bytes were sent to look at the header", path, n)
		}
		p.click("#close")
		p.state("empty")
	}
	for path, words := range map[string][]string{
		"/private/m.gguf": {"CORS", "another site", "other site", "allow"},
		"/whole/m.gguf":   {"Range", "whole file", "parts"},
		"/gone/m.gguf":    {"404", "not found"},
	} {
		sent.Store(0)
		p.enter("#url", url+path)
		p.click("#url-open")
		p.state("failed")
		got := p.text("#error")
		found := false
		for _, w := range words {
			found = found || strings.Contains(strings.ToLower(got), strings.ToLower(w))
		}
		if !found {
			t.Errorf("%s: the page says %q, want one of %q", path, got, words)
		}
		if n := sent.Load(); n > 32<<20 { // what fits the buffers between them, of a gigabyte
			t.Errorf("%s: %d bytes were sent", path, n)
		}
		p.click("#close")
		p.state("empty")
	}
}
