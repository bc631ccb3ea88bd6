package compare

import (
	"context"
	"fmt"
	"slices"

	"straw/gguf"
	"straw/internal/values"
	"straw/quant"
)

// Measured is how far other numbers are from a tensor's.
type Measured struct {
	Error
	Elements int64 // of the tensor
	Sampled  int64 // that were read: all, or fewer if a sample was asked for
	Bytes    int64 // that the tensor takes with the other numbers
}

// Sampling says how much is read.
type Sampling struct {
	Sample   int64                   // elements at most, rounded up to pieces of 4,096; 0: all
	Progress func(done, total int64) // elements; may be nil
}

// Rounded measures what t loses as another type: its numbers against what they are after [quant.Quantize].
func Rounded(ctx context.Context, f *gguf.File, t *gguf.Tensor, as quant.Type, o Sampling) (*Measured, error) {
	block := uint64(as.BlockElems())
	switch {
	case !as.Quantizable():
		return nil, &values.Error{Tensor: t.Name, Err: fmt.Errorf("%s is no type that Straw writes without an importance matrix", as)}
	case len(t.Dims) == 0 || t.Dims[0]%block != 0:
		return nil, &values.Error{Tensor: t.Name, Err: fmt.Errorf("its rows are no multiple of the %d elements in a block of %s", block, as)}
	}
	var packed []byte
	return measure(ctx, f, t, o, int64(t.Elements/block)*int64(as.BlockBytes()), func(_ int64, p, q []float32) error {
		packed = slices.Grow(packed[:0], as.Bytes(len(p)))[:as.Bytes(len(p))]
		if err := quant.Quantize(as, packed, p); err != nil {
			return &values.Error{Tensor: t.Name, Err: err}
		}
		quant.Dequantize(as, q, packed)
		return nil
	})
}

// Against measures how far the numbers of u, a tensor of another file with t's dimensions, are from t's.
func Against(ctx context.Context, f *gguf.File, t *gguf.Tensor, other *gguf.File, u *gguf.Tensor, o Sampling) (*Measured, error) {
	if !slices.Equal(t.Dims, u.Dims) {
		return nil, &values.Error{Tensor: t.Name, Err: fmt.Errorf("its dimensions are %d here and %d there", t.Dims, u.Dims)}
	}
	r, err := values.NewReader(other, u)
	if err != nil {
		return nil, err
	}
	return measure(ctx, f, t, o, u.Bytes, func(first int64, _, q []float32) error { return r.Read(q, first) })
}

// measure compares t's numbers p from first on with those that fill puts into q.
func measure(ctx context.Context, f *gguf.File, t *gguf.Tensor, o Sampling, bytes int64, fill func(first int64, p, q []float32) error) (*Measured, error) {
	r, err := values.NewReader(f, t)
	if err != nil {
		return nil, err
	}
	m := &Measured{Elements: int64(t.Elements), Bytes: bytes}
	sample := values.Spread(m.Elements, o.Sample)
	var s sums
	var buf [values.Piece]float32
	err = r.Some(ctx, sample, func(first int64, p []float32) error {
		q := buf[:len(p)]
		if err := fill(first, p, q); err != nil {
			return err
		}
		s.add(p, q)
		if m.Sampled += int64(len(p)); o.Progress != nil {
			o.Progress(m.Sampled, sample.Elements())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	m.Error = *s.error(m.Sampled)
	return m, nil
}
