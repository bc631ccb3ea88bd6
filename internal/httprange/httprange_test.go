//go:build !js

package httprange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestReadsOnlyWhatIsNeeded(t *testing.T) {
	s := newServer(t, 5<<20)
	f := s.open(t, "/m.gguf", Options{})
	info, err := f.Stat("m.gguf")
	if err != nil || info.Size() != 5<<20 || !info.ModTime().Equal(s.modified) {
		t.Fatalf("got %v, %v", info, err)
	}
	for _, rd := range []struct{ off, n int }{{0, 4}, {4, 1000}, {1 << 20, 8}, {2<<20 - 4, 8}, {4 << 20, 1 << 20}, {3<<20 + 5, 8}} {
		got, err := read(f, int64(rd.off), rd.n)
		if err != nil || !bytes.Equal(got, s.data[rd.off:][:rd.n]) {
			t.Fatalf("%v: %v", rd, err)
		}
	}
	want := []string{"0-1048575", "1048576-2097151", "2097152-3145727", "4194304-5242879", "3145733-3211268"}
	if got := s.requests(); !slices.Equal(got, want) {
		t.Errorf("asked for %v, want %v", got, want)
	}
	for _, r := range s.seen {
		if r.Header.Get("Accept-Encoding") != "identity" {
			t.Errorf("Accept-Encoding is %q", r.Header.Get("Accept-Encoding"))
		}
	}
}

func TestSmallAndEmptyFiles(t *testing.T) {
	for _, size := range []int{0, 1, 10, 1<<20 - 1, 1 << 20, 1<<20 + 1} {
		s := newServer(t, size)
		got, err := read(s.open(t, "/m.gguf", Options{}), 0, size+10)
		if err != io.EOF || !bytes.Equal(got, s.data) {
			t.Errorf("%d bytes: read %d, %v", size, len(got), err)
		}
	}
	s := newServer(t, 0)
	s.fault = func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Range", "bytes */0")
		w.WriteHeader(416)
		return true
	}
	if info, err := s.open(t, "/m.gguf", Options{}).Stat("m.gguf"); err != nil || info.Size() != 0 {
		t.Errorf("416 of an empty file: %v, %v", info, err)
	}
}

func TestSiblings(t *testing.T) {
	s := newServer(t, 100)
	f := s.open(t, "/a%2Fb/c%20d/m-00001-of-00002.gguf?download=true&sig=a%2Bb", Options{})
	for _, name := range []string{f.Name(), "m-00002-of-00002.gguf", "50% #?.gguf"} {
		if _, err := f.Stat(name); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, r := range s.seen {
		got = append(got, r.RequestURI)
	}
	want := []string{
		"/a%2Fb/c%20d/m-00001-of-00002.gguf?download=true&sig=a%2Bb",
		"/a%2Fb/c%20d/m-00002-of-00002.gguf?download=true&sig=a%2Bb",
		"/a%2Fb/c%20d/50%25%20%23%3F.gguf?download=true&sig=a%2Bb",
	}
	if !slices.Equal(got, want) {
		t.Errorf("asked for %q, want %q", got, want)
	}
	for _, name := range []string{"../x", "/x", ".", ""} {
		if _, err := f.Open(name); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%q: got %v", name, err)
		}
	}
}

func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"http://h/":                      "the address names a folder, not a file",
		"http://h":                       "the address names a folder, not a file",
		"http:///m.gguf":                 "is not an http or https address",
		"ftp://h/m.gguf":                 "is not an http or https address",
		"http://u:secret@h/%zz?k=secret": "is not a URL",
	} {
		_, err := New(context.Background(), address, Options{})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v", address, err)
		}
	}
}

