// Package api is the HTTP API of straw serve: OpenAI's chat completions, completions, embeddings and models, and what
// clients of llama-server use beside them. It runs models through session.Pool and knows nothing of files, flags or
// processes.
//
// A request goes through guard.go (who may ask), request.go (what the body may be), one of the handlers, and answer.go or
// stream.go on its way back; errors.go says how it fails, log.go and metrics.go what is told of it. What people write and
// what models answer is never told.
package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"straw/engine"
	"straw/internal/pageserver"
	"straw/internal/session"
)

// Model is one that the server offers.
type Model struct {
	Name    string
	Pool    *session.Pool
	Pooling engine.Pooling // of embeddings
	Bytes   int64          // of the file
}

// Options of a server.
type Options struct {
	Key      string   // what clients have to know; "" for nothing
	Hosts    []string // more names of this server, beside those of this machine; see Server.ServeHTTP
	Parallel int      // of every model's pool
	Version  string   // of the program
	Log      *slog.Logger
}

// Limits of one request.
const (
	maxBody    = 16 << 20         // bytes
	bodyTime   = 30 * time.Second // for a client to send it
	writeTime  = 30 * time.Second // for a client to take one piece of the answer
	quietTime  = 15 * time.Second // without a word until a stream says that it lives
	maxChoices = 16               // n, times prompts
	maxInputs  = 2048             // texts to embed
	maxTop     = 20               // top_logprobs
	maxStops   = 16

	maxBreakers = 32 // each is looked for in the whole vocabulary
)

// Server answers requests. Its methods are for any number of goroutines.
type Server struct {
	o        Options
	mux      *http.ServeMux
	began    time.Time
	draining atomic.Bool
	pace     pace
	metrics  serverMetrics

	mu     sync.RWMutex
	models []*Model // the first is the one of requests that name none
	ready  bool     // all are there
}

// New is a server without models, which says that it is loading.
func New(o Options) *Server {
	s := &Server{o: o, mux: http.NewServeMux(), began: time.Now()}
	route := func(method, allow, path string, h func(*call) error) {
		s.mux.Handle(method+" "+path, s.handler(path, h))
		s.mux.Handle(path, s.handler(path, func(c *call) error {
			c.w.Header().Set("Allow", allow)
			return errMethod
		}))
	}
	post := func(path string, h func(*call) error) { route("POST", "POST", path, h) }
	get := func(path string, h func(*call) error) { route("GET", "GET, HEAD", path, h) }
	post("/v1/chat/completions", s.chat)
	post("/v1/completions", s.complete)
	post("/v1/embeddings", s.embed)
	get("/v1/models", s.listModels)
	get("/v1/models/{name...}", s.showModel)
	post("/tokenize", s.tokenize)
	post("/detokenize", s.detokenize)
	post("/apply-template", s.applyTemplate)
	get("/props", s.props)
	get("/slots", s.slots)
	get("/health", s.health)
	get("/metrics", s.writeMetrics)
	s.mux.Handle("/v1/", s.handler("other", func(*call) error { return errNoSuchPath }))
	return s
}

// Handle adds what answers GET requests for other paths.
func (s *Server) Handle(h http.Handler) { s.mux.Handle("/", h) }

// Start gives the server its models; until then it says that it is loading.
func (s *Server) Start(models ...*Model) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models, s.ready = models, true
}

// Drain makes the server refuse new requests; those at hand go on.
func (s *Server) Drain() { s.draining.Store(true) }

// model is the one of a name; the first for "".
func (s *Server) model(name string) (*Model, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	switch {
	case s.draining.Load():
		return nil, errDraining
	case !s.ready:
		return nil, errLoading
	case name == "" && len(s.models) > 0:
		return s.models[0], nil
	}
	for _, m := range s.models {
		if m.Name == name {
			return m, nil
		}
	}
	return nil, noModel(name)
}

// call is a request being answered.
type call struct {
	w    http.ResponseWriter
	r    *http.Request
	told // for the log
}

func (c *call) ctx() context.Context { return c.r.Context() }

// gone tells that the client went away.
func (c *call) gone() bool {
	return c.ctx().Err() != nil && !errors.Is(context.Cause(c.ctx()), pageserver.ErrEnding)
}
