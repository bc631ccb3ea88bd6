package api

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"

	"straw/internal/pageserver"
)

// ServeHTTP answers a request. Requests of other sites' pages are refused, and so are those whose Host is no name of
// this server: a site can make its own name point here. With a key any Host will do, for who knows the key may ask.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var refused error
	switch {
	case s.o.Key == "" && !pageserver.Known(r.Host, s.o.Hosts):
		refused = errHost
	case !sameOrigin(r):
		refused = errOrigin
	default:
		s.mux.ServeHTTP(w, r)
		return
	}
	s.handler("other", func(*call) error { return refused }).ServeHTTP(w, r)
}

// sameOrigin tells that a request is not of another site's page, as far as browsers say.
func sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" // a link to the page
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host)
}

// open are paths that need no key.
var open = map[string]bool{"/health": true}

// handler makes one of h: it asks for the key, names the request, and tells the log and the metrics of it.
func (s *Server) handler(path string, h func(*call) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t := &tracked{ResponseWriter: w}
		c := &call{w: t, r: r, told: newTold(path)}
		c.w.Header().Set("X-Request-Id", c.id)
		c.w.Header().Set("X-Content-Type-Options", "nosniff")
		c.w.Header().Set("Cache-Control", "no-store")
		s.metrics.active.Add(1)
		err := error(errKey)
		if open[path] || s.hasKey(r) {
			err = safely(func() error { return h(c) })
		}
		if err != nil {
			c.err = err
			s.failLate(c, t, errorOf(err, c.id))
		}
		s.metrics.active.Add(-1)
		s.tell(c, t.status)
	})
}

// failLate answers with an error if no answer has begun.
func (s *Server) failLate(c *call, t *tracked, e *Error) {
	switch {
	case c.gone() && t.status == 0:
		t.status = statusGone
	case t.status == 0:
		s.fail(c, e)
	}
}

// statusGone is what the log says of a client that went away before its answer began.
const statusGone = 499

// hasKey tells that a request has the key, if there is one. It compares in a time that tells nothing of it.
func (s *Server) hasKey(r *http.Request) bool {
	if s.o.Key == "" {
		return true
	}
	scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		key = r.Header.Get("X-Api-Key")
	}
	got, want := sha256.Sum256([]byte(key)), sha256.Sum256([]byte(s.o.Key))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// random is a new name: the prefix and n random hexadecimal digits.
func random(prefix string, n int) string {
	b := make([]byte, n/2)
	rand.Read(b)
	return prefix + hex.EncodeToString(b)
}

// tracked is an answer whose status is known afterwards.
type tracked struct {
	http.ResponseWriter
	status int
}

func (t *tracked) WriteHeader(status int) {
	if t.status == 0 {
		t.status = status
	}
	t.ResponseWriter.WriteHeader(status)
}

func (t *tracked) Write(p []byte) (int, error) {
	if t.status == 0 {
		t.status = http.StatusOK
	}
	return t.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (t *tracked) Unwrap() http.ResponseWriter { return t.ResponseWriter }
