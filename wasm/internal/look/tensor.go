package look

import (
	"context"
	"fmt"

	"straw/gguf"
	"straw/quant"
	"straw/wasm/internal/worker"
	"straw/wasm/protocol"
)

const (
	// maxValues bounds what one request gives out: 256 MiB of float32, near what a browser's worker can spare twice.
	maxValues = 1 << 26
	// chunkValues is how many are read and dequantized between two looks at the context; a multiple of every block length.
	chunkValues = 1 << 16
)

// span is a range of a tensor's values.
type span struct{ from, n int64 }

// want turns the request into a range, with the rules of protocol.Tensor.
func want(t *gguf.Tensor, p *protocol.Tensor) (span, error) {
	row := int64(1)
	if len(t.Dims) > 0 {
		row = int64(t.Dims[0])
	}
	all := int64(t.Elements)
	s := span{n: all}
	if p.Row != nil {
		if row == 0 || *p.Row >= all/row {
			return s, argument("row", "tensor %q has no row %d", t.Name, *p.Row)
		}
		s = span{from: *p.Row * row, n: row}
	}
	if p.Count != nil {
		if *p.Count > all-s.from {
			return s, argument("count", "tensor %q has %d values from there, not %d", t.Name, all-s.from, *p.Count)
		}
		s.n = *p.Count
	}
	if s.n > maxValues {
		return s, &tooMany{name: t.Name, n: s.n}
	}
	return s, nil
}

func (v *Viewer) tensor(ctx context.Context, c *worker.Call) (worker.Reply, error) {
	p := c.Params.(*protocol.Tensor)
	f, err := v.File()
	if err != nil {
		return worker.Reply{}, err
	}
	t, ok := f.Lookup(p.Name)
	if !ok {
		return worker.Reply{}, argument("name", "the file has no tensor %q", p.Name)
	}
	if !t.Type.Live() {
		return worker.Reply{}, argument("type", "tensor %q has type %s, which cannot be decoded", t.Name, t.Type)
	}
	s, err := want(t, p)
	if err != nil {
		return worker.Reply{}, err
	}
	values, err := dequantize(ctx, f, t, s)
	if err != nil {
		return worker.Reply{}, err
	}
	return worker.Reply{Result: protocol.Values{Count: len(values)}, Values: values}, nil
}

// dequantize reads values; s.from must be the start of a block. The last block is decoded whole and cut.
func dequantize(ctx context.Context, f *gguf.File, t *gguf.Tensor, s span) ([]float32, error) {
	block := int64(t.Type.BlockElems())
	whole := (s.n + block - 1) / block * block
	out := make([]float32, whole)
	packed := make([]byte, t.Type.Bytes(int(min(whole, chunkValues))))
	for done := int64(0); done < whole; {
		n := min(whole-done, chunkValues)
		p := packed[:t.Type.Bytes(int(n))]
		at := int64(t.Type.Bytes(int(block))) * ((s.from + done) / block)
		if err := f.ReadTensorAt(t.Name, p, at); err != nil {
			return nil, err
		}
		quant.Dequantize(t.Type, out[done:done+n], p)
		done += n
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return out[:s.n:s.n], nil
}

// tooMany asks the caller to ask for less.
type tooMany struct {
	name string
	n    int64
}

func (e *tooMany) Error() string {
	return fmt.Sprintf("tensor %q: %d values do not fit a browser's worker; ask for rows or for at most %d values", e.name, e.n, int64(maxValues))
}

func (e *tooMany) Kind() string { return "memory" }

// argument is an error of the caller.
func argument(field, format string, args ...any) error {
	return &protocol.Error{Field: field, Message: fmt.Sprintf(format, args...)}
}
