package httprange

import (
	"context"
	"encoding/base64"
	"io"
)

// transport sends one GET. It follows redirects where the platform leaves no choice (a browser), else it returns
// them. Errors are of unreachable, or ctx's.
type transport interface {
	get(ctx context.Context, url string, header map[string]string) (*response, error)
}

// response is what the shared logic needs of an answer. Whoever gets it closes the body, at any time: what is left of
// it is not fetched then.
type response struct {
	status int
	header func(name string) string // empty when absent, or hidden from a page by CORS
	url    string                   // that answered
	body   io.ReadCloser
}

// unreachable is an ErrUnreachable with its reason.
type unreachable struct {
	reason string
	again  bool // a second try may help
	dark   bool // a second try may help only if the same address answered before: the reason is unknown
	cause  error
}

func (e *unreachable) Error() string        { return e.reason }
func (e *unreachable) Is(target error) bool { return target == ErrUnreachable }
func (e *unreachable) Unwrap() error        { return e.cause }

func basic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}