// Each fault has its own words. The number is of the requests that were spent on it.
func TestFaults(t *testing.T) {
	status := func(code int) func(*server, int, http.ResponseWriter, *http.Request) bool {
		return func(_ *server, _ int, w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(code); return true }
	}
	part := func(contentRange string, more ...string) func(*server, int, http.ResponseWriter, *http.Request) bool {
		return func(s *server, _ int, w http.ResponseWriter, _ *http.Request) bool {
			if contentRange != "" {
				w.Header().Set("Content-Range", contentRange)
			}
			for i := 0; i < len(more); i += 2 {
				w.Header().Set(more[i], more[i+1])
			}
			w.WriteHeader(206)
			w.Write(s.data[:100])
			return true
		}
	}
	for _, tt := range []struct {
		name  string
		fault func(*server, int, http.ResponseWriter, *http.Request) bool
		is    error
		words string
		n     int
	}{
		{"401", status(401), fs.ErrPermission, "answers 401: it asks for a login; give an access token", 1},
		{"403", status(403), fs.ErrPermission, "answers 403: it refuses access", 1},
		{"404", status(404), fs.ErrNotExist, "answers 404: there is no such file", 1},
		{"410", status(410), fs.ErrNotExist, "answers 410", 1},
		{"416", status(416), ErrRange, "answers 416", 1},
		{"418", status(418), nil, "answers 418", 1},
		{"204", status(204), nil, "answers 204", 1},
		{"429", status(429), nil, "answers 429: it gets too many requests", maxTries},
		{"500", status(500), nil, "answers 500: it has a fault of its own", maxTries},
		{"501", status(501), nil, "answers 501", 1},
		{"503", status(503), nil, "answers 503", maxTries},
		{"503, come back tomorrow", func(_ *server, _ int, w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Retry-After", "86400")
			w.WriteHeader(503)
			return true
		}, nil, "answers 503", 1},
		{"web page", func(_ *server, _ int, w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, "<!doctype html>")
			return true
		}, ErrRange, `it is a web page, not a file; use the address of the download itself, most often with "/resolve/"`, 1},
		{"no Content-Range", part(""), ErrRange, "no Content-Range", 1},
		{"nonsense", part("bytes 0-99"), ErrRange, `Content-Range is "bytes 0-99"`, 1},
		{"wrong start", part("bytes 1-100/1000"), ErrRange, `Content-Range is "bytes 1-100/1000"`, 1},
		{"end before start", part("bytes 0--1/1000"), ErrRange, "does not fit", 1},
		{"end beyond the file", part("bytes 0-1000/1000"), ErrRange, "does not fit", 1},
		{"no size", part("bytes 0-99/*"), ErrRange, "it does not tell the size", 1},
		{"compressed", part("bytes 0-99/1000", "Content-Encoding", "gzip"), ErrRange, "it is compressed", 1},
		{"several parts", part("", "Content-Type", "multipart/byteranges; boundary=x"), ErrRange, "no Content-Range", 1},
		{"endless redirects", func(_ *server, n int, w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, fmt.Sprintf("/%d?k=secret", n), http.StatusFound)
			return true
		}, ErrRange, "more than 10 redirects", 10},
		{"redirect to nowhere", status(302), ErrRange, "redirects to no address", 1},
		{"redirect to a file", func(_ *server, _ int, w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Location", "file://localhost/etc/passwd")
			w.WriteHeader(302)
			return true
		}, ErrRange, "unsafe address", 1},
		{"closed connection", func(_ *server, _ int, w http.ResponseWriter, _ *http.Request) bool {
			cut(w, "", nil)
			return true
		}, ErrUnreachable, "no answer (EOF)", maxTries},
		{"not http", func(_ *server, _ int, w http.ResponseWriter, _ *http.Request) bool {
			cut(w, "SSH-2.0-OpenSSH\r\n", nil)
			return true
		}, ErrUnreachable, "malformed", maxTries},
	} {
		s := newServer(t, 1000)
		s.fault = func(n int, w http.ResponseWriter, r *http.Request) bool { return tt.fault(s, n, w, r) }
		_, err := read(s.open(t, "/u/blob/m.gguf?sig=secret", Options{}), 0, 1000)
		failure, ok := errors.AsType[*Error](err)
		if !ok || failure.Kind() != "io" || !strings.Contains(err.Error(), tt.words) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: got %v", tt.name, err)
			continue
		}
		if prefix := "open " + s.URL + "/u/blob/m.gguf?...: "; !strings.HasPrefix(err.Error(), prefix) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %q", tt.name, err)
		}
		if n := len(s.requests()); n < tt.n || n > tt.n+tt.n { // net/http may send a request again on a fresh connection
			t.Errorf("%s: %d requests, want %d", tt.name, n, tt.n)
		}
	}
}

func TestUnreachable(t *testing.T) {
	s := newServer(t, 10)
	gone := s.URL
	s.Close()
	_, err := read(quick(t, gone+"/m.gguf?k=secret", Options{}), 0, 1)
	if !errors.Is(err, ErrUnreachable) || !strings.Contains(err.Error(), "does not accept connections") || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
	plain := newServer(t, 10)
	_, err = read(quick(t, strings.Replace(plain.URL, "http:", "https:", 1)+"/m.gguf", Options{}), 0, 1)
	if !errors.Is(err, ErrUnreachable) {
		t.Errorf("https of an http server: got %v", err)
	}
	unknown := httptest.NewTLSServer(plain)
	defer unknown.Close()
	_, err = read(quick(t, unknown.URL+"/m.gguf", Options{}), 0, 1)
	if !errors.Is(err, ErrUnreachable) || !strings.Contains(err.Error(), "cannot prove who it is") {
		t.Errorf("unknown certificate: got %v", err)
	}
}

