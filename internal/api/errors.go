package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"straw/chat"
	"straw/engine"
	"straw/engine/grammar"
	"straw/engine/sample"
	"straw/internal/pageserver"
	"straw/internal/session"
)

// Error is one in OpenAI's form.
type Error struct {
	Status  int
	Message string
	Type    string
	Param   string // the field that is wrong, "" for none
	Code    string // for programs, "" for none
}

func (e *Error) Error() string { return e.Message }

// Types of errors.
const (
	typeInvalid     = "invalid_request_error"
	typeAuth        = "authentication_error"
	typePermission  = "permission_error"
	typeRate        = "rate_limit_error"
	typeServer      = "server_error"
	typeUnavailable = "unavailable_error"
)

var (
	errLoading    = &Error{503, "the model is loading", typeUnavailable, "", "loading"}
	errDraining   = &Error{503, "the server is ending", typeUnavailable, "", "draining"}
	errBusy       = &Error{429, "too many requests are waiting", typeRate, "", "rate_limit_exceeded"}
	errNoSuchPath = &Error{404, "the API has no such path", typeInvalid, "", "unknown_url"}
	errMethod     = &Error{405, "the API has this path, but not with this method", typeInvalid, "", "method_not_allowed"}
	errKey        = &Error{401, "the API key is missing or wrong: give it as \"Authorization: Bearer KEY\"", typeAuth, "", "invalid_api_key"}
	errHost       = &Error{421, "this server does not answer to that Host: --allow-host adds a name", typePermission, "", "host"}
	errOrigin     = &Error{403, "requests of other sites' pages are refused", typePermission, "", "origin"}
	errMedia      = &Error{415, "a JSON body is needed, with Content-Type: application/json", typeInvalid, "", "content_type"}
	errTooLarge   = &Error{413, fmt.Sprintf("the body is larger than %d MiB", maxBody>>20), typeInvalid, "", "request_too_large"}
	errGone       = &Error{statusGone, "the client went away", typeInvalid, "", "gone"}
	errSlow       = &Error{408, "the body did not come in time", typeInvalid, "", "timeout"}
)

// bad is the error of a field.
func bad(param, format string, args ...any) *Error {
	return &Error{http.StatusBadRequest, param + ": " + fmt.Sprintf(format, args...), typeInvalid, param, "invalid_value"}
}

func noModel(name string) *Error {
	return &Error{404, fmt.Sprintf("model: there is no %q here; GET /v1/models tells what there is", name), typeInvalid, "model", "model_not_found"}
}

// errorOf says what an error of a package below means to the client. What a client has no part in is told to the log
// alone.
func errorOf(err error, id string) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[*sample.ParamError](err); ok {
		name := fieldOf[e.Param]
		return bad(name, "%v: %s is needed", e.Value, e.Want)
	}
	if _, ok := errors.AsType[*grammar.Error](err); ok {
		return bad("response_format", "%v", err)
	}
	if _, ok := errors.AsType[*chat.Error](err); ok {
		return bad("messages", "%v", err)
	}
	if e, ok := errors.AsType[interface {
		error
		Kind() string
	}](err); ok && (e.Kind() == "usage" || e.Kind() == "unsupported") {
		return &Error{400, err.Error(), typeInvalid, "", "invalid_value"}
	}
	switch {
	case errors.Is(err, session.ErrBusy):
		return errBusy
	case errors.Is(err, engine.ErrClosed), errors.Is(err, pageserver.ErrEnding):
		return errDraining
	case errors.Is(err, context.Canceled):
		return errGone
	}
	return &Error{500, "an error of the server: its log tells it at " + id, typeServer, "", "internal"}
}

// mostTold is how much of an error's message, and of the name of a field, is told: they may have parts of the request.
const mostTold = 400 // bytes

func short(text string) string {
	if len(text) <= mostTold {
		return text
	}
	return strings.ToValidUTF8(text[:mostTold], "") + "…"
}

// text is the JSON of the error.
func (e *Error) text() []byte {
	type form struct {
		Message string  `json:"message"`
		Type    string  `json:"type"`
		Param   *string `json:"param"`
		Code    *string `json:"code"`
	}
	f := form{Message: short(e.Message), Type: e.Type}
	if e.Param != "" {
		param := short(e.Param)
		f.Param = &param
	}
	if e.Code != "" {
		f.Code = &e.Code
	}
	return marshal(map[string]form{"error": f})
}

// fail answers with an error.
func (s *Server) fail(c *call, e *Error) {
	h := c.w.Header()
	switch e.Status {
	case http.StatusTooManyRequests:
		h.Set("Retry-After", strconv.Itoa(s.pace.wait(s.queue())))
	case http.StatusServiceUnavailable:
		h.Set("Retry-After", "1")
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", "Bearer")
	case http.StatusRequestEntityTooLarge, http.StatusRequestTimeout:
		h.Set("Connection", "close")
	}
	c.send(e.Status, e.text())
}

// queue is how many requests wait for each that is worked on.
func (s *Server) queue() float64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	most := 0.0
	for _, m := range s.models {
		most = max(most, float64(m.Pool.Stats().Waiting)/float64(max(s.o.Parallel, 1)))
	}
	return most
}
