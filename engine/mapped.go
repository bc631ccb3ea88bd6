package engine

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// MappedSource is a WeightSource whose tensors lie in memory: a mapped file.
type MappedSource interface {
	WeightSource
	// TensorBytes is all of a tensor's bytes in place, to be read only, and valid for as long as the source is open. It
	// fails with errors.ErrUnsupported if they do not lie in memory as they are to be used.
	TensorBytes(name string) ([]byte, error)
	// Unchanged fails if the bytes are no longer those of the file that was opened.
	Unchanged() error
}

// mapping is what is used of a mapped source. The zero value is that of a session without one.
type mapping struct {
	src   MappedSource // nil if nothing is used in place
	bytes int64
}

// place adds t's bytes to data, by name, if src has them in memory.
func (m *mapping) place(data map[string][]byte, src WeightSource, t *Tensor) error {
	mapped, ok := src.(MappedSource)
	if !ok || data[t.Name] != nil {
		return nil
	}
	b, err := mapped.TensorBytes(t.Name)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return nil
	case err != nil:
		return fmt.Errorf("mapping tensor %s: %w", t.Name, err)
	}
	data[t.Name] = b
	m.src = mapped
	m.bytes += t.Bytes
	return nil
}

// isFault tells whether a panic is the runtime's for memory that cannot be read: of a mapped file, pages that are gone
// since it became shorter, or that the disk does not give. It is one only where debug.SetPanicOnFault was called.
func isFault(panicked any) bool {
	_, ok := panicked.(interface{ Addr() uintptr })
	return ok
}

// enter begins the use of mapped weights on this goroutine; what it returns is leave's.
func (m *mapping) enter() (before bool) {
	return m.src != nil && debug.SetPanicOnFault(true)
}

// leave ends it; it must be deferred. A fault, and a file that changed in the meantime, become the error: what was
// computed is not to be used.
func (m *mapping) leave(before bool, err *error) {
	if m.src == nil {
		return
	}
	debug.SetPanicOnFault(before)
	fault := recover()
	if fault != nil && !isFault(fault) {
		panic(fault)
	}
	if changed := m.src.Unchanged(); changed != nil {
		*err = changed
	} else if fault != nil {
		*err = errors.New("weights of the mapped file could not be read from its disk")
	}
}