// A server that ignores Range has sent at most what fits the buffers between when its answer is refused.
func TestWholeFileIsNotDownloaded(t *testing.T) {
	var sent atomic.Int64
	done := make(chan struct{})
	s := newServer(t, 10)
	s.fault = func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		defer close(done)
		w.Header().Set("Content-Length", "1073741824")
		for p := make([]byte, 64<<10); sent.Load() < 1<<30; {
			n, err := w.Write(p)
			sent.Add(int64(n))
			if err != nil {
				break
			}
		}
		return true
	}
	_, err := read(s.open(t, "/m.gguf", Options{}), 0, 1)
	if !errors.Is(err, ErrNoRange) || !strings.Contains(err.Error(), "here 1073741824 bytes; download the file") {
		t.Errorf("got %v", err)
	}
	<-done
	if n := sent.Load(); n > 16<<20 {
		t.Errorf("the server sent %d bytes", n)
	}
}

func TestRetries(t *testing.T) {
	for name, fault := range map[string]func(s *server, n int, w http.ResponseWriter, r *http.Request) bool{
		"busy twice": func(_ *server, n int, w http.ResponseWriter, _ *http.Request) bool {
			if n < 2 {
				w.WriteHeader(503)
			}
			return n < 2
		},
		"too many requests once": func(_ *server, n int, w http.ResponseWriter, _ *http.Request) bool {
			if n == 1 {
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(429)
			}
			return n == 1
		},
		"reset twice": func(_ *server, n int, w http.ResponseWriter, _ *http.Request) bool {
			if n < 2 {
				c, _, _ := w.(http.Hijacker).Hijack()
				c.(*net.TCPConn).SetLinger(0)
				c.Close()
			}
			return n < 2
		},
		"each answer breaks off": func(s *server, n int, w http.ResponseWriter, r *http.Request) bool {
			var first, last int
			fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &first, &last)
			last = min(last, len(s.data)-1)
			if last-first < 300_000 {
				return false
			}
			cut(w, fmt.Sprintf("HTTP/1.1 206 Partial Content\r\nETag: \"v1\"\r\nContent-Range: bytes %d-%d/%d\r\nContent-Length: %d\r\n\r\n",
				first, last, len(s.data), last+1-first), s.data[first:first+200_000])
			return true
		},
		"parts are shorter than asked": func(s *server, n int, w http.ResponseWriter, r *http.Request) bool {
			var first, last int
			fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &first, &last)
			last = min(last, first+99_999, len(s.data)-1)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", first, last, len(s.data)))
			w.WriteHeader(206)
			w.Write(s.data[first : last+1])
			return true
		},
		"parts are longer than asked": func(s *server, n int, w http.ResponseWriter, r *http.Request) bool {
			var first int
			fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &first)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", first, len(s.data)-1, len(s.data)))
			w.WriteHeader(206)
			w.Write(s.data[first:])
			return true
		},
	} {
		s := newServer(t, 3<<20)
		s.fault = func(n int, w http.ResponseWriter, r *http.Request) bool { return fault(s, n, w, r) }
		got, err := read(s.open(t, "/m.gguf", Options{}), 0, len(s.data))
		if err != nil || !bytes.Equal(got, s.data) {
			t.Errorf("%s: read %d, %v, %v", name, len(got), err, s.requests())
		}
	}
}

func TestTrickleIsGivenUp(t *testing.T) {
	s := newServer(t, 1000)
	s.fault = func(_ int, w http.ResponseWriter, r *http.Request) bool {
		var first int
		fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &first)
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/1000", first, first))
		w.WriteHeader(206)
		w.Write(s.data[first : first+1])
		return true
	}
	if _, err := read(s.open(t, "/m.gguf", Options{}), 0, 1000); err == nil || len(s.seen) != maxTries {
		t.Errorf("got %v after %d requests", err, len(s.seen))
	}
}

