package engine

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"straw/internal/pages"
)

// ring reads chunks before they are asked for. Which chunk follows which is known, so whenever the consumer lets go of
// one, the next are handed to the readers, for as long as there is memory: a chunk has the bytes it needs, one after the
// other around a circle, so the ring's size is that of its memory whatever the sizes of the chunks.
//
// The consumer takes chunks in order. If it asks for another one (a pass was cancelled, a read failed), what was read ahead
// is dropped and the order goes on from there. Queue and memory are the consumer's alone; readers see one slot at a time.
type ring struct {
	src    WeightSource
	tally  tally
	memory *pages.Memory
	chunks []chunk
	after  func(i int) int // the chunk after chunk i, -1 if there is none
	next   int             // chunk that is handed out next, or -1

	slots        [ringSlots]slot
	first, count int  // the queue: slots from first on
	held         bool // the consumer has the first
	head         int  // where in memory the youngest slot's bytes end

	work    chan *slot // nil: nothing is read ahead
	readers sync.WaitGroup
	waited  time.Duration // by the consumer
}

const (
	ringSlots = 64   // chunks in a ring at most
	ringAlign = 4096 // of chunks in memory: a page, which direct reads ask for
)

// ringSize is the memory of a ring: chunks of so many bytes (one row, if that is more), and of all. Without readers a chunk
// is read when asked for and not before.
type ringSize struct {
	chunk, bytes, readers int
}

// chunk is rows lo to hi of a matrix.
type chunk struct {
	m      *matrix
	lo, hi int
	to     []byte // where they are kept; nil: in the ring
}

func (c *chunk) bytes() int { return (c.hi - c.lo) * c.m.rowBytes }

// slot is a chunk that is being read, or was.
type slot struct {
	i        int // of the ring's chunks, or -1 if reading it failed
	chunk    chunk
	data     []byte
	at, size int        // of the ring's memory
	done     chan error // has what reading it said
	known    bool       // done was asked
	err      error      // what it said
}

// tally counts what was read, by layer; the last is what belongs to no layer.
type tally []struct{ bytes, nanoseconds atomic.Int64 }

func (t tally) total() int64 {
	n := int64(0)
	for i := range t {
		n += t[i].bytes.Load()
	}
	return n
}

// init makes the memory and the readers. Chunks longer than size.bytes make it larger.
func (r *ring) init(src WeightSource, t tally, size ringSize, largest int) error {
	r.src, r.tally, r.next = src, t, -1
	room := max(size.bytes, largest)
	var err error
	if r.memory, err = pages.New(int64(aligned(room))); err != nil {
		return &UnsupportedError{Reason: "no memory to read weights into: " + err.Error()}
	}
	if size.readers == 0 {
		return nil
	}
	r.work = make(chan *slot, ringSlots)
	for i := range r.slots {
		r.slots[i].done = make(chan error, 1)
	}
	for range size.readers {
		r.readers.Go(func() {
			for s := range r.work {
				s.done <- s.chunk.read(r.src, r.tally, s.data)
			}
		})
	}
	return nil
}

func aligned(n int) int { return (n + ringAlign - 1) &^ (ringAlign - 1) }

// read fills p with the chunk's rows.
func (c *chunk) read(src WeightSource, t tally, p []byte) error {
	m := c.m
	begun := time.Now()
	off := int64(m.first+c.lo) * int64(m.rowBytes)
	if err := src.ReadTensorAt(m.name, p, off); err != nil {
		return fmt.Errorf("reading bytes %d to %d of tensor %s: %w", off, off+int64(len(p)), m.name, err)
	}
	n := &t[m.layer]
	n.bytes.Add(int64(len(p)))
	n.nanoseconds.Add(int64(time.Since(begun)))
	return nil
}

