package kernels

import (
	"os"
	"syscall"
	"testing"
)

// fenced is n bytes that end right before (or, with head, begin right after) a page that cannot be touched: reading
// outside of them stops the test.
func fenced(t testing.TB, n int, head bool) []byte {
	page := os.Getpagesize()
	size := (n + page - 1) / page * page
	m, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(m) })
	for _, fence := range [][]byte{m[:page], m[page+size:]} {
		if err := syscall.Mprotect(fence, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	if head {
		return m[page : page+n : page+n]
	}
	return m[page+size-n : page+size : page+size]
}
