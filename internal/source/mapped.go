package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"strconv"
	"sync"

	"golang.org/x/exp/mmap"

	"straw/internal/pages"
)

// mapping reads a file through the memory's pages. Where the system has no mapping, x/exp/mmap reads the file.
type mapping struct {
	path  string
	mu    sync.RWMutex // Close waits for readers: unmapped memory must not be touched
	data  *mmap.ReaderAt
	place *pages.Memory // the file again, once it is used in place: x/exp/mmap only copies
}

func mapFile(path string, size int64) (*mapping, error) {
	if size > 1<<31-1 && strconv.IntSize == 32 {
		return nil, fmt.Errorf("%d bytes do not fit a 32-bit program's memory; read the file unmapped", size)
	}
	data, err := mmap.Open(path)
	if err != nil {
		return nil, err
	}
	if int64(data.Len()) != size {
		return nil, errors.Join(ErrChanged, data.Close())
	}
	return &mapping{path: path, data: data}, nil
}

// ReadAt implements io.ReaderAt. Pages that are gone, since the file shrank or its disk did, are ErrChanged.
func (m *mapping) ReadAt(p []byte, off int64) (n int, err error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.data == nil {
		return 0, fs.ErrClosed
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }: // the runtime's error for memory that could not be read
			n, err = 0, ErrChanged
		default:
			panic(fault)
		}
	}()
	if off > int64(m.data.Len()) {
		return 0, io.EOF
	}
	return m.data.ReadAt(p, off)
}

// bytes is n bytes in place, to be read only, of the file that info is of. They are valid until Close, which is the
// caller's to order. To touch pages that are gone is a fault.
func (m *mapping) bytes(info fs.FileInfo, off, n int64) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.data == nil {
		return nil, fs.ErrClosed
	}
	if m.place == nil {
		file, err := os.Open(m.path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		size := int64(m.data.Len())
		if now, err := file.Stat(); err != nil || !os.SameFile(info, now) || now.Size() != size {
			return nil, errors.Join(ErrChanged, err)
		}
		if m.place, err = pages.Map(file.Fd(), size); err != nil {
			return nil, err
		}
	}
	data := m.place.Bytes()
	if off < 0 || n < 0 || off > int64(len(data)) || n > int64(len(data))-off {
		return nil, io.ErrUnexpectedEOF
	}
	return data[off:][:n:n], nil
}

// Close unmaps once all readers are done.
func (m *mapping) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.data == nil {
		return fs.ErrClosed
	}
	data := m.data
	m.data = nil
	m.place.Free()
	return data.Close()
}
