// Package readahead lets small reads of a far file share larger fetches.
//
// A model's header is read forward in small steps, its weights in large ones. So a read that goes on where the last
// one ended fetches a whole window, a lone small read fetches a sixteenth of it, and what is larger than that goes
// straight to its destination.
package readahead

import (
	"fmt"
	"io"
	"sync"
)

// Window is the usual size of a window, in bytes.
const Window = 1 << 20

// Reader is an io.ReaderAt of size bytes over a fetch function. It keeps one window of bytes.
type Reader struct {
	pool   *Pool
	fetch  func(p []byte, off int64) (int, error)
	size   int64
	window int

	mu   sync.Mutex // held while a window is fetched, so that readers of the same window wait for it
	buf  []byte     // the bytes at [at, at+len(buf))
	at   int64
	next int64 // where the last read ended
}

// New makes a reader. fetch fills p, which lies within the file, or says why not; it is called concurrently.
func (l *Pool) New(size int64, window int, fetch func(p []byte, off int64) (int, error)) *Reader {
	return &Reader{pool: l, fetch: fetch, size: size, window: window}
}

// Seed gives the reader bytes at off that were fetched already; it keeps them as its window.
func (r *Reader) Seed(b []byte, off int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.buf, r.at, r.next = b, off, off
	r.pool.keep(r)
}

// ReadAt implements io.ReaderAt; it is safe for concurrent use.
func (r *Reader) ReadAt(p []byte, off int64) (int, error) {
	switch {
	case off < 0:
		return 0, fmt.Errorf("negative offset %d", off)
	case len(p) == 0:
		return 0, nil
	case off >= r.size:
		return 0, io.EOF
	case int64(len(p)) > r.size-off:
		n, err := r.read(p[:r.size-off], off)
		if err == nil {
			err = io.EOF
		}
		return n, err
	}
	return r.read(p, off)
}

// read fills p, all of which lies within the file.
func (r *Reader) read(p []byte, off int64) (int, error) {
	r.mu.Lock()
	n := r.cached(p, off)
	rest, at := p[n:], off+int64(n)
	ahead := r.window / 16
	if at == r.next || at == r.at+int64(len(r.buf)) {
		ahead = r.window
	}
	r.next = off + int64(len(p))
	if len(rest) == 0 {
		r.mu.Unlock()
		return n, nil
	}
	if len(rest) >= ahead {
		r.mu.Unlock()
		m, err := r.fetch(rest, at)
		return n + m, err
	}
	defer r.mu.Unlock()
	err := r.fill(at, int(min(int64(ahead), r.size-at)))
	m := r.cached(rest, at)
	if m == len(rest) {
		err = nil // what failed lies beyond
	}
	return n + m, err
}

// cached copies what the window has of p.
func (r *Reader) cached(p []byte, off int64) int {
	if off < r.at || off >= r.at+int64(len(r.buf)) {
		return 0
	}
	return copy(p, r.buf[off-r.at:])
}

// fill makes the window [at, at+n), or the part of it that could be fetched.
func (r *Reader) fill(at int64, n int) error {
	if cap(r.buf) < n {
		r.buf = make([]byte, n)
	}
	got, err := r.fetch(r.buf[:n], at)
	r.buf, r.at = r.buf[:got], at
	r.pool.keep(r)
	return err
}
