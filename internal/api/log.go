package api

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"straw/internal/session"
)

// told is what the log and the metrics hear of a request: no text of it.
type told struct {
	id    string
	path  string
	model string
	began time.Time
	first time.Duration // until the first token, 0 if there was none
	usage usage
	ended string // why the generation did
	err   error
}

func newTold(path string) told { return told{id: random("req_", 24), path: path, began: time.Now()} }

// heard takes note of the answers to one prompt.
func (t *told) heard(answers []session.Result) {
	t.usage.add(answers)
	for i := range answers {
		r := &answers[i]
		t.ended = r.FinishReason
		if r.FirstToken > 0 && (t.first == 0 || r.FirstToken < t.first) {
			t.first = r.FirstToken
		}
	}
}

// tell writes of a request that is over.
func (s *Server) tell(c *call, status int) {
	took := time.Since(c.began)
	s.metrics.request(c, status, took)
	if c.usage.Completion > 0 {
		s.pace.add(took)
	}
	level := slog.LevelInfo
	switch {
	case status >= 500 && !errors.Is(c.err, errLoading) && !errors.Is(c.err, errDraining):
		level = slog.LevelError
	case c.path == "/health" || c.path == "/metrics":
		level = slog.LevelDebug
	}
	if s.o.Log == nil || !s.o.Log.Enabled(context.Background(), level) {
		return
	}
	facts := []slog.Attr{slog.String("id", c.id), slog.String("method", c.r.Method), slog.String("path", c.path),
		slog.Int("status", status), slog.Float64("ms", milliseconds(took))}
	if c.model != "" {
		facts = append(facts, slog.String("model", c.model), slog.Int("prompt_tokens", c.usage.Prompt), slog.Int("cached_tokens", c.usage.Details.Cached),
			slog.Int("tokens", c.usage.Completion), slog.Float64("first_token_ms", milliseconds(c.first)), slog.String("finish", c.ended))
	}
	if c.err != nil {
		facts = append(facts, slog.String("error", loggable(c.err)))
	}
	s.o.Log.LogAttrs(context.Background(), level, "request", facts...)
}

// loggable is an error without what a client wrote: of errors about requests only the field and the code.
func loggable(err error) string {
	e := errorOf(err, "")
	switch {
	case e.Status >= 500 && e.Code == "internal":
		return err.Error()
	case e.Param != "":
		return e.Code + " " + e.Param
	}
	return e.Code
}

func milliseconds(d time.Duration) float64 { return float64(d.Round(time.Microsecond)) / 1e6 }
