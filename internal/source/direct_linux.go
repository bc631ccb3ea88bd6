package source

import (
	"io"
	"os"
	"syscall"

	"straw/internal/pages"
)

const (
	directAlign = 4096    // of positions and lengths of direct reads, and of their memory
	directPiece = 1 << 20 // read at once
	directMost  = 4       // reads at once
)

// DirectBytes is how many bytes of memory direct reads take aside at most: a large page for each at once.
const DirectBytes = directMost * pages.Huge

// direct reads a file past the page cache, in whole blocks: each read goes to memory of its own first, and what was asked
// for is copied from there.
type direct struct{ *os.File }

// directBuffers are those that are free, for all files: a model may have hundreds of shards. Nil ones are not made yet.
var directBuffers = func() chan *pages.Memory {
	c := make(chan *pages.Memory, directMost)
	for range directMost {
		c <- nil
	}
	return c
}()

func openDirect(path string) (direct, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_DIRECT, 0)
	return direct{f}, err
}

// ReadAt implements io.ReaderAt; it is safe for concurrent use.
func (d direct) ReadAt(p []byte, off int64) (n int, err error) {
	m := <-directBuffers
	defer func() { directBuffers <- m }()
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