// fill hands chunks to the readers while there is memory.
func (r *ring) fill() {
	for r.work != nil && r.next >= 0 && r.count < len(r.slots) {
		c := r.chunks[r.next]
		at, size, data := r.head, 0, c.to
		if data == nil {
			size = aligned(c.bytes())
			if at = r.place(size); at < 0 {
				return
			}
			r.head = at + size
			data = r.memory.Bytes()[at:][:c.bytes()]
		}
		s := &r.slots[(r.first+r.count)%len(r.slots)]
		*s = slot{i: r.next, chunk: c, data: data, at: at, size: size, done: s.done}
		r.count++
		r.work <- s // never blocks: there is room for all slots
		r.next = r.after(r.next)
	}
}

// place is where size bytes of memory are free, -1 if they are not.
func (r *ring) place(size int) int {
	all := len(r.memory.Bytes())
	for i := range r.count {
		oldest := &r.slots[(r.first+i)%len(r.slots)]
		switch {
		case oldest.size == 0:
			continue
		case oldest.at < r.head && r.head+size <= all:
			return r.head
		case oldest.at < r.head && size <= oldest.at:
			return 0
		case r.head < oldest.at && r.head+size <= oldest.at:
			return r.head
		}
		return -1
	}
	return 0
}

// take is chunk want's bytes, valid until the next call.
func (r *ring) take(ctx context.Context, want int) ([]byte, error) {
	begun := time.Now()
	defer func() { r.waited += time.Since(begun) }()
	r.release()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if r.work == nil {
		c := &r.chunks[want]
		p := c.to
		if p == nil {
			p = r.memory.Bytes()[:c.bytes()]
		}
		return p, c.read(r.src, r.tally, p)
	}
	if r.count > 0 && r.slots[r.first].i != want || r.count == 0 && r.next != want {
		if err := r.drop(ctx); err != nil {
			return nil, err
		}
		r.next = want
	}
	r.fill()
	s := &r.slots[r.first]
	if err := s.wait(ctx); err != nil {
		return nil, err
	}
	if s.err != nil { // perhaps long ago: it is tried once more, now that it is needed
		if s.err = s.chunk.read(r.src, r.tally, s.data); s.err != nil {
			s.i = -1
			return nil, s.err
		}
	}
	r.held = true
	return s.data, nil
}

// wait waits until the slot was read. The error is ctx's.
func (s *slot) wait(ctx context.Context) error {
	if s.known {
		return nil
	}
	select {
	case s.err = <-s.done:
		s.known = true
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// release gives the held slot's memory back.
func (r *ring) release() {
	if r.held {
		r.held = false
		r.pop()
	}
}

func (r *ring) pop() {
	r.first = (r.first + 1) % len(r.slots)
	r.count--
}

// drop waits for the reads at hand and forgets all that was read. Until ctx ends it, it goes on where it was.
func (r *ring) drop(ctx context.Context) error {
	r.release()
	r.next = -1
	for r.count > 0 {
		if err := r.slots[r.first].wait(ctx); err != nil {
			return err
		}
		r.pop()
	}
	return nil
}

// bytes is the memory of the ring.
func (r *ring) bytes() int64 { return int64(len(r.memory.Bytes())) }

// close waits for the reads at hand and gives the memory back.
func (r *ring) close() {
	if r.work != nil {
		close(r.work)
		r.readers.Wait()
		r.work = nil
	}
	r.memory.Free()
}

// cut divides the rows of m from lo on into chunks of whole rows, alike in size, of at most size bytes unless a row is longer.
func cut(to []chunk, m *matrix, lo, size int) (chunks []chunk, step int) {
	step = max(1, size/m.rowBytes)
	if step >= kernelRows {
		step -= step % kernelRows
		rows := m.rows - lo
		n := max(1, (rows+step-1)/step)
		even := max(1, (rows+n-1)/n)
		step = (even + kernelRows - 1) / kernelRows * kernelRows
	}
	for ; lo < m.rows; lo += step {
		to = append(to, chunk{m: m, lo: lo, hi: min(lo+step, m.rows)})
	}
	return to, step
}

// kernelRows is how many rows the kernels like to multiply together.
const kernelRows = 16
