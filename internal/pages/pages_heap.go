//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package pages

import "errors"

// heap is n bytes of Go's memory.
func heap(n int) (b []byte, free func([]byte), err error) {
	defer func() {
		if recover() != nil { // make panics where there are fewer addresses
			err = errors.New("there is no such memory")
		}
	}()
	return make([]byte, n), nil, nil
}
