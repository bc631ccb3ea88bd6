package engine

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// ringSize is the memory of a stream: depth buffers of at least chunk bytes (one row, if that is more). A depth of 1
// reads when asked and not before.
type ringSize struct {
	chunk int
	depth int
}

// stream reads the matrices that are not resident in chunks of whole rows, always in the order of a pass, and after the
// last chunk goes on with the first: the next pass needs the same weights. A goroutine reads ahead into the buffers that
// are free, so memory is the ring's, not a layer's.
//
// The consumer asks for chunks in order. If it asks for another one (a pass was cancelled, a read failed), the reader
// starts again from there and what it had read ahead is dropped.
type stream struct {
	src    WeightSource
	chunks []chunk
	output int // the first chunk of the output matrix, len(chunks) if it is not streamed
	again  int // the chunk after the last

	mu    sync.Mutex
	next  int  // chunk the reader takes next
	epoch int  // counts the restarts: a buffer of an older epoch is stale
	skip  bool // the pass at hand does not come to the output matrix
	held  *buffer

	full, free chan *buffer
	quit       chan struct{}
	reader     sync.WaitGroup
	ahead      bool // a reader runs

	read   atomic.Int64
	waited time.Duration
}

// chunk is rows lo to hi of a matrix.
type chunk struct {
	m      *matrix
	lo, hi int
}

type buffer struct {
	mem   []byte
	data  []byte // of chunk
	chunk int
	epoch int
	err   error
}

// newStream is a stream of the matrices in the order of a pass, of which the first once are an encoder's and not part of
// every pass; output is the last and may be skipped.
func newStream(src WeightSource, order []*matrix, once int, output *matrix, ring ringSize) *stream {
	s := &stream{src: src, quit: make(chan struct{})}
	most := 0
	for i, m := range order {
		m.chunk = len(s.chunks)
		if i == once {
			s.again = m.chunk
		}
		if m == output {
			s.output = len(s.chunks)
		}
		step := max(1, ring.chunk/m.rowBytes)
		for lo := 0; lo < m.rows; lo += step {
			c := chunk{m, lo, min(lo+step, m.rows)}
			s.chunks = append(s.chunks, c)
			most = max(most, (c.hi-c.lo)*m.rowBytes)
		}
	}
	if output == nil || output.data != nil {
		s.output = len(s.chunks)
	}
	s.full, s.free = make(chan *buffer, ring.depth), make(chan *buffer, ring.depth)
	for range ring.depth {
		s.free <- &buffer{mem: make([]byte, most)}
	}
	s.ahead = ring.depth > 1
	if s.ahead {
		s.reader.Go(s.run)
	}
	return s
}

// bytes is the memory of the ring.
func (s *stream) bytes() int64 {
	return int64(cap(s.full)) * int64(s.largest())
}

func (s *stream) largest() int {
	most := 0
	for _, c := range s.chunks {
		most = max(most, (c.hi-c.lo)*c.m.rowBytes)
	}
	return most
}

// begin says that a pass starts, and whether it will come to the output matrix.
func (s *stream) begin(output bool) {
	s.mu.Lock()
	s.skip = !output
	s.mu.Unlock()
}

// run reads ahead until the stream is closed.
func (s *stream) run() {
	for {
		var b *buffer
		select {
		case b = <-s.free:
		case <-s.quit:
			return
		}
		s.mu.Lock()
		if s.next >= s.output && s.skip || s.next >= len(s.chunks) {
			s.next = s.again
		}
		b.chunk, b.epoch = s.next, s.epoch
		s.next++
		s.mu.Unlock()
		s.fill(b)
		s.full <- b // never blocks: there is room for all buffers
	}
}

// fill reads b.chunk.
func (s *stream) fill(b *buffer) {
	c := s.chunks[b.chunk]
	b.data = b.mem[:(c.hi-c.lo)*c.m.rowBytes]
	if b.err = c.read(s.src, b.data); b.err == nil {
		s.read.Add(int64(len(b.data)))
	}
}

// rows is the chunk of m that begins with row lo. It is valid until the next call.
func (s *stream) rows(ctx context.Context, m *matrix, lo int) (packed []byte, hi int, err error) {
	begun := time.Now()
	defer func() { s.waited += time.Since(begun) }()
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	want := m.chunk
	for s.chunks[want].lo != lo {
		want++
	}
	b, err := s.take(ctx, want)
	if err != nil {
		return nil, 0, err
	}
	return b.data, s.chunks[want].hi, nil
}

// take waits for chunk want and holds it, letting go of the one held before.
func (s *stream) take(ctx context.Context, want int) (*buffer, error) {
	if s.held != nil {
		s.free <- s.held
		s.held = nil
	}
	if !s.ahead {
		b := <-s.free
		b.chunk = want
		s.fill(b)
		s.held = b
		return b, b.err
	}
	for {
		var b *buffer
		select {
		case b = <-s.full:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		s.mu.Lock()
		current := b.epoch == s.epoch
		good := current && b.chunk == want && b.err == nil
		if current && !good { // from here again
			s.epoch++
			s.next = want
		}
		s.mu.Unlock()
		if good {
			s.held = b
			return b, nil
		}
		err := b.err
		failed := current && b.chunk == want
		s.free <- b
		if failed {
			return nil, err
		}
	}
}

func (s *stream) bytesRead() int64 { return s.read.Load() }

// close stops the reader and waits for the read at hand.
func (s *stream) close() {
	close(s.quit)
	s.reader.Wait()
}
