//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package pages

import "errors"

func reserve(n int) ([]byte, func([]byte), error) { return heap(n) }

func mapFile(uintptr, int) ([]byte, func([]byte), error) { return nil, nil, errors.ErrUnsupported }
