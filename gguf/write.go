package gguf

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"

	"straw/quant"
)

// Draft is a file to be written: keys and tensors in their order. The zero value is an empty one. What is written is
// version 3, little-endian, whatever the values came from.
type Draft struct {
	keys    []KV
	tensors []draftTensor
}

type draftTensor struct {
	name  string
	dims  []uint64
	typ   quant.Type
	size  int64 // bytes
	write func(w io.Writer) error
}

// NewDraft is a Draft with the keys of f, which must stay open until the Draft is written: large values are copied from
// it byte by byte then.
func NewDraft(f *File) *Draft { return &Draft{keys: slices.Clone(f.Metadata)} }

// Set gives a key a value: in its place if the key is there, else at the end.
func (d *Draft) Set(key string, v Value) {
	for i := range d.keys {
		if d.keys[i].Key == key {
			d.keys[i].Value = v
			return
		}
	}
	d.keys = append(d.keys, KV{Key: key, Value: v, Offset: -1})
}

// Unset takes a key away and reports whether it was there.
func (d *Draft) Unset(key string) bool {
	n := len(d.keys)
	d.keys = slices.DeleteFunc(d.keys, func(kv KV) bool { return kv.Key == key })
	return len(d.keys) < n
}

// Keys are the keys and values there are; not to be changed.
func (d *Draft) Keys() []KV { return d.keys }

// NTensors is the number of tensors added.
func (d *Draft) NTensors() int { return len(d.tensors) }

// Add adds a tensor. dims are as in the file, the fastest first, and the first a multiple of the type's block; write is
// called when its turn comes and must write exactly t's bytes for that many elements, little-endian.
func (d *Draft) Add(name string, dims []uint64, t quant.Type, write func(w io.Writer) error) error {
	fail := func(format string, args ...any) error {
		return &Error{Offset: -1, Field: tensorField(name, ""), Err: problemf(ErrUnsupported, format, args...)}
	}
	if len(dims) > maxDims {
		return fail("%d dimensions; a GGUF file has %d at most", len(dims), maxDims)
	}
	if !t.Live() {
		return fail("%s is not a type of today's ggml and its size is not known: it cannot be written", t)
	}
	elements := uint64(1)
	for _, n := range dims {
		hi, lo := bits.Mul64(elements, n)
		if hi != 0 || lo > math.MaxInt64 {
			return fail("dims %d: more than 2^63-1 elements", dims)
		}
		elements = lo
	}
	block := uint64(t.BlockElems())
	if len(dims) > 0 && dims[0]%block != 0 || elements%block != 0 {
		return fail("a row of dims %d is no multiple of %d, the block of %s", dims, block, t)
	}
	hi, lo := bits.Mul64(elements/block, uint64(t.BlockBytes()))
	if hi != 0 || lo > math.MaxInt64 {
		return fail("more than 2^63-1 bytes")
	}
	d.tensors = append(d.tensors, draftTensor{name, slices.Clone(dims), t, int64(lo), write})
	return nil
}

// Copy adds a tensor of f as it is.
func (d *Draft) Copy(f *File, t *Tensor) error {
	return d.Add(t.Name, t.Dims, t.Type, func(w io.Writer) error {
		p := make([]byte, min(t.Bytes, 1<<20))
		for off := int64(0); off < t.Bytes; off += int64(len(p)) {
			p = p[:min(int64(len(p)), t.Bytes-off)]
			if err := f.ReadTensorAt(t.Name, p, off); err != nil {
				return err
			}
			if _, err := w.Write(p); err != nil {
				return err
			}
		}
		return nil
	})
}

// alignment is general.alignment, 32 without it.
func (d *Draft) alignment() (uint64, error) {
	for _, kv := range d.keys {
		if kv.Key != "general.alignment" {
			continue
		}
		if a := kv.Value.bits; kv.Value.typ == Uint32 && a > 0 && (a&(a-1) == 0 || a%8 == 0) {
			return a, nil
		}
		return 0, &Error{Offset: -1, Field: kv.Key, Err: problemf(ErrFormat, "it must be a u32, and a power of two or a multiple of 8")}
	}
	return 32, nil
}

// plan is where everything goes.
type plan struct {
	alignment uint64
	header    int64   // bytes before the padding
	data      int64   // where the tensor data starts
	offsets   []int64 // of the tensors, from data
	size      int64   // of the file
}

