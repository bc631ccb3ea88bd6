// Package pages is memory by the page, beside Go's heap: large pieces for weights, which the collector neither scans nor
// counts, in 2 MiB pages where the system has them, and files mapped to be read in place.
//
// Whoever has a Memory frees it; what was cut from it must not be touched after that.
package pages

import (
	"fmt"
	"math"
	"unsafe"
)

const (
	// Align is the alignment of what Take gives, in bytes: a cache line, and the widest vector.
	Align = 64
	// Huge is the size in bytes of a large page; where the system has them, New's memory begins with one.
	Huge = 2 << 20
)

// Memory is a piece of memory. It is for one goroutine, its bytes are for all.
type Memory struct {
	data []byte
	used int
	free func([]byte) // nil if Go frees it
	all  []byte       // what to free, data and what is around it
}

// New is n bytes of zeros. Where the system gives memory when it is touched, untouched pages cost nothing. An error says
// that there is no room for so much.
func New(n int64) (*Memory, error) {
	if n > math.MaxInt-2*Huge {
		return nil, fmt.Errorf("%d bytes of memory are more than this program can address", n)
	}
	if n == 0 {
		return &Memory{}, nil
	}
	room := int(n)
	if room >= Huge/2 { // from here on a large page is worth what it wastes
		room = (room + Huge - 1) &^ (Huge - 1)
	}
	all, free, err := reserve(room + boundary)
	if err != nil {
		return nil, fmt.Errorf("no memory for %d bytes: %w", n, err)
	}
	begin := -int(uintptr(unsafe.Pointer(unsafe.SliceData(all)))) & (boundary - 1)
	advise(all[begin:][:room])
	return &Memory{data: all[begin:][:n:n], free: free, all: all}, nil
}

// Map is a file's first size bytes, to be read only. The file may be closed. If it becomes shorter, touching what is gone
// is a fault: see debug.SetPanicOnFault. The error is errors.ErrUnsupported where the system has no mapping.
func Map(fd uintptr, size int64) (*Memory, error) {
	if int64(int(size)) != size {
		return nil, fmt.Errorf("%d bytes are more than this program can address", size)
	}
	if size == 0 {
		return &Memory{}, nil
	}
	data, free, err := mapFile(fd, int(size))
	if err != nil {
		return nil, err
	}
	return &Memory{data: data, free: free, all: data}, nil
}

// Bytes is all of the memory.
func (m *Memory) Bytes() []byte { return m.data }

// Take is the next n bytes, from a multiple of Align on. It panics if they are not there: Room says how much each takes.
func (m *Memory) Take(n int) []byte {
	p := m.data[m.used:][:n:n]
	m.used = min(m.used+int(Room(int64(n))), len(m.data))
	return p
}

// Room is how much of a memory Take(n) uses up, at most.
func Room(n int64) int64 { return (n + Align - 1) &^ (Align - 1) }

// Free gives the memory back. Freeing twice, or nil, does nothing.
func (m *Memory) Free() {
	if m != nil && m.free != nil {
		m.free(m.all)
		*m = Memory{}
	}
}
