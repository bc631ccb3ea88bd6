// Package values reads a tensor as numbers, a piece at a time, whatever its type. F64 and 64-bit integers are rounded to
// float32, as all arithmetic here is.
package values

import (
	"context"
	"fmt"
	"strconv"

	"straw/gguf"
	"straw/quant"
)

// Piece is how many elements are decoded at a time: 256 KiB as float32, a multiple of every block.
const Piece = 1 << 16

// Error is a tensor that cannot be read as numbers.
type Error struct {
	Tensor string
	Err    error
}

func (e *Error) Error() string { return "tensor " + strconv.Quote(e.Tensor) + ": " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Kind is "unsupported".
func (e *Error) Kind() string { return "unsupported" }

// Reader decodes one tensor of an open file. It is for one goroutine.
type Reader struct {
	f      *gguf.File
	t      *gguf.Tensor
	packed []byte
	edge   []float32 // whole blocks around a range that is none
}

// NewReader fails for a tensor whose type is not one of today's.
func NewReader(f *gguf.File, t *gguf.Tensor) (*Reader, error) {
	if !t.Type.Live() {
		return nil, &Error{t.Name, fmt.Errorf("%s is not a type of today's ggml: its numbers cannot be decoded", t.Type)}
	}
	return &Reader{f: f, t: t}, nil
}

// Read fills dst with the elements from first on, in the order of the file.
func (r *Reader) Read(dst []float32, first int64) error {
	block := int64(r.t.Type.BlockElems())
	skip := first % block
	whole := (skip + int64(len(dst)) + block - 1) / block * block
	to := dst
	if whole != int64(len(dst)) {
		r.edge = grow(r.edge, int(whole))
		to = r.edge
	}
	r.packed = grow(r.packed, r.t.Type.Bytes(int(whole)))
	if err := r.f.ReadTensorAt(r.t.Name, r.packed, (first-skip)/block*int64(r.t.Type.BlockBytes())); err != nil {
		return err
	}
	quant.Dequantize(r.t.Type, to, r.packed)
	if whole != int64(len(dst)) {
		copy(dst, to[skip:])
	}
	return nil
}

// Each gives n elements from first on to yield, at most Piece at a time; x is valid until yield returns. It ends with
// ctx's error, a read's or yield's.
func (r *Reader) Each(ctx context.Context, first, n int64, yield func(first int64, x []float32) error) error {
	x := make([]float32, min(n, Piece))
	for end := first + n; first < end; first += int64(len(x)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		x = x[:min(int64(len(x)), end-first)]
		if err := r.Read(x, first); err != nil {
			return err
		}
		if err := yield(first, x); err != nil {
			return err
		}
	}
	return nil
}

// grow is a slice of n elements, the old one if it is large enough.
func grow[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}
