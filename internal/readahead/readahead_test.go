package readahead

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"
)

// recorder is a far file that notes what was fetched.
type recorder struct {
	mu   sync.Mutex
	data []byte
	log  []string
	fail int64 // bytes from here on cannot be fetched
}

var errFar = errors.New("far away")

func (r *recorder) fetch(p []byte, off int64) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log = append(r.log, fmt.Sprintf("%d+%d", off, len(p)))
	if end := off + int64(len(p)); end > r.fail {
		return copy(p, r.data[min(off, r.fail):r.fail]), errFar
	}
	return copy(p, r.data[off:]), nil
}

func newRecorder(n int) *recorder {
	r := &recorder{data: make([]byte, n), fail: int64(n)}
	for i := range r.data {
		r.data[i] = byte(i * 7)
	}
	return r
}

func TestFetches(t *testing.T) {
	type read struct {
		off int64
		n   int
	}
	for _, tt := range []struct {
		name  string
		reads []read
		log   []string
	}{
		{"small steps share windows", []read{{0, 10}, {10, 100}, {110, 50}, {160, 200}}, []string{"0+160", "160+200"}},
		{"a step over the edge", []read{{0, 100}, {100, 100}}, []string{"0+160", "160+160"}},
		{"large reads go straight", []read{{0, 320}, {320, 160}}, []string{"0+320", "320+160"}},
		{"a large read uses what is there", []read{{0, 1}, {100, 400}}, []string{"0+160", "160+340"}},
		{"lone small reads fetch little", []read{{500, 1}, {300, 4}, {700, 2}}, []string{"500+10", "300+10", "700+10"}},
		{"going on after a large read", []read{{0, 300}, {300, 5}}, []string{"0+300", "300+160"}},
		{"the end of the file", []read{{990, 10}, {0, 1}, {999, 1}}, []string{"990+10", "0+160", "999+1"}},
	} {
		far := newRecorder(1000)
		r := new(Pool).New(1000, 160, far.fetch)
		for _, rd := range tt.reads {
			p := make([]byte, rd.n)
			if n, err := r.ReadAt(p, rd.off); n != rd.n || err != nil || !bytes.Equal(p, far.data[rd.off:][:n]) {
				t.Errorf("%s: read %v: %d, %v", tt.name, rd, n, err)
			}
		}
		if !slices.Equal(far.log, tt.log) {
			t.Errorf("%s: fetched %v, want %v", tt.name, far.log, tt.log)
		}
	}
}

func TestSeed(t *testing.T) {
	far := newRecorder(1000)
	r := new(Pool).New(1000, 160, far.fetch)
	r.Seed(far.data[:160], 0)
	p := make([]byte, 160)
	if _, err := r.ReadAt(p, 0); err != nil || !bytes.Equal(p, far.data[:160]) {
		t.Error(err)
	}
	if len(far.log) != 0 {
		t.Errorf("fetched %v", far.log)
	}
}

func TestErrors(t *testing.T) {
	far := newRecorder(1000)
	far.fail = 600
	r := new(Pool).New(1000, 160, far.fetch)
	p := make([]byte, 100)
	for _, tt := range []struct {
		off  int64
		n, m int
		err  error
	}{
		{-1, 1, 0, nil}, {1000, 1, 0, io.EOF}, {2000, 0, 0, nil}, {0, 0, 0, nil},
		{500, 100, 100, nil},
		{600, 5, 0, errFar},
		{595, 5, 5, nil}, // the window behind it fails; what was asked for is there
		{590, 60, 10, errFar},
		{950, 100, 0, errFar},
	} {
		n, err := r.ReadAt(p[:tt.n], tt.off)
		if n != tt.m || tt.off >= 0 && !errors.Is(err, tt.err) || tt.off < 0 && err == nil {
			t.Errorf("ReadAt(%d bytes, %d) = %d, %v", tt.n, tt.off, n, err)
		}
	}
	far.fail = 1000
	if n, err := r.ReadAt(p, 950); n != 50 || err != io.EOF || !bytes.Equal(p[:50], far.data[950:]) {
		t.Errorf("after the failure: %d, %v", n, err)
	}
}

func TestConcurrent(t *testing.T) {
	far := newRecorder(10_000)
	r := new(Pool).New(10_000, 320, far.fetch)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			p := make([]byte, 700)
			for i := range 300 {
				off := (i*37 + g*991) % 9000
				q := p[:1+(i*13)%700]
				if n, err := r.ReadAt(q, int64(off)); n != len(q) || err != nil || !bytes.Equal(q, far.data[off:][:n]) {
					t.Errorf("ReadAt(%d, %d) = %d, %v", len(q), off, n, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// Of many files only the last ones keep their windows.
func TestPool(t *testing.T) {
	var pool Pool
	far := newRecorder(1000)
	readers := make([]*Reader, 3*Kept)
	p := make([]byte, 1)
	for i := range readers {
		readers[i] = pool.New(1000, 160, far.fetch)
		readers[i].ReadAt(p, 0)
	}
	held := 0
	for _, r := range readers {
		held += cap(r.buf)
	}
	if held != Kept*160 {
		t.Errorf("%d bytes are held, want %d", held, Kept*160)
	}
	far.log = nil
	readers[len(readers)-1].ReadAt(p, 1)
	readers[0].ReadAt(p, 1)
	if want := []string{"1+160"}; !slices.Equal(far.log, want) {
		t.Errorf("fetched %v, want %v", far.log, want)
	}
	var wg sync.WaitGroup
	for i := range readers {
		wg.Go(func() {
			p := make([]byte, 10)
			for j := range 200 {
				off := (i*j*31 + j) % 990
				if _, err := readers[(i+j)%len(readers)].ReadAt(p, int64(off)); err != nil || !bytes.Equal(p, far.data[off:off+10]) {
					t.Errorf("at %d: %v", off, err)
				}
			}
		})
	}
	wg.Wait()
}
