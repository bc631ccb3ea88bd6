//go:build e2e

package e2e

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"straw/internal/demo"
)

// entry is a metadata pair of a file that a test makes; the value is a string, uint32, uint16, int32 or []string.
type entry struct {
	key   string
	value any
}

// weight is a tensor of F32 that a test makes.
type weight struct {
	name string
	dims []uint64
}

const alignment = 32

// header is a GGUF file up to its tensor data, and how many bytes of data belong to it.
func header(metadata []entry, tensors []weight) (text []byte, data int64) {
	b := []byte("GGUF\x03\x00\x00\x00")
	b = binary.LittleEndian.AppendUint64(b, uint64(len(tensors)))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(metadata)))
	for _, e := range metadata {
		b = appendText(b, e.key)
		switch v := e.value.(type) {
		case string:
			b = appendText(binary.LittleEndian.AppendUint32(b, 8), v)
		case uint32:
			b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, 4), v)
		case uint16:
			b = binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint32(b, 2), v)
		case int32:
			b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, 5), uint32(v))
		case []string:
			b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, 9), 8)
			b = binary.LittleEndian.AppendUint64(b, uint64(len(v)))
			for _, s := range v {
				b = appendText(b, s)
			}
		default:
			panic(fmt.Sprintf("value of type %T", v))
		}
	}
	for _, t := range tensors {
		b = appendText(b, t.name)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(t.dims)))
		n := uint64(4)
		for _, d := range t.dims {
			b = binary.LittleEndian.AppendUint64(b, d)
			n *= d
		}
		b = binary.LittleEndian.AppendUint32(b, 0)
		b = binary.LittleEndian.AppendUint64(b, uint64(data))
		data += int64(n+alignment-1) / alignment * alignment
	}
	for len(b)%alignment != 0 {
		b = append(b, 0)
	}
	return b, data
}

func appendText(b []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint64(b, uint64(len(s))), s...)
}

// write makes a file of a header and its data, a hole of zeros that takes no room on the disk.
func write(t *testing.T, name string, metadata []entry, tensors []weight) string {
	t.Helper()
	text, data := header(metadata, tensors)
	path := save(t, name, text)
	if err := os.Truncate(path, int64(len(text))+data); err != nil {
		t.Fatal(err)
	}
	return path
}

func save(t *testing.T, name string, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func demoBytes(t *testing.T) []byte {
	t.Helper()
	r, n := demo.Open()
	text, err := io.ReadAll(io.NewSectionReader(r, 0, n))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// vocabulary is n tokens, as large models have them.
func vocabulary(n int) []string {
	v := make([]string, n)
	for i := range v {
		v[i] = fmt.Sprintf("token%d", i)
	}
	return v
}
