// Package hubtest is a server for tests that behaves like the Hugging Face Hub and like a registry that speaks Ollama's
// protocol: a listing by pages, tokens and gates, files that redirect to another host, which knows ranges. It can be made
// to misbehave.
package hubtest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Site publishes the repository ann/tiny, and its tiny.gguf as the registry's model tiny. Its fields may be changed
// between requests.
type Site struct {
	*httptest.Server                  // the Hub, and the registry
	CDN              *httptest.Server // where the files are

	Files    map[string][]byte // by path in the repository
	Sums     map[string]string // published instead of the right ones
	Token    string            // needed, if not ""
	Gated    bool
	Cut      []int // connections to end after so many bytes, one after the other
	Statuses []int // for the Hub to answer first
	NoRange  bool
	ETag     string

	Ranges []string // what the CDN was asked for, "" for all of a file
	Leaked bool     // the CDN saw the token

	mu sync.Mutex
}

// New starts a site; the test ends it.
func New(t testing.TB, files map[string][]byte) *Site {
	s := &Site{Files: files, Sums: map[string]string{}, ETag: `"one"`}
	s.Server = httptest.NewServer(http.HandlerFunc(s.hub))
	s.CDN = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Server.Close)
	t.Cleanup(s.CDN.Close)
	return s
}

// Sum is the SHA-256 of b in hexadecimal.
func Sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

func (s *Site) hub(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.Statuses) > 0 {
		w.WriteHeader(s.Statuses[0])
		s.Statuses = s.Statuses[1:]
		return
	}
	if s.Gated {
		w.Header().Set("X-Error-Code", "GatedRepo")
		w.WriteHeader(http.StatusForbidden)
		return
	}
	const registry = "/v2/" // which asks for no token
	if s.Token != "" && !strings.HasPrefix(r.URL.Path, registry) && r.Header.Get("Authorization") != "Bearer "+s.Token {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	const tree, resolve = "/api/models/ann/tiny/tree/main", "/ann/tiny/resolve/main/"
	switch {
	case r.URL.Path == tree:
		s.tree(w, r)
	case strings.HasPrefix(r.URL.Path, resolve):
		http.Redirect(w, r, s.CDN.URL+"/"+strings.TrimPrefix(r.URL.Path, resolve)+"?signature=secret", http.StatusFound)
	case r.URL.Path == "/v2/library/tiny/manifests/latest":
		data := s.Files["tiny.gguf"]
		fmt.Fprintf(w, `{"layers":[{"mediaType":"application/vnd.ollama.image.license","digest":"sha256:00","size":1},
			{"mediaType":%q,"digest":"sha256:%s","size":%d}]}`, "application/vnd.ollama.image.model", Sum(data), len(data))
	case strings.HasPrefix(r.URL.Path, "/v2/library/tiny/blobs/"):
		http.Redirect(w, r, s.CDN.URL+"/tiny.gguf", http.StatusTemporaryRedirect)
	default:
		w.Header().Set("X-Error-Code", "RepoNotFound")
		w.WriteHeader(http.StatusNotFound)
	}
}

// tree lists two files a page.
func (s *Site) tree(w http.ResponseWriter, r *http.Request) {
	entries := []map[string]any{{"type": "file", "path": "README.md", "size": 5}, {"type": "directory", "path": "x.gguf"},
		{"type": "file", "path": "../../evil.gguf", "size": 5}}
	for _, name := range slices.Sorted(maps.Keys(s.Files)) {
		sum := s.Sums[name]
		if sum == "" {
			sum = Sum(s.Files[name])
		}
		lfs := map[string]any{"oid": sum, "size": len(s.Files[name])}
		entries = append(entries, map[string]any{"type": "file", "path": name, "size": 130, "lfs": lfs})
	}
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	if 2*page+2 < len(entries) {
		w.Header().Set("Link", fmt.Sprintf(`<%s%s?recursive=true&page=%d>; rel="next"`, s.URL, r.URL.Path, page+1))
	}
	json.NewEncoder(w).Encode(entries[2*page : min(2*page+2, len(entries))])
}

// serve is the CDN.
func (s *Site) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Ranges = append(s.Ranges, r.Header.Get("Range"))
	s.Leaked = s.Leaked || r.Header.Get("Authorization") != ""
	data, ok := s.Files[strings.TrimPrefix(r.URL.Path, "/")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if s.ETag != "" {
		w.Header().Set("ETag", s.ETag)
	}
	if s.NoRange {
		r.Header.Del("Range")
	}
	if len(s.Cut) > 0 {
		w = &cutWriter{w, s.Cut[0]}
		s.Cut = s.Cut[1:]
	}
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(string(data)))
}

// cutWriter ends the connection after n bytes of a body.
type cutWriter struct {
	http.ResponseWriter
	n int
}

func (c *cutWriter) Write(p []byte) (int, error) {
	if len(p) > c.n {
		c.ResponseWriter.Write(p[:c.n])
		c.ResponseWriter.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	c.n -= len(p)
	return c.ResponseWriter.Write(p)
}

// Model is size bytes that begin like a GGUF file and are other ones for every seed.
func Model(size int, seed byte) []byte {
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(i*i>>3) + seed
	}
	copy(b, "GGUF")
	return b
}
