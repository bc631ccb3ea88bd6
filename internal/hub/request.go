package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Error is what a publisher answered, or why it did not.
type Error struct {
	Address string // without secrets
	Err     error
}

func (e *Error) Error() string { return e.Address + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Kind is "io".
func (e *Error) Kind() string { return "io" }

// failure is an *Error about an address; what the HTTP library says of it, with secrets, is left out.
func failure(address string, err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return &Error{redact(address), err}
}

// statusError is an answer that is no success.
type statusError struct {
	status int
	say    string
	retry  time.Duration // as Retry-After says
}

func (e *statusError) Error() string { return e.say }

// temporary reports whether asking again may help.
func (e *statusError) temporary() bool {
	return e.status == http.StatusTooManyRequests || e.status == http.StatusRequestTimeout || e.status >= 500
}

// refused says what an answer means.
func refused(r *http.Response, authorized bool) *statusError {
	e := &statusError{status: r.StatusCode}
	if s, err := strconv.Atoi(r.Header.Get("Retry-After")); err == nil && s > 0 {
		e.retry = min(time.Duration(s)*time.Second, time.Minute)
	}
	switch code := r.Header.Get("X-Error-Code"); {
	case code == "GatedRepo":
		e.say = "the model is gated: accept its terms on its page and give a token that may read it in HF_TOKEN"
	case r.StatusCode == http.StatusUnauthorized && authorized:
		e.say = "the access token is not accepted"
	case r.StatusCode == http.StatusUnauthorized, code == "RepoNotFound":
		e.say = "there is no such model, or it is private: then give an access token in HF_TOKEN"
	case r.StatusCode == http.StatusForbidden:
		e.say = "access is refused (403 Forbidden)"
	case code == "RevisionNotFound":
		e.say = "the repository has no such revision"
	case r.StatusCode == http.StatusNotFound:
		e.say = "there is no such model or file (404 Not Found)"
	case r.StatusCode == http.StatusTooManyRequests:
		e.say = "there were too many requests, try later (429 Too Many Requests)"
	default:
		e.say = strings.TrimSpace(fmt.Sprintf("the server answers %d %s", r.StatusCode, http.StatusText(r.StatusCode)))
	}
	return e
}

// get asks once. The answer is a success; its body is the caller's to close.
func get(ctx context.Context, address, auth string, header http.Header) (*http.Response, error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	q.Header = header.Clone()
	q.Header.Set("User-Agent", "straw")
	if auth != "" {
		q.Header.Set("Authorization", auth)
	}
	r, err := client().Do(q)
	if err != nil {
		return nil, err
	}
	if r.StatusCode/100 != 2 {
		r.Body.Close()
		return nil, refused(r, auth != "")
	}
	return r, nil
}

// tries is how often in a row something may fail.
const tries = 5

// again calls f until it succeeds, until its error will not go away, or until it fails tries times without moving on;
// f says whether it moved on.
func (c *Client) again(ctx context.Context, f func() (moved bool, err error)) error {
	for failed := 0; ; {
		moved, err := f()
		if err == nil || ctx.Err() != nil {
			return err
		}
		if moved {
			failed = 0
		}
		var status *statusError
		var least time.Duration
		switch {
		case errors.As(err, &status):
			if !status.temporary() {
				return err
			}
			least = status.retry
		case !transient(err):
			return err
		}
		if failed++; failed >= tries {
			return err
		}
		if err := c.pause(ctx, failed, least); err != nil {
			return err
		}
	}
}

func (c *Client) pause(ctx context.Context, n int, least time.Duration) error {
	if c.wait != nil {
		return c.wait(ctx, n, least)
	}
	t := time.NewTimer(max(time.Second<<(n-1), least))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// maxJSON bounds an answer that is kept in memory, in bytes.
const maxJSON = 16 << 20

// getJSON reads an answer into v and gives its header.
func (c *Client) getJSON(ctx context.Context, address, auth, accept string, v any) (header http.Header, err error) {
	err = c.again(ctx, func() (bool, error) {
		r, err := get(ctx, address, auth, http.Header{"Accept": {accept}})
		if err != nil {
			return false, err
		}
		defer r.Body.Close()
		header = r.Header
		data, err := io.ReadAll(io.LimitReader(r.Body, maxJSON+1))
		if err != nil {
			return false, err
		}
		if len(data) > maxJSON {
			return false, &fault{fmt.Errorf("the answer is longer than %d bytes", maxJSON)}
		}
		if err := json.Unmarshal(data, v); err != nil {
			return false, &fault{fmt.Errorf("the answer is not what a hub says: %w", err)}
		}
		return true, nil
	})
	if err != nil {
		return nil, failure(address, err)
	}
	return header, nil
}

// fault is an error that asking again does not help.
type fault struct{ error }

func (f *fault) Unwrap() error { return f.error }

// transient reports whether an error of the network may go away.
func transient(err error) bool {
	var f *fault
	return !errors.As(err, &f)
}
