package engine

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"strings"
	"sync"
	"testing"

	"straw/engine/arch"
	"straw/quant"
)

// pattern is a source of tensors whose byte at offset i is a function of the tensor's name and i, and which tells fault
// of each read.
type pattern struct {
	sizes map[string]int64
	fault func(name string, off int64) error

	mu    sync.Mutex
	reads int // with bytes
}

func (*pattern) TensorNames() iter.Seq[string]                       { return nil }
func (*pattern) TensorInfo(string) (t quant.Type, d []int64, _ bool) { return }
func (*pattern) Get(string) (any, error)                             { return nil, nil }
func (*pattern) at(name string, off int64) byte                      { return name[len(name)-1] + byte(off>>20) + byte(off) }

func (s *pattern) ReadTensorAt(name string, p []byte, off int64) error {
	if off < 0 || off+int64(len(p)) > s.sizes[name] {
		return errors.New("beyond the end")
	}
	if len(p) > 0 {
		s.mu.Lock()
		s.reads++
		s.mu.Unlock()
		if s.fault != nil {
			if err := s.fault(name, off); err != nil {
				return err
			}
		}
	}
	for i := range p {
		p[i] = s.at(name, off+int64(i))
	}
	return nil
}

// wants is a loader of the source's tensors a, b, c...
func (s *pattern) wants(ctx context.Context, names ...string) *loader {
	l := &loader{ctx: ctx, src: s, data: map[string][]byte{}}
	for _, name := range names {
		l.want(&Tensor{TensorReq: arch.TensorReq{Name: name}, Present: true, Bytes: s.sizes[name]}, s.sizes[name])
	}
	return l
}

func TestLoad(t *testing.T) {
	src := &pattern{sizes: map[string]int64{"a": 5, "b": 2*loadPiece + 3, "c": loadPiece, "d": 70}}
	l := src.wants(context.Background(), "a", "b", "c", "a", "d")
	told := int64(0)
	l.progress = func(done, total int64) {
		if done <= told || total != l.total {
			t.Errorf("progress went from %d to %d of %d", told, done, total)
		}
		told = done
	}
	if err := l.load(); err != nil {
		t.Fatal(err)
	}
	defer l.memory.Free()
	sum := int64(0)
	for name, size := range src.sizes {
		data := l.data[name]
		if int64(len(data)) != size {
			t.Fatalf("%s has %d bytes", name, len(data))
		}
		for i, v := range data {
			if v != src.at(name, int64(i)) {
				t.Fatalf("byte %d of %s is %d", i, name, v)
			}
		}
		sum += size
	}
	if l.read != sum || told != sum || l.total != sum {
		t.Errorf("%d bytes were read, %d told of %d; want %d", l.read, told, l.total, sum)
	}
	if src.reads != 6 {
		t.Errorf("%d reads, want 6", src.reads)
	}
}

// The error is the one that a single reader meets, however the readers are woven.
func TestLoadErrors(t *testing.T) {
	src := &pattern{sizes: map[string]int64{"a": 100, "b": 3 * loadPiece, "c": 100, "d": 100, "e": 2 * loadPiece}}
	slow := make(chan struct{})
	src.fault = func(name string, off int64) error {
		switch {
		case name == "b" && off == loadPiece:
			if runtime.GOOS != "js" { // where there is one reader
				<-slow
			}
			return errors.New("second piece")
		case name == "c":
			close(slow)
			return errors.New("later tensor")
		}
		return nil
	}
	l := src.wants(context.Background(), "a", "b", "c", "d", "e")
	err := l.load()
	l.memory.Free()
	if err == nil || err.Error() != "reading tensor b: second piece" {
		t.Errorf("got %v", err)
	}

	src = &pattern{sizes: map[string]int64{"a": 100, "b": 3 * loadPiece}}
	l = src.wants(context.Background(), "a", "b")
	src.sizes["b"]-- // the file has become shorter
	if err := l.load(); err == nil || err.Error() != "reading tensor b: beyond the end" || src.reads > 0 || l.memory != nil {
		t.Errorf("got %v after %d reads", err, src.reads)
	}
	src.sizes["b"] = 1 << 50
	l = src.wants(context.Background(), "b")
	if err := l.load(); err == nil || !strings.Contains(err.Error(), "cannot be held in memory") {
		t.Errorf("2^50 bytes: got %v", err)
	}
}

// A cancelled load stops at the reads at hand.
func TestLoadCancelled(t *testing.T) {
	src := &pattern{sizes: map[string]int64{"a": 100, "b": 12 * loadPiece}}
	ctx, cancel := context.WithCancel(context.Background())
	src.fault = func(name string, off int64) error {
		if off == 2*loadPiece {
			cancel()
		}
		return nil
	}
	l := src.wants(ctx, "a", "b")
	err := l.load()
	l.memory.Free()
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if src.reads > 4+2*loadReaders {
		t.Errorf("%d reads after the third was cancelled", src.reads)
	}
}