// plan checks the names and lays the tensors out, each padded to the alignment, the last one too, as ggml does.
func (d *Draft) plan() (p plan, err error) {
	if p.alignment, err = d.alignment(); err != nil {
		return p, err
	}
	seen := make(map[string]bool, len(d.keys))
	for _, kv := range d.keys {
		if kv.Key == "" || seen[kv.Key] {
			return p, &Error{Offset: -1, Field: "key " + quote(kv.Key), Err: problemf(ErrFormat, "it is empty or there twice, which programs refuse")}
		}
		seen[kv.Key] = true
	}
	seen = make(map[string]bool, len(d.tensors))
	for _, t := range d.tensors {
		if seen[t.name] {
			return p, &Error{Offset: -1, Field: tensorField(t.name, ""), Err: problemf(ErrFormat, "two tensors have this name")}
		}
		seen[t.name] = true
	}
	e := encoding{w: io.Discard}
	d.header(&e, make([]int64, len(d.tensors)))
	if e.err != nil {
		return p, e.err
	}
	p.header, p.data, p.size = e.n, e.n, e.n
	if len(d.tensors) == 0 {
		return p, nil
	}
	end, ok := padded(uint64(e.n), p.alignment)
	p.data = int64(end)
	for _, t := range d.tensors {
		p.offsets = append(p.offsets, int64(end)-p.data)
		sum, carry := bits.Add64(end, uint64(t.size), 0)
		if !ok || carry != 0 || sum > math.MaxInt64 {
			return p, &Error{Offset: -1, Field: tensorField(t.name, ""), Err: problemf(ErrUnsupported, "the file would have more than 2^63-1 bytes")}
		}
		end, ok = padded(sum, p.alignment)
	}
	if !ok {
		return p, &Error{Offset: -1, Field: "file", Err: problemf(ErrUnsupported, "it would have more than 2^63-1 bytes")}
	}
	p.size = int64(end)
	return p, nil
}

// Size is the number of bytes WriteTo will write.
func (d *Draft) Size() (int64, error) {
	p, err := d.plan()
	return p.size, err
}

// HeaderSize is the number of bytes before the tensor data, padding included.
func (d *Draft) HeaderSize() (int64, error) {
	p, err := d.plan()
	return p.data, err
}

// WriteTo writes the file, from its first byte to its last, and gives the number of bytes written. It asks for each
// tensor once, in order, and keeps no more than a buffer of 256 KiB in memory.
func (d *Draft) WriteTo(w io.Writer) (int64, error) {
	p, err := d.plan()
	if err != nil {
		return 0, err
	}
	out := &tally{w: w}
	buf := bufio.NewWriterSize(out, 256<<10)
	if err := d.front(buf, p); err != nil {
		return out.n, err
	}
	for i, t := range d.tensors {
		c := &tally{w: buf}
		if err := t.write(c); err != nil {
			return out.n, err
		}
		if c.n != t.size {
			return out.n, fmt.Errorf("%s: %d bytes were written, it has %d", tensorField(t.name, ""), c.n, t.size)
		}
		end := p.size - p.data
		if i+1 < len(p.offsets) {
			end = p.offsets[i+1]
		}
		if err := pad(buf, end-p.offsets[i]-t.size); err != nil {
			return out.n, err
		}
	}
	err = buf.Flush()
	return out.n, err
}

// Patch is what to write over the first bytes of f, an open file, to make it the Draft's: ok if the Draft holds f's
// tensors and all of them can stay where they are. The header is given whole, padding included, in memory.
func (d *Draft) Patch(f *File) (header []byte, ok bool, err error) {
	p, err := d.plan()
	if err != nil || f.Version != 3 || f.BigEndian || len(f.Shards) != 1 || p.data != f.DataOffset || len(d.tensors) != len(f.Tensors) {
		return nil, false, err
	}
	for i, t := range d.tensors {
		was := &f.Tensors[i]
		if t.name != was.Name || t.typ != was.Type || !slices.Equal(t.dims, was.Dims) || uint64(p.offsets[i]) != was.Offset {
			return nil, false, nil
		}
	}
	var b bytes.Buffer
	if err := d.front(&b, p); err != nil {
		return nil, false, err
	}
	return b.Bytes(), true, nil
}

// front writes everything before the tensor data.
func (d *Draft) front(w io.Writer, p plan) error {
	e := encoding{w: w}
	d.header(&e, p.offsets)
	if e.err != nil {
		return e.err
	}
	if e.n != p.header {
		return &Error{Offset: -1, Field: "header", Err: problemf(ErrTruncated, "a value changed while it was copied")}
	}
	return pad(w, p.data-p.header)
}

// header writes everything up to the padding before the tensor data.
func (d *Draft) header(e *encoding, offsets []int64) {
	e.bytes([]byte("GGUF"))
	e.uint32(3)
	e.uint64(uint64(len(d.tensors)))
	e.uint64(uint64(len(d.keys)))
	for _, kv := range d.keys {
		e.text(kv.Key)
		e.uint32(uint32(kv.Value.typ))
		e.value(kv.Value)
		if e.err != nil {
			return
		}
	}
	for i, t := range d.tensors {
		e.text(t.name)
		e.uint32(uint32(len(t.dims)))
		for _, n := range t.dims {
			e.uint64(n)
		}
		e.uint32(uint32(t.typ))
		e.uint64(uint64(offsets[i]))
	}
}

// pad writes n zeros.
func pad(w io.Writer, n int64) error {
	var zeros [4096]byte
	for n > 0 {
		m := min(n, int64(len(zeros)))
		if _, err := w.Write(zeros[:m]); err != nil {
			return err
		}
		n -= m
	}
	return nil
}

// tally counts what is written.
type tally struct {
	w io.Writer
	n int64
}

func (c *tally) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
