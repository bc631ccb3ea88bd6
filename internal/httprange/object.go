package httprange

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"sync"
	"time"

	"straw/internal/readahead"
)

// object is one file on a server.
type object struct {
	fs    *FS
	name  string
	url   *url.URL
	size  int64 // -1 until the first answer
	bytes *readahead.Reader

	mu     sync.Mutex
	direct *url.URL  // where url redirects to, as long as that answers; nil: ask url
	etag   string    // of the first answer; answers without one are not compared
	date   string    // Last-Modified of the first answer
	seen   bool      // there was an answer
	mod    time.Time // date; zero when the server does not tell
}

// probe asks for the first window of a file, and so for its size.
func (f *FS) probe(name string) (*object, error) {
	o := &object{fs: f, name: name, url: f.resolve(name), size: -1}
	first := make([]byte, readahead.Window)
	n, err := o.fill(first, 0)
	if err != nil {
		return nil, o.failure("open", err)
	}
	o.bytes = f.windows.New(o.size, readahead.Window, func(p []byte, off int64) (int, error) {
		n, err := o.fill(p, off)
		if err != nil {
			err = o.failure("read", err)
		}
		return n, err
	})
	o.bytes.Seed(first[:n], 0)
	return o, nil
}

func (o *object) failure(op string, err error) error {
	e := &Error{Op: op, URL: redact(o.url), Err: err}
	if s, ok := errors.AsType[*statusError](err); ok {
		e.Status = s.status
	}
	return e
}

// fill fetches p at off, by as many requests as it takes. The first request of all tells the size, and p may reach
// beyond it then; later p lies within the file.
func (o *object) fill(p []byte, off int64) (int, error) {
	n := 0
	for t := (tries{object: o}); ; {
		m, err := o.part(p[n:], off+int64(n))
		n += m
		if o.size >= 0 {
			p = p[:min(int64(len(p)), o.size-off)]
		}
		if err == nil && n == len(p) {
			return n, nil
		}
		if err := t.next(m, err); err != nil {
			return n, err
		}
	}
}

func (o *object) answered() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.seen
}

// part sends one request (and follows its redirects) for p at off, and reads what comes of it. No error means some
// bytes at least, or that the file is known to be empty.
func (o *object) part(p []byte, off int64) (int, error) {
	want := contentRange{first: off, last: off + int64(len(p)) - 1, total: o.size}
	r, err := o.request(want)
	if err != nil {
		return 0, err
	}
	defer r.body.Close()
	got, err := o.accept(r, want)
	if err != nil {
		return 0, err
	}
	if o.size < 0 {
		o.size = got.total
	}
	if got.total == 0 {
		return 0, nil
	}
	p = p[:min(int64(len(p)), got.last-got.first+1)]
	n, err := io.ReadFull(r.body, p)
	if err != nil {
		reason := fmt.Sprintf("the answer broke off after %d of %d bytes (%v)", n, len(p), err)
		return n, &unreachable{reason: reason, again: true, cause: err}
	}
	return n, nil
}
