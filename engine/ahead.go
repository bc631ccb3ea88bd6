package engine

import (
	"context"
	"fmt"
	"sync"
)

// ahead reads a list of pieces of direct matrices before they are asked for, several at once: which experts a pass needs
// is known only when it comes to them, but then all at once. Piece i is read by reader i modulo their number, into the one
// buffer that the reader has, so memory is the readers'.
type ahead struct {
	src     WeightSource
	buffers [][]byte // one a reader, kept from list to list

	list    []chunk
	next    int // piece that is asked for next
	readers []aheadReader
	quit    chan struct{}
	running sync.WaitGroup
}

type aheadReader struct {
	out  chan error    // of the piece that is in the buffer
	free chan struct{} // the buffer may be filled
}

// begin starts to read the rows of direct matrices, in this order and in pieces of at most so many bytes.
func (a *ahead) begin(matrices []*matrix, piece int) {
	a.list, a.next = a.list[:0], 0
	most := 0
	for _, m := range matrices {
		if !m.direct {
			continue
		}
		step := max(1, piece/m.rowBytes)
		for lo := 0; lo < m.rows; lo += step {
			c := chunk{m, lo, min(lo+step, m.rows)}
			a.list = append(a.list, c)
			most = max(most, (c.hi-c.lo)*m.rowBytes)
		}
	}
	if len(a.list) == 0 {
		return
	}
	a.quit = make(chan struct{})
	a.readers = make([]aheadReader, min(len(a.buffers), len(a.list)))
	for k := range a.readers {
		if len(a.buffers[k]) < most {
			a.buffers[k] = make([]byte, most)
		}
		a.readers[k] = aheadReader{make(chan error, 1), make(chan struct{}, 1)}
		a.readers[k].free <- struct{}{}
		a.running.Go(func() { a.read(k) })
	}
}

// read is reader k's work.
func (a *ahead) read(k int) {
	r := &a.readers[k]
	for i := k; i < len(a.list); i += len(a.readers) {
		select {
		case <-r.free:
		case <-a.quit:
			return
		}
		c := a.list[i]
		r.out <- c.read(a.src, a.buffers[k]) // never blocks: the piece before was taken, or there was none
	}
}

// read fills p with the chunk's rows.
func (c *chunk) read(src WeightSource, p []byte) error {
	size := c.m.rowBytes
	err := src.ReadTensorAt(c.m.name, p[:(c.hi-c.lo)*size], int64(c.m.first+c.lo)*int64(size))
	if err != nil {
		return fmt.Errorf("reading rows %d to %d of %s: %w", c.m.first+c.lo, c.m.first+c.hi, c.m.name, err)
	}
	return nil
}

// take is the piece that begins with row lo of m, valid until the next call; ok is false if it is not the next one.
func (a *ahead) take(ctx context.Context, m *matrix, lo int) (packed []byte, hi int, ok bool, err error) {
	if a.next >= len(a.list) || a.list[a.next].m != m || a.list[a.next].lo != lo {
		return nil, 0, false, nil
	}
	if a.next > 0 {
		a.readers[(a.next-1)%len(a.readers)].free <- struct{}{}
	}
	c, k := a.list[a.next], a.next%len(a.readers)
	a.next++
	select {
	case err = <-a.readers[k].out:
	case <-ctx.Done():
		err = ctx.Err()
	}
	return a.buffers[k][:(c.hi-c.lo)*m.rowBytes], c.hi, true, err
}

// end stops the readers and waits for the reads at hand.
func (a *ahead) end() {
	if a.quit != nil {
		close(a.quit)
		a.running.Wait()
		a.quit, a.list = nil, a.list[:0]
	}
}

// bytes is the memory of the buffers.
func (a *ahead) bytes() int64 {
	n := int64(0)
	for _, b := range a.buffers {
		n += int64(len(b))
	}
	return n
}
