//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package pages

import "syscall"

func reserve(n int) ([]byte, func([]byte), error) {
	b, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	return b, unmap, err
}

func mapFile(fd uintptr, n int) ([]byte, func([]byte), error) {
	b, err := syscall.Mmap(int(fd), 0, n, syscall.PROT_READ, syscall.MAP_SHARED)
	return b, unmap, err
}

func unmap(b []byte) {
	if err := syscall.Munmap(b); err != nil {
		panic("pages: " + err.Error()) // not a mapping of ours
	}
}
