package pageserver

import (
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

func site() fstest.MapFS {
	return fstest.MapFS{
		"index.html":      {Data: []byte("<!doctype html>")},
		"index.html.br":   {Data: []byte("br of index")},
		"index.html.gz":   {Data: []byte("gz of index")},
		"page.js":         {Data: []byte("0123456789")},
		"page.js.gz":      {Data: []byte("gz of js")},
		"viewer.wasm":     {Data: []byte("\x00asm")},
		"straw.d.ts":      {Data: []byte("export {}")},
		"demo.gguf":       {Data: []byte("GGUF")},
		".secret":         {Data: []byte("secret")},
		".git/config":     {Data: []byte("secret")},
		"docs/index.html": {Data: []byte("docs")},
		"docs/a b.svg":    {Data: []byte("<svg/>")},
	}
}

func get(h http.Handler, method, target string, header ...string) *http.Response {
	r := httptest.NewRequest(method, "http://localhost/", nil)
	r.URL.Path = target
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(r *http.Response) string {
	b, _ := io.ReadAll(r.Body)
	return string(b)
}

func TestFiles(t *testing.T) {
	h := New(site())
	for _, tt := range []struct {
		path, mime, want string
		status           int
	}{
		{"/", "text/html; charset=utf-8", "<!doctype html>", 200},
		{"/index.html", "text/html; charset=utf-8", "<!doctype html>", 200},
		{"/page.js", "text/javascript; charset=utf-8", "0123456789", 200},
		{"/viewer.wasm", "application/wasm", "\x00asm", 200},
		{"/straw.d.ts", "text/plain; charset=utf-8", "export {}", 200},
		{"/demo.gguf", "application/octet-stream", "GGUF", 200},
		{"/docs/", "text/html; charset=utf-8", "docs", 200},
		{"/docs/a b.svg", "image/svg+xml", "<svg/>", 200},
		{"/docs", "text/plain; charset=utf-8", "no such page\n", 404},
		{"/absent", "text/plain; charset=utf-8", "no such page\n", 404},
		{"/../index.html", "text/plain; charset=utf-8", "no such page\n", 404},
		{"/docs/../index.html", "text/plain; charset=utf-8", "no such page\n", 404},
		{"//index.html", "text/plain; charset=utf-8", "no such page\n", 404},
		{"/docs//", "text/plain; charset=utf-8", "no such page\n", 404},
		{"/..\\index.html", "text/plain; charset=utf-8", "no such page\n", 404},
		{"/index.html\x00", "text/plain; charset=utf-8", "no such page\n", 404},
		{"/.secret", "text/plain; charset=utf-8", "no such page\n", 404},
		{"/.git/config", "text/plain; charset=utf-8", "no such page\n", 404},
		{"index.html", "text/plain; charset=utf-8", "no such page\n", 404},
	} {
		r := get(h, "GET", tt.path)
		if got := body(r); r.StatusCode != tt.status || r.Header.Get("Content-Type") != tt.mime || got != tt.want {
			t.Errorf("%q: got %d %s %q", tt.path, r.StatusCode, r.Header.Get("Content-Type"), got)
		}
		for _, kv := range headers {
			if r.Header.Get(kv[0]) != kv[1] {
				t.Errorf("%q: %s is %q", tt.path, kv[0], r.Header.Get(kv[0]))
			}
		}
	}
}

func TestMethods(t *testing.T) {
	h := New(site())
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "TRACE"} {
		if r := get(h, method, "/"); r.StatusCode != 405 || r.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: got %d", method, r.StatusCode)
		}
	}
	for _, coding := range []string{"", "br"} {
		full, head := get(h, "GET", "/", "Accept-Encoding", coding), get(h, "HEAD", "/", "Accept-Encoding", coding)
		if got := body(head); got != "" || head.StatusCode != 200 || head.Header.Get("Content-Length") != full.Header.Get("Content-Length") || head.Header.Get("ETag") != full.Header.Get("ETag") {
			t.Errorf("HEAD %s: got %d %v %q", coding, head.StatusCode, head.Header, got)
		}
	}
}

