//go:build !linux

package source

import (
	"errors"
	"io"
)

// DirectBytes is 0 where there are no direct reads.
const DirectBytes = 0

// openDirect fails: the page cache cannot be passed by on this system.
func openDirect(string) (interface {
	io.ReaderAt
	io.Closer
}, error) {
	return nil, errors.ErrUnsupported
}
