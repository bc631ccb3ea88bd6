package llmw

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"straw/quant"
)

// KV is one piece of metadata; Value is an int64, float64 or string.
type KV struct {
	Key   string
	Value any
}

// Tensor is one tensor to write. Shape is row-major: a matrix is [rows, elements of a row].
type Tensor struct {
	Name  string
	Type  quant.Type
	Shape []int64
	Data  []byte
}

// Write writes a file. It fails if a value or a tensor does not fit the format.
func Write(w io.Writer, metadata []KV, tensors []Tensor) error {
	directory, err := encode(metadata, tensors, 0)
	if err != nil {
		return err
	}
	begin := roundUp(len(directory))
	if begin > maxDirectory {
		return errors.New("directory is longer than 1 MiB")
	}
	if directory, err = encode(metadata, tensors, begin); err != nil {
		return err
	}
	if err := pad(w, directory); err != nil {
		return err
	}
	for _, t := range tensors {
		if err := pad(w, t.Data); err != nil {
			return err
		}
	}
	return nil
}

// encode is the directory with the data beginning at begin.
func encode(metadata []KV, tensors []Tensor, begin int) ([]byte, error) {
	le := binary.LittleEndian
	b := le.AppendUint32([]byte(magic), version)
	b = le.AppendUint32(b, uint32(len(metadata)))
	b = le.AppendUint32(b, uint32(len(tensors)))
	str := func(s string) { b = append(le.AppendUint32(b, uint32(len(s))), s...) }
	for _, kv := range metadata {
		str(kv.Key)
		switch v := kv.Value.(type) {
		case int64:
			b = le.AppendUint64(append(b, 0), uint64(v))
		case float64:
			b = le.AppendUint64(append(b, 1), math.Float64bits(v))
		case string:
			b = append(b, 2)
			str(v)
		default:
			return nil, fmt.Errorf("metadata %q: a %T cannot be written", kv.Key, v)
		}
	}
	off := begin
	for _, t := range tensors {
		info := tensor{typ: t.Type, dims: slices.Clone(t.Shape)}
		slices.Reverse(info.dims)
		if want, ok := info.size(); !ok || want != int64(len(t.Data)) {
			return nil, fmt.Errorf("tensor %q: %d bytes are not what shape %v of %s takes", t.Name, len(t.Data), t.Shape, t.Type)
		}
		str(t.Name)
		b = le.AppendUint32(b, uint32(t.Type))
		b = le.AppendUint32(b, uint32(len(t.Shape)))
		for _, d := range t.Shape {
			b = le.AppendUint64(b, uint64(d))
		}
		b = le.AppendUint64(b, uint64(off))
		b = le.AppendUint64(b, uint64(len(t.Data)))
		off += roundUp(len(t.Data))
	}
	return b, nil
}

func roundUp(n int) int { return (n + align - 1) / align * align }

// pad writes b and zeros up to the next multiple of align.
func pad(w io.Writer, b []byte) error {
	if _, err := w.Write(b); err != nil {
		return err
	}
	_, err := w.Write(make([]byte, roundUp(len(b))-len(b)))
	return err
}