func TestEncodings(t *testing.T) {
	h := New(site())
	for _, tt := range []struct{ path, accept, coding, want string }{
		{"/", "gzip, deflate, br, zstd", "br", "br of index"},
		{"/", "gzip, deflate", "gzip", "gz of index"},
		{"/", "GZIP;q=0.5, br;q=0", "gzip", "gz of index"},
		{"/", "br ; q = 0.1", "br", "br of index"},
		{"/", "*", "br", "br of index"},
		{"/", "*;q=0, gzip", "gzip", "gz of index"},
		{"/", "br;q=x", "", "<!doctype html>"},
		{"/", "", "", "<!doctype html>"},
		{"/", "identity", "", "<!doctype html>"},
		{"/page.js", "br", "", "0123456789"},
		{"/page.js", "br, gzip", "gzip", "gz of js"},
		{"/demo.gguf", "br, gzip", "", "GGUF"},
	} {
		r := get(h, "GET", tt.path, "Accept-Encoding", tt.accept)
		got := body(r)
		if r.StatusCode != 200 || r.Header.Get("Content-Encoding") != tt.coding || got != tt.want {
			t.Errorf("%s, %q: got %s %q", tt.path, tt.accept, r.Header.Get("Content-Encoding"), got)
		}
		if vary := r.Header.Get("Vary"); (vary != "") != (tt.path != "/demo.gguf") {
			t.Errorf("%s: Vary is %q", tt.path, vary)
		}
		if r.ContentLength != int64(len(got)) {
			t.Errorf("%s, %q: length %d of %d", tt.path, tt.accept, r.ContentLength, len(got))
		}
	}
}

func TestRanges(t *testing.T) {
	h := New(site())
	r := get(h, "GET", "/page.js", "Range", "bytes=2-4", "Accept-Encoding", "gzip")
	if got := body(r); r.StatusCode != 206 || got != "234" || r.Header.Get("Content-Range") != "bytes 2-4/10" || r.Header.Get("Content-Encoding") != "" {
		t.Errorf("got %d %q %v", r.StatusCode, got, r.Header)
	}
	if r := get(h, "GET", "/page.js", "Range", "bytes=20-"); r.StatusCode != 416 {
		t.Errorf("got %d", r.StatusCode)
	}
	if r := get(h, "GET", "/page.js", "Range", "bytes=2-4", "If-Range", `"other"`); r.StatusCode != 200 {
		t.Errorf("got %d", r.StatusCode)
	}
}

func TestRevalidation(t *testing.T) {
	files := site()
	h := New(files)
	tags := map[string]bool{}
	for _, coding := range []string{"", "gzip", "br"} {
		tags[get(h, "GET", "/", "Accept-Encoding", coding).Header.Get("ETag")] = true
	}
	if len(tags) != 3 {
		t.Errorf("the forms of a file share tags: %v", tags)
	}
	tag := get(h, "GET", "/page.js").Header.Get("ETag")
	r := get(h, "GET", "/page.js", "If-None-Match", tag)
	if got := body(r); r.StatusCode != 304 || got != "" || r.Header.Get("Cache-Control") != "no-cache" {
		t.Errorf("got %d %q %v", r.StatusCode, got, r.Header)
	}
	files["page.js"] = &fstest.MapFile{Data: []byte("9876543210"), ModTime: time.Unix(1, 0)}
	if r := get(h, "GET", "/page.js", "If-None-Match", tag); r.StatusCode != 200 || body(r) != "9876543210" {
		t.Errorf("a changed file: got %d", r.StatusCode)
	}
}

// plain hides that files can seek.
type plain struct{ fs.FS }

func (p plain) Open(name string) (fs.File, error) {
	file, err := p.FS.Open(name)
	return struct{ fs.File }{file}, err
}

func TestFilesThatCannotSeek(t *testing.T) {
	if r := get(New(plain{site()}), "GET", "/page.js", "Range", "bytes=2-4"); r.StatusCode != 206 || body(r) != "234" {
		t.Errorf("got %d", r.StatusCode)
	}
}

func TestPolicyIsStrict(t *testing.T) {
	for _, loose := range []string{"unsafe-inline", "'unsafe-eval'", "http:;", "*;", "* "} {
		if scripts, _, _ := strings.Cut(policy, "connect-src"); strings.Contains(scripts, loose) {
			t.Errorf("the policy has %s", loose)
		}
	}
}
