package httprange

import (
	"io"
	"io/fs"
	"sync/atomic"
	"time"
)

// file is a handle of an object. All handles share its window.
type file struct {
	*io.SectionReader
	object *object
	closed atomic.Bool
}

func newFile(o *object) *file {
	f := &file{object: o}
	f.SectionReader = io.NewSectionReader(f.object.bytes, 0, o.size)
	return f
}

// ReadAt implements io.ReaderAt; it is safe for concurrent use.
func (f *file) ReadAt(p []byte, off int64) (int, error) {
	if f.closed.Load() {
		return 0, &Error{Op: "read", URL: redact(f.object.url), Err: fs.ErrClosed}
	}
	return f.object.bytes.ReadAt(p, off)
}

// Read implements io.Reader.
func (f *file) Read(p []byte) (int, error) {
	if f.closed.Load() {
		return 0, &Error{Op: "read", URL: redact(f.object.url), Err: fs.ErrClosed}
	}
	return f.SectionReader.Read(p)
}

func (f *file) Stat() (fs.FileInfo, error) { return info{f.object}, nil }

func (f *file) Close() error {
	if f.closed.Swap(true) {
		return &Error{Op: "close", URL: redact(f.object.url), Err: fs.ErrClosed}
	}
	return nil
}

// info is what the first answer told.
type info struct{ o *object }

func (i info) Name() string       { return i.o.name }
func (i info) Size() int64        { return i.o.size }
func (i info) Mode() fs.FileMode  { return 0o444 }
func (i info) ModTime() time.Time { return i.o.mod }
func (i info) IsDir() bool        { return false }
func (i info) Sys() any           { return nil }
