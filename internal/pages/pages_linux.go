package pages

import "syscall"

// boundary is where memory begins.
const boundary = Huge

// advise asks for large pages. A system without them refuses, and small ones do.
func advise(b []byte) {
	if len(b) >= Huge {
		_ = syscall.Madvise(b, syscall.MADV_HUGEPAGE)
	}
}
