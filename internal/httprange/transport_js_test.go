package httprange

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"syscall/js"
	"testing"
	"time"
)

// fakeFetch is a browser whose fetch is written in JavaScript: an expression of a function of (url, options, n).
// Calls are noted in its property "log".
func fakeFetch(t *testing.T, code string) js.Value {
	t.Helper()
	return js.Global().Call("eval", `(() => {
		const data = new Uint8Array(3 << 20).map((_, i) => i ^ i >> 8 ^ i >> 16);
		const part = (o, h = {}, size = data.length) => {
			const [a, b] = o.headers.Range.slice(6).split("-").map(Number), end = Math.min(b + 1, size);
			return answer(206, {"content-range": "bytes " + a + "-" + (end - 1) + "/" + size, ...h}, data.slice(a, end));
		};
		const answer = (status, h, body, more = {}) => ({
			status, headers: new Headers(h), url: "", redirected: false, ...more,
			body: body && new ReadableStream({start(c) {
				for (let i = 0; i < body.length; i += 100000) c.enqueue(body.slice(i, i + 100000));
				c.close();
			}}),
		});
		const log = [];
		return {
			log, AbortController, Headers,
			location: {protocol: "https:"}, navigator: {onLine: true},
			fetch(url, options) { log.push(url + " " + options.headers.Range.slice(6)); return Promise.resolve((`+code+`)(url, options, log.length - 1)); },
		};
	})()`)
}

func page(t *testing.T, address, code string) (*FS, js.Value) {
	t.Helper()
	global := fakeFetch(t, code)
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	f, err := newFS(ctx, address, Options{}, fetchTransport{global})
	if err != nil {
		t.Fatal(err)
	}
	f.pause = time.Millisecond
	return f, global
}

func read(f *FS, off int64, n int) ([]byte, error) {
	file, err := f.Open(f.Name())
	if err != nil {
		return nil, err
	}
	p := make([]byte, n)
	got, err := file.(io.ReaderAt).ReadAt(p, off)
	return p[:got], err
}

func pattern(off, n int) []byte {
	p := make([]byte, n)
	for i := range p {
		j := off + i
		p[i] = byte(j ^ j>>8 ^ j>>16)
	}
	return p
}

func TestFetch(t *testing.T) {
	f, global := page(t, "https://h/m.gguf", `(url, o) => part(o)`)
	for _, off := range []int{0, 1000, 1<<20 - 10, 2 << 20} {
		if got, err := read(f, int64(off), 1<<18); err != nil || !bytes.Equal(got, pattern(off, 1<<18)) {
			t.Fatalf("at %d: %d bytes, %v", off, len(got), err)
		}
	}
	if info, err := f.Stat("m.gguf"); err != nil || info.Size() != 3<<20 {
		t.Errorf("got %v, %v", info, err)
	}
	log := global.Get("log").Call("join", ", ").String()
	if want := "https://h/m.gguf 0-1048575, https://h/m.gguf 1048576-2097151, https://h/m.gguf 2097152-3145727"; log != want {
		t.Errorf("asked for %s, want %s", log, want)
	}
}

func TestFetchFaults(t *testing.T) {
	const cors = `() => Promise.reject(new TypeError("Failed to fetch"))`
	for _, tt := range []struct {
		name, address, code string
		is                  error
		words               string
		n                   int
	}{
		{"cors", "https://h/m.gguf?sig=secret", cors, ErrUnreachable, "does not allow other pages to read its files (CORS)", 1},
		{"mixed content", "http://h/m.gguf?sig=secret", cors, ErrUnreachable, "does not let an https page read from an http address", 1},
		{"hidden Content-Range", "https://h/m.gguf?sig=secret", `(u, o) => answer(206, {}, data.slice(0, 10))`, ErrRange, "Access-Control-Expose-Headers: Content-Range", 1},
		{"ignores Range", "https://h/m.gguf?sig=secret", `(u, o) => answer(200, {"content-length": "3145728"}, data)`, ErrNoRange, "here 3145728 bytes", 1},
		{"404", "https://h/m.gguf?sig=secret", `(u, o) => answer(404, {}, null)`, fs.ErrNotExist, "answers 404", 1},
		{"busy", "https://h/m.gguf?sig=secret", `(u, o) => answer(503, {}, null)`, nil, "answers 503", maxTries},
	} {
		f, global := page(t, tt.address, tt.code)
		_, err := read(f, 0, 10)
		failure, ok := errors.AsType[*Error](err)
		if !ok || failure.Kind() != "io" || tt.is != nil && !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.words) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v", tt.name, err)
		}
		if n := global.Get("log").Length(); n != tt.n {
			t.Errorf("%s: %d requests, want %d", tt.name, n, tt.n)
		}
	}
}

