package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"
)

// watched is an open file that must stay as it was when it was opened. One fstat follows each read: what was read
// before a change is then known to be of the old file.
type watched struct {
	fs.File
	at       io.ReaderAt // File itself, or its mapping
	mapping  *mapping    // nil if the file is not mapped
	direct   io.Closer   // nil if the file is not read directly
	label    string
	size     int64
	modified time.Time
}

// ReadAt implements io.ReaderAt; it is safe for concurrent use.
func (w *watched) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, &Error{Op: "read", Name: w.label, Err: fmt.Errorf("negative offset %d", off)}
	}
	if len(p) == 0 {
		return 0, nil
	}
	n, err := 0, io.EOF
	if off < w.size {
		n, err = w.at.ReadAt(p, off)
	}
	return n, w.verdict(err)
}

// Bytes is n bytes of a mapped file in place, to be read only and valid until Close. It fails with errors.ErrUnsupported
// for a file that is not mapped. What is read of them is the file's only if Unchanged says so afterwards; if the file
// becomes shorter meanwhile, touching them is a fault, which debug.SetPanicOnFault makes a panic that can be recovered.
func (w *watched) Bytes(off, n int64) ([]byte, error) {
	if w.mapping == nil {
		return nil, wrap("map", w.label, errors.ErrUnsupported)
	}
	info, err := w.File.Stat()
	if err != nil {
		return nil, wrap("map", w.label, err)
	}
	b, err := w.mapping.bytes(info, off, n)
	if err == nil || errors.Is(err, errors.ErrUnsupported) {
		return b, err
	}
	return nil, w.verdict(err)
}

// Unchanged fails if the file is no longer as it was when it was opened.
func (w *watched) Unchanged() error { return w.verdict(nil) }

// Read implements io.Reader, for those who go through the file from its start.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.File.Read(p)
	return n, w.verdict(err)
}

// Seek implements io.Seeker.
func (w *watched) Seek(offset int64, whence int) (int64, error) {
	seeker, ok := w.File.(io.Seeker)
	if !ok {
		return 0, wrap("seek", w.label, errors.ErrUnsupported)
	}
	n, err := seeker.Seek(offset, whence)
	if err != nil {
		return n, wrap("seek", w.label, err)
	}
	return n, nil
}

// Close implements io.Closer. A second call is an error, as with os.File.
func (w *watched) Close() error {
	var unmapped, direct error
	if w.mapping != nil {
		unmapped = w.mapping.Close()
	}
	if w.direct != nil {
		direct = w.direct.Close()
	}
	if err := errors.Join(unmapped, direct, w.File.Close()); err != nil {
		return wrap("close", w.label, err)
	}
	return nil
}

// verdict is the error of a read that ended with err, once it is known whether the file is still the same. A change
// explains any other error.
func (w *watched) verdict(err error) error {
	if errors.Is(err, fs.ErrClosed) {
		return wrap("read", w.label, fs.ErrClosed)
	}
	info, statErr := w.File.Stat()
	switch {
	case statErr != nil && (err == nil || err == io.EOF):
		return wrap("read", w.label, statErr)
	case statErr != nil:
	case info.Size() != w.size:
		return wrap("read", w.label, fmt.Errorf("%w (it had %d bytes and now has %d)", ErrChanged, w.size, info.Size()))
	case !info.ModTime().Equal(w.modified):
		return wrap("read", w.label, ErrChanged)
	}
	if err == nil || err == io.EOF {
		return err
	}
	return wrap("read", w.label, err)
}
