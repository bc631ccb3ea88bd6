package httprange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"
)

const maxRedirects = 10

var errStalled = errors.New("stalled")

// request sends a request and follows its redirects. Its answer has the status 206, 200 or, for a file known by it to
// be empty, 416. Where the redirects lead is remembered and asked first the next time, which saves the way there;
// when that place refuses (signed addresses expire), the way is gone once more.
func (o *object) request(want contentRange) (*response, error) {
	o.mu.Lock()
	direct := o.direct
	o.mu.Unlock()
	if direct != nil {
		r, err := o.follow(direct, want)
		if _, wait := err.(*busy); err == nil || wait {
			return r, err
		}
		o.mu.Lock()
		o.direct = nil
		o.mu.Unlock()
	}
	return o.follow(o.url, want)
}

func (o *object) follow(u *url.URL, want contentRange) (*response, error) {
	for range maxRedirects {
		r, err := o.send(u, want)
		if err != nil {
			return nil, err
		}
		switch r.status {
		case 200, 206:
			o.remember(r.url)
			return r, nil
		case 301, 302, 303, 307, 308:
			location := r.header("Location")
			r.body.Close()
			next, err := u.Parse(location)
			if err != nil || location == "" || next.Host == "" {
				return nil, fmt.Errorf("%w: it redirects to no address", ErrRange)
			}
			if next.Scheme != "https" && (next.Scheme != "http" || u.Scheme == "https") {
				return nil, fmt.Errorf("%w: it redirects to an unsafe address, %s", ErrRange, redact(next))
			}
			next.User = nil
			u = next
		default:
			defer r.body.Close()
			return o.refused(r, u, want)
		}
	}
	return nil, fmt.Errorf("%w: more than %d redirects", ErrRange, maxRedirects)
}

// refused is the outcome of an answer without a file's bytes.
func (o *object) refused(r *response, u *url.URL, want contentRange) (*response, error) {
	if r.status == 416 {
		got, ok := parseContentRange(r.header("Content-Range"))
		if ok && got.total == 0 && want.total < 0 {
			return r, nil
		}
		if ok && want.total >= 0 && got.total != want.total {
			return nil, fmt.Errorf("%w (it had %d bytes and now has %d)", ErrChanged, want.total, got.total)
		}
	}
	failure := statusFailure(r.status, o.authorization(u) != "")
	switch r.status {
	case 408, 429, 500, 502, 503, 504:
		return nil, &busy{failure, retryAfter(r.header("Retry-After"))}
	}
	return nil, failure
}

func (o *object) remember(address string) {
	u, err := url.Parse(address)
	o.mu.Lock()
	defer o.mu.Unlock()
	if err != nil || address == o.url.String() {
		u = nil
	}
	o.direct = u
}

// authorization is the header for u: empty unless u is of the origin that it was given for.
func (o *object) authorization(u *url.URL) string {
	if u.Scheme != o.fs.base.Scheme || u.Host != o.fs.base.Host {
		return ""
	}
	return o.fs.auth
}

// send sends one request. It and the reads of its answer are given up when nothing comes for too long.
func (o *object) send(u *url.URL, want contentRange) (*response, error) {
	header := map[string]string{"Range": want.header()}
	if auth := o.authorization(u); auth != "" {
		header["Authorization"] = auth
	}
	ctx, cancel := context.WithCancelCause(o.fs.ctx)
	watch := &watchedBody{ctx: ctx, cancel: cancel, stall: o.fs.stall}
	watch.timer = time.AfterFunc(watch.stall, func() { cancel(errStalled) })
	r, err := o.fs.send.get(ctx, u.String(), header)
	if err != nil {
		watch.release()
		return nil, watch.reason(err)
	}
	watch.body = r.body
	r.body = watch
	return r, nil
}

// watchedBody is an answer's body under a timer that each read winds up again.
type watchedBody struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
	stall  time.Duration
	body   io.ReadCloser
}

func (w *watchedBody) Read(p []byte) (int, error) {
	n, err := w.body.Read(p)
	w.timer.Reset(w.stall)
	if err != nil && err != io.EOF {
		err = w.reason(err)
	}
	return n, err
}

// Close ends the request, whatever is left of it.
func (w *watchedBody) Close() error {
	w.release()
	return w.body.Close()
}

func (w *watchedBody) release() {
	w.timer.Stop()
	w.cancel(nil)
}

// reason tells why a request failed: a cancelled one fails in many ways.
func (w *watchedBody) reason(err error) error {
	cause := context.Cause(w.ctx)
	if cause == errStalled {
		return &unreachable{reason: fmt.Sprintf("the server sent nothing for %v", w.stall), again: true, cause: context.DeadlineExceeded}
	}
	return err
}
