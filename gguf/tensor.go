package gguf

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"unicode/utf8"

	"straw/quant"
)

// Tensor is one entry of the tensor directory.
type Tensor struct {
	Name      string   // bytes as in the file
	Dims      []uint64 // as in the file: Dims[0] is the fastest, the length of a row; none for a scalar
	Type      quant.Type
	Offset    uint64 // bytes, from the start of the tensor data
	AbsOffset int64  // bytes, from the start of its file; -1 if that is not known
	Bytes     int64  // -1 if the type is not live
	Elements  uint64 // 1 for a scalar
	Shard     int    // the file it is in, an index of File.Shards
	at        int64  // of the entry, in its file
}

// Shape is the dims row-major: rows before columns, the last is the fastest.
func (t *Tensor) Shape() []uint64 {
	s := slices.Clone(t.Dims)
	slices.Reverse(s)
	return s
}

// ReadTensorAt fills p with a tensor's bytes, little-endian, from off on, counted from its first byte. It is safe for
// concurrent use. It fails with ErrUnsupported for a tensor whose size is unknown, and for blocks of a big-endian file,
// of which only plain numbers are turned around; ReadRawAt gives them as they are.
func (f *File) ReadTensorAt(name string, p []byte, off int64) error {
	t, err := f.readable(name)
	switch {
	case err != nil:
		return err
	case !f.Shards[t.Shard].src.bigEndian() || t.Type.BlockBytes() == 1:
		return f.readRaw(t, p, off)
	case t.Type.BlockElems() > 1:
		return &Error{t.at, tensorField(t.Name, "type"), t.Type.String(), problemf(ErrUnsupported, "blocks of a big-endian file cannot be read")}
	}
	// whole numbers around the bytes that are wanted
	width := int64(t.Type.BlockBytes())
	skip := int(off % width)
	if err := f.inside(t, p, off); err != nil {
		return err
	}
	whole := make([]byte, (int64(skip+len(p))+width-1)/width*width)
	if err := f.readRaw(t, whole, off-int64(skip)); err != nil {
		return err
	}
	for n := range slices.Chunk(whole, int(width)) {
		slices.Reverse(n)
	}
	copy(p, whole[skip:])
	return nil
}

// ReadRawAt is ReadTensorAt for any byte order: the bytes as they are in the file.
func (f *File) ReadRawAt(name string, p []byte, off int64) error {
	t, err := f.readable(name)
	if err != nil {
		return err
	}
	return f.readRaw(t, p, off)
}

func (f *File) readable(name string) (*Tensor, error) {
	t, ok := f.Lookup(name)
	switch {
	case !ok:
		return nil, &Error{-1, tensorField(name, ""), "", problemf(ErrFormat, "the file has no such tensor")}
	case t.Bytes < 0:
		return nil, &Error{t.at, tensorField(name, "type"), t.Type.String(), problemf(ErrUnsupported, "the size of this type is not known")}
	case t.AbsOffset < 0:
		return nil, &Error{t.at, tensorField(name, ""), "", problemf(ErrTruncated, "its place is not known, as the header is damaged")}
	}
	return t, nil
}

// inside checks that the bytes asked for are the tensor's.
func (f *File) inside(t *Tensor, p []byte, off int64) error {
	if off < 0 || off > t.Bytes || int64(len(p)) > t.Bytes-off {
		return &Error{t.at, tensorField(t.Name, ""), "", problemf(ErrFormat, "%d bytes from %d on asked for, it has %d", len(p), off, t.Bytes)}
	}
	return nil
}

func (f *File) readRaw(t *Tensor, p []byte, off int64) error {
	if err := f.inside(t, p, off); err != nil {
		return err
	}
	s := f.Shards[t.Shard].src
	if t.AbsOffset > s.size || t.Bytes > s.size-t.AbsOffset {
		return &Error{t.AbsOffset, tensorField(t.Name, ""), "", problemf(ErrTruncated, "its data lies past the end of the file, which has %d bytes", s.size)}
	}
	if err := readFull(s.r, p, t.AbsOffset+off); err != nil {
		return &Error{t.AbsOffset + off, tensorField(t.Name, "data"), "", err}
	}
	return nil
}

// tensorField names a tensor, or a part of its entry, in an error.
func tensorField(name, part string) string {
	s := "tensor " + quote(name)
	if part != "" {
		s += " " + part
	}
	return s
}

// tensors reads the tensor directory.
func (p *parser) tensors() *fatal {
	for i := range p.nTensors {
		if f := p.tensor(i); f != nil {
			return f
		}
	}
	return nil
}

