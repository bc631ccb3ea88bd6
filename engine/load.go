package engine

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"straw/internal/pages"
	"straw/quant"
)

// loader brings tensors into memory: those that are wanted are named first, then packed into one piece of memory and read
// by several readers at once.
type loader struct {
	ctx      context.Context
	src      WeightSource
	progress func(done, total int64)

	wanted []wanted
	data   map[string][]byte // by name: a tensor may have several places in the table
	memory *pages.Memory
	keeper Keeper            // has memory of its own; may be nil
	kept   map[string]wanted // what it holds, by name; not in data
	read   int64             // bytes
	total  int64             // bytes to read, of values too
}

const (
	loadPiece   = 8 << 20 // bytes of one read, between two looks at the context
	loadReaders = 4       // reads at once: a disk has a queue, and memory that is touched first costs time too
)

// wanted is the first bytes of a tensor.
type wanted struct {
	*Tensor
	bytes int64
	to    Kept // nil: the program's memory
}

// want says that a tensor's first n bytes are to be read by load, unless its data is there.
func (l *loader) want(t *Tensor, n int64) error {
	_, have := l.data[t.Name]
	_, kept := l.kept[t.Name]
	if have || kept || n == 0 {
		return nil
	}
	w := wanted{Tensor: t, bytes: n}
	if l.keeper != nil {
		var err error
		if w.to, err = l.keeper.Keep(t.Type, int(t.Shape[len(t.Shape)-1]), n); err != nil {
			return fmt.Errorf("tensor %s: %w", t.Name, err)
		}
	}
	if w.to != nil {
		l.kept[t.Name] = w
	} else {
		l.data[t.Name] = nil
	}
	l.wanted = append(l.wanted, w)
	l.total += n
	return nil
}

// load reads the tensors that are wanted. An error names the tensor, and of several the one that a single reader would
// have met.
func (l *loader) load() error {
	room := int64(0)
	for _, t := range l.wanted {
		if err := l.whole(t.Tensor); err != nil {
			return err
		}
		if t.to != nil {
			continue
		}
		if room += pages.Room(t.bytes); room < t.bytes {
			return &UnsupportedError{Field: t.Name, Reason: "tensor is too large"}
		}
	}
	var err error
	if l.memory, err = pages.New(room); err != nil {
		return &UnsupportedError{Reason: "weights cannot be held in memory: " + err.Error()}
	}
	var pieces []loadedPiece
	for _, t := range l.wanted {
		if t.to == nil {
			l.data[t.Name] = l.memory.Take(int(t.bytes))
		}
		for off := int64(0); off < t.bytes; off += loadPiece {
			p := loadedPiece{name: t.Name, off: off, bytes: int(min(loadPiece, t.bytes-off)), to: t.to}
			if t.to == nil {
				p.dst = l.data[t.Name][off:][:p.bytes]
			}
			pieces = append(pieces, p)
		}
	}
	return l.fill(pieces)
}

// whole asks whether the source has all of a tensor, by reading nothing at its end: a file that is too short costs no
// memory.
func (l *loader) whole(t *Tensor) error {
	end := loadedPiece{name: t.Name, off: t.Bytes}
	return end.read(l.src)
}

// loadedPiece is some of a tensor's bytes, from off on, and where they belong: dst, or if that is nil to.
type loadedPiece struct {
	name  string
	dst   []byte
	off   int64
	bytes int
	to    Kept
}

// store reads the piece and brings it where it belongs, by way of buffer if need be, which it gives back.
func (p loadedPiece) store(src WeightSource, buffer []byte) ([]byte, error) {
	if p.to == nil {
		return buffer, p.read(src)
	}
	if len(buffer) < p.bytes {
		buffer = make([]byte, p.bytes)
	}
	p.dst = buffer[:p.bytes]
	if err := p.read(src); err != nil {
		return buffer, err
	}
	_, err := p.to.WriteAt(p.dst, p.off)
	return buffer, err
}

func (p *loadedPiece) read(src WeightSource) error {
	if err := src.ReadTensorAt(p.name, p.dst, p.off); err != nil {
		return fmt.Errorf("reading tensor %s: %w", p.name, err)
	}
	return nil
}

// fill reads pieces. On return no reader is left.
func (l *loader) fill(pieces []loadedPiece) error {
	type result struct {
		piece int
		err   error
	}
	var next atomic.Int64 // piece
	var stop atomic.Bool
	var running sync.WaitGroup
	results := make(chan result)
	readers := loadReaders
	if runtime.GOOS == "js" {
		readers = 1 // there is one thread
	}
	for range readers {
		running.Go(func() {
			var buffer []byte
			for !stop.Load() {
				i := int(next.Add(1)) - 1
				if i >= len(pieces) {
					return
				}
				var err error
				buffer, err = pieces[i].store(l.src, buffer)
				results <- result{i, err}
			}
		})
	}
	go func() {
		running.Wait()
		close(results)
	}()
	// Progress is told, and the context asked, by the caller's goroutine alone.
	var cancelled, err error
	failed := len(pieces)
	for r := range results {
		if r.err == nil {
			l.count(int64(pieces[r.piece].bytes))
		} else if r.piece < failed {
			failed, err = r.piece, r.err
		}
		if cancelled == nil {
			cancelled = l.ctx.Err()
		}
		if cancelled != nil || err != nil {
			stop.Store(true)
		}
	}
	if cancelled != nil {
		return cancelled
	}
	return err
}

func (l *loader) count(n int64) {
	l.read += n
	if l.progress != nil {
		l.progress(l.read, l.total)
	}
}

// values is a tensor's values, of Go's memory.
func (l *loader) values(t *Tensor) ([]float32, error) {
	if n := 4 * elements(t.Shape); int64(int(n)) != n {
		return nil, &UnsupportedError{Field: t.Name, Reason: "tensor is too large for the memory of this platform"}
	}
	if err := l.ctx.Err(); err != nil {
		return nil, err
	}
	if err := l.whole(t); err != nil {
		return nil, err
	}
	p := loadedPiece{name: t.Name, dst: make([]byte, t.Bytes)}
	if err := p.read(l.src); err != nil {
		return nil, err
	}
	l.count(t.Bytes)
	v := make([]float32, elements(t.Shape))
	quant.Dequantize(t.Type, v, p.dst)
	return v, nil
}
