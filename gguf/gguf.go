// Package gguf reads GGUF files: the header, the metadata, the tensor directory and, on request, the bytes of a tensor.
//
// Open makes one forward pass over the header through a 1 MiB window and keeps only a directory: keys, small values,
// where large values and tensors lie. Big arrays are indexed and decoded when someone looks at them; weights are read by
// positional reads. Nothing a file declares sizes an allocation before it was compared with the bytes that are there.
//
// The files of the package follow the file's order: header, metadata, tensors, layout; then what is said about a file
// (findings), sets of shards, and what is no GGUF file at all.
package gguf

import (
	"encoding/binary"
	"io"
	"iter"

	"straw/quant"
)

// File is an opened GGUF file, or a set of shards seen as one. It is not changed after Open and safe for concurrent use.
type File struct {
	Version    uint32 // 1, 2 or 3; 0 if the file is no GGUF file
	BigEndian  bool   // every number in the file, weights included, has its bytes reversed
	Alignment  uint64 // of the tensor data, in bytes
	Size       int64  // bytes, of all shards together
	DataOffset int64  // where the tensor data of the first shard starts; -1 without tensors
	Metadata   []KV   // in file order; of the first shard
	Tensors    []Tensor
	Findings   []Finding
	Shards     []Shard // one for a file that stands alone

	keys    map[string]int // key to its first place in Metadata
	names   map[string]int // tensor name to its first place in Tensors
	closers []io.Closer
}

// Shard is one file of a set.
type Shard struct {
	Name       string // file name, "" if the file was opened by Open
	Size       int64  // bytes
	DataOffset int64  // -1 if it holds no tensors
	NTensors   int

	src *source
}

// ReadAt implements io.ReaderAt: the bytes of the file as they are.
func (s *Shard) ReadAt(p []byte, off int64) (int, error) { return s.src.r.ReadAt(p, off) }

// source is where the bytes of one shard come from, and how its header writes numbers.
type source struct {
	r     io.ReaderAt
	size  int64
	order binary.ByteOrder
	wide  bool // counts and lengths have 64 bits (every version but 1)
}

func (s *source) bigEndian() bool { return s.order == binary.ByteOrder(binary.BigEndian) }

// Open reads the header of a GGUF file of the given size in bytes; r must be usable as long as the File is.
//
// The File is never nil. When err is not nil the File holds what was read before the damage, and each of its
// Findings of severity Error says one thing that is wrong; err, an *Error, is the first of them.
func Open(r io.ReaderAt, size int64) (*File, error) {
	return open(r, size, "")
}

func open(r io.ReaderAt, size int64, name string) (*File, error) {
	p := newParser(r, size, name)
	defer p.free()
	p.parse()
	f := p.finish()
	if p.first != nil {
		return f, p.first
	}
	return f, nil
}

// Close closes the files that OpenFS opened. Files given to Open and OpenParts stay their owner's.
func (f *File) Close() error {
	var first error
	for _, c := range f.closers {
		if err := c.Close(); err != nil && first == nil {
			first = err
		}
	}
	f.closers = nil
	return first
}

// Value is the metadata value of a key.
func (f *File) Value(key string) (Value, bool) {
	i, ok := f.keys[key]
	if !ok {
		return Value{}, false
	}
	return f.Metadata[i].Value, true
}

// Get is the decoded value of a key, nil if the file does not have it. See Value.Decode for the types.
func (f *File) Get(key string) (any, error) {
	v, ok := f.Value(key)
	if !ok {
		return nil, nil
	}
	return v.Decode()
}

// Lookup finds a tensor by name.
func (f *File) Lookup(name string) (*Tensor, bool) {
	i, ok := f.names[name]
	if !ok {
		return nil, false
	}
	return &f.Tensors[i], true
}

// TensorNames lists the tensors in file order.
func (f *File) TensorNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range f.Tensors {
			if !yield(f.Tensors[i].Name) {
				return
			}
		}
	}
}

// TensorInfo is the type and the dims, fastest first, of a tensor.
func (f *File) TensorInfo(name string) (t quant.Type, dims []int64, ok bool) {
	tensor, ok := f.Lookup(name)
	if !ok {
		return 0, nil, false
	}
	dims = make([]int64, len(tensor.Dims))
	for i, d := range tensor.Dims {
		dims[i] = int64(d)
	}
	return tensor.Type, dims, true
}
