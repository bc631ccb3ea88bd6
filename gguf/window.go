package gguf

import (
	"errors"
	"io"
	"syscall"

	"straw/internal/pages"
)

const (
	// windowBytes is how much of the header is read at a time.
	windowBytes = 1 << 20
	// windowTail is the room before it for what is left of the last window when a field lies across two: the longest
	// field that need asks for.
	windowTail = 64
)

// window reads a file once, forwards. Every read is windowBytes long and starts where the last one ended, or further on
// after a skip; so a header of h bytes takes at most ceil(h/windowBytes)+1 reads.
type window struct {
	r     io.ReaderAt
	size  int64  // of the file
	store []byte // windowTail + windowBytes, less for a small file
	buf   []byte // what is in memory, a part of store
	base  int64  // file offset of buf[0]
	pos   int    // the next byte, in buf

	memory *pages.Memory // what store is cut from, nil if it is Go's
}

// newWindow is at the file's first byte; free it after use. A full window is one large page where there are some: the
// first touch of its 256 small ones took half of the time that opening a file takes.
func newWindow(r io.ReaderAt, size int64) window {
	n := windowTail + min(size, windowBytes)
	if size >= windowBytes {
		if m, err := pages.New(n); err == nil {
			return window{r: r, size: size, store: m.Bytes(), memory: m}
		}
	}
	return window{r: r, size: size, store: make([]byte, n)}
}

// free gives the window's memory back. Nothing can be read after that.
func (w *window) free() {
	w.memory.Free()
	*w = window{}
}

func (w *window) offset() int64 { return w.base + int64(w.pos) }
func (w *window) left() int64   { return w.size - w.offset() }

// need makes the next n bytes, at most windowTail and at most left, lie in one piece and returns them.
// It does not move on.
func (w *window) need(n int) ([]byte, error) {
	if len(w.buf)-w.pos < n {
		if err := w.refill(); err != nil {
			return nil, err
		}
	}
	return w.buf[w.pos : w.pos+n], nil
}

// refill keeps the bytes from pos on, at most windowTail, and reads the next window behind them.
func (w *window) refill() error {
	tail := w.buf[w.pos:]
	next := w.base + int64(len(w.buf))
	copy(w.store[windowTail-len(tail):], tail)
	n := int(min(windowBytes, w.size-next))
	fresh := w.store[windowTail : windowTail+n]
	if err := readFull(w.r, fresh, next); err != nil {
		w.buf, w.base, w.pos = nil, w.offset(), 0
		return err
	}
	w.base, w.pos = w.offset(), 0
	w.buf = w.store[windowTail-len(tail) : windowTail+n]
	return nil
}

// skip moves on by n bytes, at most left; what lies beyond the window is not read.
func (w *window) skip(n int64) {
	if n <= int64(len(w.buf)-w.pos) {
		w.pos += int(n)
		return
	}
	w.buf, w.base, w.pos = nil, w.offset()+n, 0
}

// read fills p, at most left bytes, across as many windows as it takes.
func (w *window) read(p []byte) error {
	for {
		n := copy(p, w.buf[w.pos:])
		w.pos += n
		if p = p[n:]; len(p) == 0 {
			return nil
		}
		if err := w.refill(); err != nil {
			return err
		}
	}
}

// text reads n bytes, at most left, as a string.
func (w *window) text(n int) (string, error) {
	if n <= len(w.buf)-w.pos {
		s := string(w.buf[w.pos : w.pos+n])
		w.pos += n
		return s, nil
	}
	p := make([]byte, n)
	err := w.read(p)
	return string(p), err
}

// readFull fills p from offset off. Short reads go on where they stopped and interrupted ones are repeated; a file that
// has become shorter gives ErrTruncated.
func readFull(r io.ReaderAt, p []byte, off int64) error {
	idle := 0
	for done := 0; done < len(p); {
		n, err := r.ReadAt(p[done:], off+int64(done))
		if n < 0 || n > len(p)-done {
			return errors.New("the reader returned an impossible count")
		}
		done += n
		if n > 0 {
			idle = 0
		} else if idle++; idle > 100 {
			return io.ErrNoProgress
		}
		switch {
		case done == len(p), err == nil, errors.Is(err, syscall.EINTR):
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			if n > 0 {
				continue // a reader may report the end together with the bytes before it: ask once more
			}
			return problemf(ErrTruncated, "the file ends at byte %d while it is read: it has become shorter", off+int64(done))
		default:
			return err
		}
	}
	return nil
}
