package httprange

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
)

// What a caller may decide on. Status codes match fs.ErrNotExist (404, 410) and fs.ErrPermission (401, 403).
var (
	// ErrNoRange: the server answers a request for a part with the whole file.
	ErrNoRange = errors.New("the server sends whole files only (it ignores Range requests)")
	// ErrRange: the answer's Content-Range is missing or does not fit the request.
	ErrRange = errors.New("the server's answer does not fit the request")
	// ErrChanged: the file on the server is no longer the one that was opened.
	ErrChanged = errors.New("the file on the server changed while it was read; open it again")
	// ErrUnreachable: no answer that may be read, which in a browser includes what CORS forbids.
	ErrUnreachable = errors.New("no answer")
)

// Error is a failure to read a file of a server.
type Error struct {
	Op     string // "open" or "read"
	URL    string // without secrets
	Status int    // of the answer; 0 when it is not the status that is wrong
	Err    error
}

func (e *Error) Error() string { return e.Op + " " + e.URL + ": " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Kind is "io".
func (e *Error) Kind() string { return "io" }

// statusError is an answer that is no file.
type statusError struct {
	status int
	advice string
	is     error
}

func (e *statusError) Error() string {
	text := fmt.Sprintf("the server answers %d", e.status)
	if e.advice != "" {
		text += ": " + e.advice
	}
	return text
}

func (e *statusError) Unwrap() error { return e.is }

func statusFailure(status int, authorized bool) *statusError {
	e := &statusError{status: status}
	switch status {
	case 401:
		e.is, e.advice = fs.ErrPermission, "it asks for a login; give an access token"
		if authorized {
			e.advice = "it does not accept the access token"
		}
	case 403:
		e.is, e.advice = fs.ErrPermission, "it refuses access; a signed link may have expired, or the file needs an access token"
		if authorized {
			e.advice = "it refuses access; the access token may not cover this file"
		}
	case 404, 410:
		e.is, e.advice = fs.ErrNotExist, "there is no such file; check the address"
	case 416:
		e.is, e.advice = ErrRange, "it has no such part of the file"
	case 429:
		e.advice = "it gets too many requests from here; try again later"
	default:
		if status >= 500 {
			e.advice = "it has a fault of its own; try again later"
		}
	}
	return e
}

// redact is the address for messages and logs: who asks and the query's values, which may be a signature, left out.
func redact(u *url.URL) string {
	c := *u
	c.User, c.RawQuery, c.ForceQuery, c.Fragment, c.RawFragment = nil, "", false, "", ""
	if u.RawQuery != "" {
		return c.String() + "?..."
	}
	return c.String()
}
