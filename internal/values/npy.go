package values

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"

	"straw/gguf"
)

// NPY writes a tensor as a float32 array in NumPy's format (version 1.0 of NEP 1), its shape row-major, a piece at a time.
// progress, if not nil, is told how many elements are written.
func NPY(ctx context.Context, w io.Writer, f *gguf.File, t *gguf.Tensor, progress func(done, total int64)) error {
	r, err := NewReader(f, t)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, npyHeader(t.Shape())); err != nil {
		return err
	}
	total := int64(t.Elements)
	b := make([]byte, 0, 4*Piece)
	return r.Each(ctx, 0, total, func(first int64, x []float32) error {
		b = b[:0]
		for _, v := range x {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
		if progress != nil {
			progress(first+int64(len(x)), total)
		}
		_, err := w.Write(b)
		return err
	})
}

// NPYSize is the number of bytes that NPY writes.
func NPYSize(t *gguf.Tensor) int64 { return int64(len(npyHeader(t.Shape()))) + 4*int64(t.Elements) }

// npyHeader is the magic, the version, the length of the rest, and a Python dict, filled up with blanks so that the data
// starts at a multiple of 64.
func npyHeader(shape []uint64) string {
	var dims strings.Builder
	for i, n := range shape {
		if i > 0 {
			dims.WriteString(", ")
		}
		fmt.Fprint(&dims, n)
	}
	if len(shape) == 1 {
		dims.WriteByte(',') // a tuple of one
	}
	dict := "{'descr': '<f4', 'fortran_order': False, 'shape': (" + dims.String() + "), }"
	const before = 10
	fill := 64 - (before+len(dict)+1)%64
	if fill == 64 {
		fill = 0
	}
	dict += strings.Repeat(" ", fill) + "\n"
	return "\x93NUMPY\x01\x00" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(dict)))) + dict
}
