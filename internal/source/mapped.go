package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime/debug"
	"strconv"
	"sync"

	"golang.org/x/exp/mmap"
)

// mapping reads a file through the memory's pages. Where the system has no mapping, x/exp/mmap reads the file.
type mapping struct {
	mu   sync.RWMutex // Close waits for readers: unmapped memory must not be touched
	data *mmap.ReaderAt
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
	return &mapping{data: data}, nil
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

// Close unmaps once all readers are done.
func (m *mapping) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.data == nil {
		return fs.ErrClosed
	}
	data := m.data
	m.data = nil
	return data.Close()
}
