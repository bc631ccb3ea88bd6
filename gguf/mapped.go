package gguf

import "errors"

// placed is a file whose bytes lie in memory: a mapping.
type placed interface {
	// Bytes is n bytes in place; it fails with errors.ErrUnsupported where there are none.
	Bytes(off, n int64) ([]byte, error)
	// Unchanged fails if they are no longer the bytes of the file that was opened.
	Unchanged() error
}

// TensorBytes is all of a tensor's bytes where they lie in memory, to be read only and valid until the files are closed.
// It fails with errors.ErrUnsupported where they do not lie there, or not little-endian, and else as ReadTensorAt does.
// To touch bytes of a mapped file that has become shorter is a fault: see debug.SetPanicOnFault.
func (f *File) TensorBytes(name string) ([]byte, error) {
	t, err := f.readable(name)
	if err != nil {
		return nil, err
	}
	s := f.Shards[t.Shard].src
	p, ok := s.r.(placed)
	if !ok || s.bigEndian() && t.Type.BlockBytes() > 1 {
		return nil, &Error{t.at, tensorField(t.Name, "data"), "", errors.ErrUnsupported}
	}
	if err := f.readRaw(t, nil, t.Bytes); err != nil {
		return nil, err
	}
	b, err := p.Bytes(t.AbsOffset, t.Bytes)
	if err != nil {
		return nil, &Error{t.AbsOffset, tensorField(t.Name, "data"), "", err}
	}
	return b, nil
}

// Unchanged fails if a file whose bytes TensorBytes gave is no longer what was opened.
func (f *File) Unchanged() error {
	for _, s := range f.Shards {
		if p, ok := s.src.r.(placed); ok {
			if err := p.Unchanged(); err != nil {
				return &Error{-1, "file " + quote(s.Name), "", err}
			}
		}
	}
	return nil
}
