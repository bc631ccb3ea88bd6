package source

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"

	"straw/internal/pages"
)

const (
	directAlign = 4096    // of positions and lengths of direct reads, and of their memory
	directPiece = 1 << 20 // read at once
	directMost  = 4       // reads at once
)

// direct reads a file past the page cache, in whole blocks: each read goes to memory of its own first, and what was asked
// for is copied from there.
type direct struct {
	*os.File
	buffers chan *pages.Memory // those that are free; nil ones are not made yet
	close   sync.Once
}

func openDirect(path string) (*direct, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_DIRECT, 0)
	if err != nil {
		return nil, err
	}
	d := &direct{File: f, buffers: make(chan *pages.Memory, directMost)}
	for range directMost {
		d.buffers <- nil
	}
	return d, nil
}

// ReadAt implements io.ReaderAt; it is safe for concurrent use.
func (d *direct) ReadAt(p []byte, off int64) (n int, err error) {
	m := <-d.buffers
	defer func() { d.buffers <- m }()
	if m == nil {
		if m, err = pages.New(directPiece + 2*directAlign); err != nil {
			return 0, err
		}
	}
	for n < len(p) {
		begin := (off + int64(n)) &^ (directAlign - 1)
		skip := int(off + int64(n) - begin)
		want := min(skip+len(p)-n, directPiece)
		block := m.Bytes()[:(want+directAlign-1)&^(directAlign-1)]
		got, err := d.File.ReadAt(block, begin)
		if got > skip {
			n += copy(p[n:], block[skip:min(got, want)])
		}
		if n == len(p) {
			return n, nil
		}
		if err == nil && got < len(block) {
			err = io.EOF
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// Close implements io.Closer. It waits for readers.
func (d *direct) Close() error {
	err := os.ErrClosed
	d.close.Do(func() {
		err = d.File.Close()
		for range directMost {
			(<-d.buffers).Free()
		}
		for range directMost {
			d.buffers <- nil
		}
	})
	if errors.Is(err, os.ErrClosed) {
		return os.ErrClosed
	}
	return err
}
