// Package llmw reads and writes the toy model format .llmw: a flat list of metadata and tensors in front of the data.
// It is the second file format behind engine.WeightSource, next to GGUF, and what tests make small models with.
//
// Everything is little-endian:
//
//	"LLMW", u32 version (1), u32 number of metadata, u32 number of tensors
//	metadata: u32 length, key, u8 type (0 i64, 1 f64, 2 string), value (a string with a u32 length)
//	tensors:  u32 length, name, i32 type (as GGUF numbers them), u32 number of dims, i64 dims (row-major),
//	          u64 offset from the start of the file (a multiple of 64), u64 bytes
//
// The directory, all that stands before the data, is at most 1 MiB.
package llmw

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"straw/quant"
)

const (
	magic        = "LLMW"
	version      = 1
	align        = 64
	maxDirectory = 1 << 20
)

// ErrFormat is wrapped by all errors about what a file says.
var ErrFormat = errors.New("not a valid .llmw file")

// File is an open .llmw file; it satisfies engine.WeightSource.
type File struct {
	r        io.ReaderAt
	metadata map[string]any // int64, float64 or string
	tensors  []tensor
	index    map[string]int
}

type tensor struct {
	name   string
	typ    quant.Type
	dims   []int64 // the row length first
	offset int64
	bytes  int64
}

// Open reads the directory of a file of size bytes.
func Open(r io.ReaderAt, size int64) (*File, error) {
	head := make([]byte, min(size, maxDirectory))
	if _, err := r.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, err
	}
	d := decoder{b: head}
	if string(d.take(4)) != magic {
		return nil, fmt.Errorf("%w: does not begin with %s", ErrFormat, magic)
	}
	if v := d.u32(); v != version {
		return nil, fmt.Errorf("%w: version %d, want %d", ErrFormat, v, version)
	}
	f := &File{r: r, metadata: map[string]any{}, index: map[string]int{}}
	nMeta, nTensor := d.u32(), d.u32()
	for i := uint32(0); i < nMeta && !d.short; i++ {
		key := d.str()
		switch kind := d.take(1); {
		case d.short:
		case kind[0] == 0:
			f.metadata[key] = int64(d.u64())
		case kind[0] == 1:
			f.metadata[key] = math.Float64frombits(d.u64())
		case kind[0] == 2:
			f.metadata[key] = d.str()
		default:
			return nil, fmt.Errorf("%w: metadata %q has type %d", ErrFormat, key, kind[0])
		}
	}
	for i := uint32(0); i < nTensor && !d.short; i++ {
		t := tensor{name: d.str(), typ: quant.Type(d.u32())}
		n := d.u32()
		if n > 4 {
			return nil, fmt.Errorf("%w: tensor %q has %d dims", ErrFormat, t.name, n)
		}
		for range n {
			t.dims = append(t.dims, int64(d.u64()))
		}
		slices.Reverse(t.dims)
		offset, bytes := d.u64(), d.u64()
		if d.short {
			break
		}
		if offset > uint64(size) || bytes > uint64(size)-offset {
			return nil, fmt.Errorf("%w: tensor %q: %d bytes at offset %d reach beyond the file's %d", ErrFormat, t.name, bytes, offset, size)
		}
		t.offset, t.bytes = int64(offset), int64(bytes)
		if want, ok := t.size(); !ok || want != t.bytes {
			return nil, fmt.Errorf("%w: tensor %q: %d bytes are not what %v elements of %s take", ErrFormat, t.name, bytes, t.dims, t.typ)
		}
		if _, twice := f.index[t.name]; twice {
			return nil, fmt.Errorf("%w: tensor %q is there twice", ErrFormat, t.name)
		}
		f.index[t.name] = len(f.tensors)
		f.tensors = append(f.tensors, t)
	}
	if d.short {
		return nil, fmt.Errorf("%w: ends within its directory", ErrFormat)
	}
	return f, nil
}

// size is the number of bytes the tensor's dims and type say; false if they say nothing sensible.
func (t *tensor) size() (int64, bool) {
	if !t.typ.Live() || len(t.dims) == 0 || t.dims[0]%int64(t.typ.BlockElems()) != 0 {
		return 0, false
	}
	n := int64(1)
	for _, d := range t.dims {
		if d <= 0 || n > math.MaxInt64/512/d {
			return 0, false
		}
		n *= d
	}
	return n / int64(t.typ.BlockElems()) * int64(t.typ.BlockBytes()), true
}

// TensorNames are the names in the order of the file.
func (f *File) TensorNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range f.tensors {
			if !yield(f.tensors[i].name) {
				return
			}
		}
	}
}

// TensorInfo is a tensor's type and dims, the row length first.
func (f *File) TensorInfo(name string) (t quant.Type, dims []int64, ok bool) {
	i, ok := f.index[name]
	if !ok {
		return 0, nil, false
	}
	return f.tensors[i].typ, f.tensors[i].dims, true
}

// Get is the value under key as int64, float64 or string, nil if absent.
func (f *File) Get(key string) (any, error) { return f.metadata[key], nil }

// ReadTensorAt fills p with the tensor's bytes from off on.
func (f *File) ReadTensorAt(name string, p []byte, off int64) error {
	i, ok := f.index[name]
	if !ok {
		return fmt.Errorf("no tensor %q", name)
	}
	t := &f.tensors[i]
	if off < 0 || off > t.bytes || int64(len(p)) > t.bytes-off {
		return fmt.Errorf("tensor %q has %d bytes, not %d at %d", name, t.bytes, len(p), off)
	}
	n, err := f.r.ReadAt(p, t.offset+off)
	if n == len(p) {
		return nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// decoder takes values from the front of b; once b is too short, all it gives is zero.
type decoder struct {
	b     []byte
	short bool
}

func (d *decoder) take(n uint32) []byte {
	if d.short || int64(n) > int64(len(d.b)) {
		d.short = true
		return nil
	}
	p := d.b[:n]
	d.b = d.b[n:]
	return p
}

func (d *decoder) u32() uint32 {
	if p := d.take(4); p != nil {
		return binary.LittleEndian.Uint32(p)
	}
	return 0
}

func (d *decoder) u64() uint64 {
	if p := d.take(8); p != nil {
		return binary.LittleEndian.Uint64(p)
	}
	return 0
}

func (d *decoder) str() string { return string(d.take(d.u32())) }