func (p *parser) tensor(i uint64) *fatal {
	t := Tensor{at: p.offset(), AbsOffset: -1, Bytes: -1}
	var f *fatal
	if t.Name, f = p.text(place("tensor", i) + " name"); f != nil {
		return f
	}
	at := p.offset()
	n, f := p.uint32(tensorField(t.Name, "n_dims"))
	if f != nil {
		return f
	}
	if n > maxDims {
		return stop("too-many-dims", at, tensorField(t.Name, "n_dims"), strconv.FormatUint(uint64(n), 10), problemf(ErrFormat, "a tensor has at most %d dimensions; the header is damaged", maxDims))
	}
	l := p.lengthBytes()
	rest := int(n)*l + 4 + 8
	b, f := p.fixed(rest, tensorField(t.Name, "dims, type and offset"))
	if f != nil {
		return f
	}
	t.Dims = make([]uint64, n)
	for d := range t.Dims {
		t.Dims[d] = p.src.length(b[d*l:])
	}
	t.Type = quant.Type(p.src.order.Uint32(b[int(n)*l:]))
	t.Offset = p.src.order.Uint64(b[int(n)*l+4:])
	p.pos += rest
	p.checkName(&t)
	p.measure(&t)
	if _, twice := p.f.names[t.Name]; !twice {
		p.f.names[t.Name] = len(p.f.Tensors)
	}
	p.f.Tensors = append(p.f.Tensors, t)
	return nil
}

func (p *parser) checkName(t *Tensor) {
	if first, twice := p.f.names[t.Name]; twice {
		p.reportAbout("tensor-duplicate", t.Name, &Error{t.at, tensorField(t.Name, ""), "", problemf(ErrFormat,
			"two tensors have this name; the first is at byte %d", p.f.Tensors[first].at)})
	}
	if !utf8.ValidString(t.Name) {
		p.add("name-not-utf8", SeverityWarning, t.Name, "the tensor's name is not UTF-8")
	}
	switch n := len(t.Name); {
	case n == 0:
		p.add("name-empty", SeverityWarning, "", fmt.Sprintf("tensor %d has no name", len(p.f.Tensors)))
	case n > 64:
		p.add("name-too-long", SeverityWarning, t.Name, fmt.Sprintf("a name of %d bytes; the specification allows 64, llama.cpp takes 63", n))
	case n == 64:
		p.add("name-too-long", SeverityWarning, t.Name, "a name of 64 bytes, which the specification allows; llama.cpp takes 63")
	}
}

// measure works out how many elements and bytes a tensor has, with products of 128 bits.
func (p *parser) measure(t *Tensor) {
	fault := func(format string, args ...any) {
		p.reportAbout("tensor-dims", t.Name, &Error{t.at, tensorField(t.Name, "dims"), fmt.Sprint(t.Dims), problemf(ErrFormat, format, args...)})
	}
	product, zero, overflow := uint64(1), false, false
	for _, d := range t.Dims {
		if d > math.MaxInt64 {
			fault("a dimension is above 2^63-1; the header is damaged")
			return
		}
		if d == 0 {
			zero = true
			continue
		}
		hi, lo := bits.Mul64(product, d)
		overflow = overflow || hi != 0 || lo > math.MaxInt64
		product = lo
	}
	switch {
	case overflow && zero:
		p.add("dims-overflow", SeverityWarning, t.Name, fmt.Sprintf("dims %d: no elements, but the other dimensions multiply to more than 2^63-1", t.Dims))
	case overflow:
		fault("the number of elements is above 2^63-1; the header is damaged")
		return
	}
	t.Elements = product
	if len(t.Dims) == 0 {
		p.add("tensor-scalar", SeverityNote, t.Name, "a tensor without dimensions: one number")
	}
	if zero {
		t.Elements = 0
		p.add("tensor-empty", SeverityNote, t.Name, fmt.Sprintf("dims %d: a tensor without elements", t.Dims))
	}
	if !t.Type.Live() {
		p.add("unknown-type", SeverityWarning, t.Name, fmt.Sprintf("%s (code %d) is not a type of today's ggml: the tensor can be listed, its size is not known, and the model cannot be run", t.Type, uint32(t.Type)))
		return
	}
	row, block := uint64(1), uint64(t.Type.BlockElems())
	if len(t.Dims) > 0 {
		row = t.Dims[0]
	}
	if row%block != 0 {
		fault("a row of %d elements is no multiple of %d, the block of %s", row, block, t.Type)
		return
	}
	hi, lo := bits.Mul64(t.Elements/block, uint64(t.Type.BlockBytes()))
	if hi != 0 || lo > math.MaxInt64 {
		fault("it would have more than 2^63-1 bytes; the header is damaged")
		return
	}
	t.Bytes = int64(lo)
}