// Once a server has answered, a failure without a reason is most often the network's, and passes.
func TestFetchAgain(t *testing.T) {
	for name, code := range map[string]string{
		"network":     `(u, o, n) => n == 1 || n == 2 ? Promise.reject(new TypeError("Failed to fetch")) : part(o)`,
		"broken body": `(u, o, n) => { if (n != 1) return part(o); const a = part(o); a.body = new ReadableStream({start(c) { c.error(new TypeError("network error")); }}); return a; }`,
		"short body":  `(u, o, n) => { if (n != 1) return part(o); const a = part(o), b = part(o, {}, 2300000); a.body = b.body; return a; }`,
	} {
		f, _ := page(t, "https://h/m.gguf", code)
		for _, off := range []int{0, 2 << 20} {
			if got, err := read(f, int64(off), 1<<20); err != nil || !bytes.Equal(got, pattern(off, 1<<20)) {
				t.Errorf("%s: at %d: %d bytes, %v", name, off, len(got), err)
			}
		}
	}
}

// The browser follows redirects; where they led is asked next, until it refuses, in ways that a page may not see.
func TestFetchRedirected(t *testing.T) {
	f, global := page(t, "https://hub/m.gguf", `(u, o, n) => {
		const hub = u == "https://hub/m.gguf", sig = n < 2 ? 1 : 2;
		if (!hub && u != "https://cdn/x?sig=" + sig) return Promise.reject(new TypeError("Failed to fetch"));
		return {...part(o), redirected: hub, url: hub ? "https://cdn/x?sig=" + sig : u};
	}`)
	for i := range 3 {
		if got, err := read(f, int64(i)<<20, 1<<20); err != nil || !bytes.Equal(got, pattern(i<<20, 1<<20)) {
			t.Errorf("MiB %d: %v", i, err)
		}
	}
	log := global.Get("log").Call("join", ", ").String()
	want := "https://hub/m.gguf 0-1048575, https://cdn/x?sig=1 1048576-2097151, https://cdn/x?sig=1 2097152-3145727, https://hub/m.gguf 2097152-3145727"
	if log != want {
		t.Errorf("asked for %s, want %s", log, want)
	}
}

func TestFetchCancelled(t *testing.T) {
	global := fakeFetch(t, `(u, o, n) => new Promise((_, no) => o.signal.addEventListener("abort", () => { log.push("aborted"); no(new DOMException("", "AbortError")); }))`)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	f, err := newFS(ctx, "https://h/m.gguf", Options{}, fetchTransport{global})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := read(f, 0, 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if log := global.Get("log").Call("join", ", ").String(); !strings.HasSuffix(log, ", aborted") {
		t.Errorf("log: %s", log)
	}
}

// The same through Node's own fetch and server.
func TestFetchReal(t *testing.T) {
	require := js.Global().Get("require")
	if require.IsUndefined() {
		t.Log("not under Node")
		return
	}
	server := js.Global().Call("eval", `(http => {
		const data = Buffer.alloc(3 << 20).map((_, i) => i ^ i >> 8 ^ i >> 16);
		return http.createServer((q, r) => {
			if (q.url.startsWith("/hub/")) return r.writeHead(302, {location: "/cdn/" + q.url.slice(5)}).end();
			const [a, b] = q.headers.range.slice(6).split("-").map(Number), end = Math.min(b + 1, data.length);
			r.writeHead(206, {"content-range": "bytes " + a + "-" + (end - 1) + "/" + data.length, etag: '"1"'}).end(data.slice(a, end));
		});
	})`).Invoke(require.Invoke("http"))
	defer server.Call("closeAllConnections")
	defer server.Call("close")
	listening := make(chan struct{})
	ready := js.FuncOf(func(js.Value, []js.Value) any { close(listening); return nil })
	defer ready.Release()
	server.Call("listen", 0, "127.0.0.1", ready)
	<-listening
	f, err := New(context.Background(), "http://127.0.0.1:"+strconv.Itoa(server.Call("address").Get("port").Int())+"/hub/m.gguf", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, off := range []int{0, 1<<20 + 5, 1<<20 - 10, 2 << 20} {
		if got, err := read(f, int64(off), 1<<20); err != nil || !bytes.Equal(got, pattern(off, 1<<20)) {
			t.Errorf("at %d: %d bytes, %v", off, len(got), err)
		}
	}
}
