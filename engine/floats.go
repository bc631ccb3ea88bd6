package engine

import (
	"unsafe"

	"straw/internal/pages"
)

// hugeFloats is from how many floats on memory is taken beside Go's heap, in large pages: small pages cost much when they
// are touched first, and again when the processor looks up where they are.
const hugeFloats = pages.Huge / 2 / 4

// floats is memory for numbers.
type floats struct {
	x      []float32
	memory *pages.Memory // of x, nil if it is Go's
}

// newFloats is n zeros.
func newFloats(n int) floats {
	if n >= hugeFloats {
		if m, err := pages.New(4 * int64(n)); err == nil {
			return floats{unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(m.Bytes()))), n), m}
		}
	}
	return floats{x: make([]float32, n)}
}

// free gives the memory back: nobody may touch it any more.
func (f *floats) free() {
	f.memory.Free()
	*f = floats{}
}
