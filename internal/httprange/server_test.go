//go:build !js

package httprange

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// server is a file server that can be told to misbehave.
type server struct {
	*httptest.Server
	data     []byte
	etag     string
	modified time.Time

	mu    sync.Mutex
	seen  []*http.Request
	fault func(n int, w http.ResponseWriter, r *http.Request) bool // request n (from 0): true when it was answered
}

func newServer(t *testing.T, size int) *server {
	t.Helper()
	s := &server{data: make([]byte, size), etag: `"v1"`, modified: time.Unix(1_700_000_000, 0)}
	for i := range s.data {
		s.data[i] = byte(i ^ i>>8 ^ i>>16)
	}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	n := len(s.seen)
	s.seen = append(s.seen, r)
	s.mu.Unlock()
	if s.fault != nil && s.fault(n, w, r) {
		return
	}
	if s.etag != "" {
		w.Header().Set("ETag", s.etag)
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	http.ServeContent(w, r, "", s.modified, bytes.NewReader(s.data))
}

// requests are the Range headers asked for so far.
func (s *server) requests() (ranges []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.seen {
		ranges = append(ranges, strings.TrimPrefix(r.Header.Get("Range"), "bytes="))
	}
	return ranges
}

// open makes a file system whose pauses are short.
func (s *server) open(t *testing.T, path string, o Options) *FS {
	t.Helper()
	return quick(t, s.URL+path, o)
}

func quick(t *testing.T, address string, o Options) *FS {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	f, err := New(ctx, address, o)
	if err != nil {
		t.Fatal(err)
	}
	f.pause, f.stall = time.Millisecond, 5*time.Second
	return f
}

// read opens the URL's file and reads n bytes at off.
func read(f *FS, off int64, n int) ([]byte, error) {
	file, err := f.Open(f.Name())
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p := make([]byte, n)
	got, err := file.(io.ReaderAt).ReadAt(p, off)
	return p[:got], err
}

// cut answers with a part whose bytes end early, as a broken connection does.
func cut(w http.ResponseWriter, header string, body []byte) {
	connection, buffer, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	buffer.WriteString(header)
	buffer.Write(body)
	buffer.Flush()
	connection.Close()
}
