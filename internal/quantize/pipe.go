package quantize

import (
	"context"
	"errors"
	"fmt"
	"io"

	kernels "straw"
	"straw/gguf"
	"straw/quant"
)

// pieceElems is how many elements are converted at a time, a multiple of every block. A piece has about 1.5 MiB of
// buffers, and there are two for each thread.
const pieceElems = 128 << 10

// pipe converts one tensor: pieces are read and converted by several goroutines and written in order.
type pipe struct {
	f       *gguf.File
	c       Change
	threads int
	wrote   func(bytes int64) // bytes of the input
}

// piece is a run of a tensor's elements on its way.
type piece struct {
	first, n int64 // elements
	in, out  []byte
	x        []float32
	err      error
	done     chan struct{} // one value when out or err is there
}

func (p *pipe) run(ctx context.Context, w io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	n := int64(p.c.Tensor.Elements)
	pieces := (n + pieceElems - 1) / pieceElems
	threads := int(min(int64(max(p.threads, 1)), pieces))
	free := make(chan *piece, 2*threads)
	for range 2 * threads {
		free <- &piece{done: make(chan struct{}, 1)}
	}
	work, order := make(chan *piece, 2*threads), make(chan *piece, 2*threads) // neither ever blocks a sender
	for range threads {
		go func() {
			for s := range work {
				if s.err = ctx.Err(); s.err == nil {
					s.err = p.convert(s)
				}
				s.done <- struct{}{}
			}
		}()
	}
	go func() {
		defer close(order)
		defer close(work)
		for first := int64(0); first < n; first += pieceElems {
			select {
			case s := <-free:
				s.first, s.n = first, min(pieceElems, n-first)
				order <- s
				work <- s
			case <-ctx.Done():
				return
			}
		}
	}()
	var first error
	for s := range order { // to the end, also after an error: nothing is left running
		<-s.done
		if first == nil {
			first = s.err
		}
		if first == nil {
			_, first = w.Write(s.out)
		}
		if first != nil {
			cancel(first)
			continue
		}
		p.wrote(int64(len(s.in)))
		free <- s
	}
	if first == nil {
		first = ctx.Err()
	}
	return first
}

// convert reads one piece and converts it.
func (p *pipe) convert(s *piece) error {
	t := p.c.Tensor
	from, to := t.Type, p.c.To
	s.in = grow(s.in, from.Bytes(int(s.n)))
	if err := p.f.ReadTensorAt(t.Name, s.in, s.first/int64(from.BlockElems())*int64(from.BlockBytes())); err != nil {
		return err
	}
	if from == to {
		s.out = s.in
		return nil
	}
	s.x, s.out = grow(s.x, int(s.n)), grow(s.out, to.Bytes(int(s.n)))
	if from == quant.F32 {
		kernels.DecodeF32(s.x, s.in)
	} else {
		quant.Dequantize(from, s.x, s.in)
	}
	err := quant.Quantize(to, s.out, s.x)
	var bad *quant.ValueError
	if errors.As(err, &bad) {
		at, row := s.first+int64(bad.Index), int64(t.Dims[0])
		return &Error{field(t), fmt.Errorf("the value at row %d, column %d is %v, which %s cannot hold: the model is damaged or needs a wider type, as BF16 or F32", at/row, at%row, bad.Value, to), "format"}
	}
	return err
}

// grow is a slice of n elements, the old one if it is large enough.
func grow[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}
