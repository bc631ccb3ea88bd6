package api

import (
	"net/http"
	"sync"
	"time"
)

// stream is an answer of server-sent events. It begins with its first event, so that what fails before has a status of
// its own. Its methods are for any number of goroutines.
type stream struct {
	c       *call
	control *http.ResponseController
	quiet   *time.Timer // until a comment says that the stream lives

	mu    sync.Mutex
	begun bool
	ended bool
	err   error // of writing, the first
}

// openStream makes the answer of a call a stream. Close it.
func (c *call) openStream() *stream {
	s := &stream{c: c, control: http.NewResponseController(c.w)}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quiet = time.AfterFunc(quietTime, s.live)
	return s
}

// send sends an event, the JSON of v.
func (s *stream) send(v any) error { return s.data(marshal(v)) }

func (s *stream) data(text []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write(event(text))
}

// event is one with the text as its data.
func event(text []byte) []byte { return append(append([]byte("data: "), text...), "\n\n"...) }

// live tells a client, and what is between, that the stream lives.
func (s *stream) live() {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.write([]byte(": waiting\n\n"))
}

// write writes; s.mu is held.
func (s *stream) write(text []byte) error {
	if s.err != nil || s.ended {
		return s.err
	}
	if !s.begun {
		s.begun = true
		h := s.c.w.Header()
		h.Set("Content-Type", "text/event-stream")
		h.Set("X-Accel-Buffering", "no") // nginx passes it on at once
		s.c.w.WriteHeader(http.StatusOK)
	}
	_ = s.control.SetWriteDeadline(time.Now().Add(writeTime)) // tests' recorders have none
	if _, s.err = s.c.w.Write(text); s.err == nil {
		s.err = s.control.Flush()
	}
	s.quiet.Reset(quietTime)
	return s.err
}

// close ends the stream: with OpenAI's mark after the last event, or with an error as an event of its own. It returns
// the error, which a stream that has not begun leaves to be told otherwise.
func (s *stream) close(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == nil:
		err = s.write(event([]byte("[DONE]")))
	case s.begun && !s.c.gone():
		_ = s.write(event(errorOf(err, s.c.id).text()))
	}
	s.ended = true
	s.quiet.Stop()
	return err
}
