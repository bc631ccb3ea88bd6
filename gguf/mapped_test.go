package gguf

import (
	"bytes"
	"errors"
	"testing"

	"straw/quant"
)

// inMemory is a file that gives its bytes in place.
type inMemory struct {
	*bytes.Reader
	data    []byte
	changed error
}

func (m *inMemory) Bytes(off, n int64) ([]byte, error) { return m.data[off:][:n], m.changed }
func (m *inMemory) Unchanged() error                   { return m.changed }

func TestTensorBytes(t *testing.T) {
	for _, big := range []bool{false, true} {
		e := encode(3)
		if big {
			e.bigEndian()
		}
		e.tensor("w", []uint64{4, 3}, quant.F32, filled(48, 2)).tensor("bytes", []uint64{64}, quant.I8, filled(64, 1)).tensor("lost", []uint64{4000}, quant.I8, filled(64, 1))
		b := e.bytes()
		m := &inMemory{Reader: bytes.NewReader(b), data: b}
		f, _ := Open(m, int64(len(b)))
		got, err := f.TensorBytes("bytes")
		if want := filled(64, 1); err != nil || !bytes.Equal(got, want) {
			t.Errorf("big-endian %v: %v, %v", big, got, err)
		}
		got, err = f.TensorBytes("w")
		if big != errors.Is(err, errors.ErrUnsupported) || !big && (err != nil || !bytes.Equal(got, filled(48, 2))) {
			t.Errorf("numbers of a big-endian %v file: %v, %v", big, got, err)
		}
		if _, err = f.TensorBytes("lost"); !errors.Is(err, ErrTruncated) {
			t.Errorf("beyond the end: %v", err)
		}
		if _, err = f.TensorBytes("no.such"); err == nil {
			t.Error("bytes of a tensor that is not there")
		}
		if err := f.Unchanged(); err != nil {
			t.Error(err)
		}
		m.changed = errors.New("another file")
		if err := f.Unchanged(); !errors.Is(err, m.changed) {
			t.Errorf("a changed file: %v", err)
		}
		if _, err = f.TensorBytes("bytes"); !errors.Is(err, m.changed) {
			t.Errorf("a mapping that fails: %v", err)
		}
		f, _ = Open(m.Reader, int64(len(b)))
		if _, err = f.TensorBytes("bytes"); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("a file that is read: %v", err)
		}
		if err := f.Unchanged(); err != nil {
			t.Error(err)
		}
	}
}