func TestChanges(t *testing.T) {
	for name, change := range map[string]func(s *server){
		"other tag":      func(s *server) { s.etag = `"v2"` },
		"other date":     func(s *server) { s.etag, s.modified = "", s.modified.Add(time.Hour) },
		"longer":         func(s *server) { s.data = append(s.data, 1) },
		"shorter":        func(s *server) { s.data = s.data[:2<<20+1] },
		"much shorter":   func(s *server) { s.data = s.data[:10] },
		"whole, changed": func(s *server) { s.etag = `"v2"`; s.fault = whole },
	} {
		s := newServer(t, 3<<20)
		f := s.open(t, "/m.gguf", Options{})
		if _, err := f.Stat("m.gguf"); err != nil {
			t.Fatal(err)
		}
		change(s)
		if _, err := read(f, 2<<20, 100); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	s := newServer(t, 3<<20)
	f := s.open(t, "/m.gguf", Options{})
	if _, err := f.Stat("m.gguf"); err != nil {
		t.Fatal(err)
	}
	s.modified = s.modified.Add(time.Hour) // another machine of the same service; the tag decides
	if _, err := read(f, 2<<20, 100); err != nil {
		t.Errorf("same tag: got %v", err)
	}
}

func whole(_ int, w http.ResponseWriter, r *http.Request) bool {
	w.Header().Set("ETag", `"v2"`)
	w.Write(make([]byte, 100))
	return true
}

// A hub: its addresses lead to signed ones on another host, which expire.
func TestSignedRedirects(t *testing.T) {
	for _, code := range []int{401, 403, 404, 410} {
		cdn := newServer(t, 4<<20)
		var signature atomic.Int64
		cdn.fault = func(_ int, w http.ResponseWriter, r *http.Request) bool {
			if r.Header.Get("Authorization") != "" {
				t.Error("the token went to the other host")
			}
			if r.URL.Query().Get("sig") == fmt.Sprint(signature.Load()) {
				return false
			}
			w.WriteHeader(code)
			return true
		}
		hub := newServer(t, 0)
		hub.fault = func(_ int, w http.ResponseWriter, r *http.Request) bool {
			if r.Header.Get("Authorization") != "Bearer secret" {
				w.WriteHeader(401)
				return true
			}
			http.Redirect(w, r, fmt.Sprintf("%s/m?sig=%d", strings.Replace(cdn.URL, "127.0.0.1", "localhost", 1), signature.Load()), http.StatusFound)
			return true
		}
		f := hub.open(t, "/m.gguf", Options{Token: "secret"})
		for i := range 4 {
			if i == 2 {
				signature.Add(1)
			}
			if got, err := read(f, int64(i)<<20, 1<<20); err != nil || !bytes.Equal(got, cdn.data[i<<20:][:1<<20]) {
				t.Errorf("%d: MiB %d: %v", code, i, err)
			}
		}
		if h, c := len(hub.seen), len(cdn.seen); h != 2 || c != 5 {
			t.Errorf("%d: %d requests to the hub and %d to the other host, want 2 and 5", code, h, c)
		}
		signature.Store(-1)
		hub.fault = func(_ int, w http.ResponseWriter, r *http.Request) bool { w.WriteHeader(403); return true }
		if _, err := read(f, 2<<20, 100); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%d: no new address: got %v", code, err)
		}
	}
}

func TestCredentials(t *testing.T) {
	s := newServer(t, 10)
	for address, want := range map[string]string{
		"http://user:pa%20ss@" + s.Listener.Addr().String() + "/m.gguf": "Basic dXNlcjpwYSBzcw==",
		s.URL + "/m.gguf": "",
	} {
		s.seen = nil
		f := quick(t, address, Options{})
		if _, err := read(f, 0, 10); err != nil {
			t.Fatal(err)
		}
		if got := s.seen[0].Header.Get("Authorization"); got != want {
			t.Errorf("%s: sent %q, want %q", address, got, want)
		}
		if want := s.URL + "/m.gguf"; f.Label() != want {
			t.Errorf("label %q, want %q", f.Label(), want)
		}
	}
	s.fault = func(_ int, w http.ResponseWriter, r *http.Request) bool { w.WriteHeader(401); return true }
	if _, err := read(s.open(t, "/m.gguf", Options{Token: "secret"}), 0, 1); err == nil || !strings.Contains(err.Error(), "does not accept the access token") {
		t.Errorf("got %v", err)
	}
}

func TestCancel(t *testing.T) {
	s := newServer(t, 3<<20)
	block := make(chan struct{})
	s.fault = func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n > 0 {
			<-block
		}
		return false
	}
	defer close(block)
	ctx, cancel := context.WithCancel(context.Background())
	f, err := New(ctx, s.URL+"/m.gguf", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Stat("m.gguf"); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := read(f, 2<<20, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestStalledServer(t *testing.T) {
	s := newServer(t, 3<<20)
	block := make(chan struct{})
	defer close(block)
	s.fault = func(n int, w http.ResponseWriter, r *http.Request) bool {
		var first int
		fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &first)
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-1048575/3145728", first))
		w.WriteHeader(206)
		w.Write(s.data[first : first+100])
		w.(http.Flusher).Flush()
		select {
		case <-block:
		case <-r.Context().Done():
		}
		return true
	}
	f := s.open(t, "/m.gguf", Options{})
	f.stall = 30 * time.Millisecond
	if _, err := read(f, 0, 10); err == nil || !strings.Contains(err.Error(), "sent nothing for 30ms") {
		t.Errorf("got %v", err)
	}
}

func TestClosed(t *testing.T) {
	s := newServer(t, 10)
	file, err := s.open(t, "/m.gguf", Options{}).Open("m.gguf")
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	if _, err := file.Read(make([]byte, 1)); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
	if _, err := file.(io.ReaderAt).ReadAt(make([]byte, 1), 0); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
	if err := file.Close(); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
}
