package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
)

// numbered is a source of one tensor whose byte i tells i, or that fails.
type numbered struct {
	WeightSource
	fails func(off int64) bool
}

var errRead = errors.New("cannot be read")

func (n numbered) ReadTensorAt(_ string, p []byte, off int64) error {
	if n.fails != nil && n.fails(off) {
		return errRead
	}
	for i := range p {
		p[i] = byte((off + int64(i)) * 7)
	}
	return nil
}

// A ring of any size gives each chunk its bytes, in order and out of it, and goes on after errors and cancelled calls.
func TestRing(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for try := range 60 {
		m := &matrix{name: "a", rows: 200, rowBytes: 1 + random.IntN(9000)}
		var chunks []chunk
		largest := 0
		for lo := 0; lo < m.rows; {
			hi := min(m.rows, lo+1+random.IntN(12))
			c := chunk{m: m, lo: lo, hi: hi}
			if m.rows*m.rowBytes > 1<<20 && random.IntN(5) == 0 { // so it is never in the ring twice
				c.to = make([]byte, c.bytes())
			}
			chunks = append(chunks, c)
			largest = max(largest, c.bytes())
			lo = hi
		}
		var broken atomic.Bool
		r := ring{chunks: chunks, after: func(i int) int { return (i + 1) % len(chunks) }}
		src := numbered{fails: func(off int64) bool { return broken.Load() && off == 0 }}
		if err := r.init(src, make(tally, 1), ringSize{bytes: random.IntN(300_000), readers: try % 4}, largest); err != nil {
			t.Fatal(err)
		}
		cancelled, cancel := context.WithCancel(context.Background())
		cancel()
		at := 0
		for range 3 * len(chunks) {
			switch random.IntN(20) {
			case 0:
				at = random.IntN(len(chunks))
			case 1:
				if _, err := r.take(cancelled, at); !errors.Is(err, context.Canceled) {
					t.Errorf("cancelled: %v", err)
				}
			}
			c := &chunks[at]
			got, err := r.take(context.Background(), at)
			want := make([]byte, c.bytes())
			numbered{}.ReadTensorAt("", want, int64(c.lo)*int64(m.rowBytes))
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("try %d, chunk %d: %v, or other bytes", try, at, err)
			}
			at = r.after(at)
		}
		if try%4 == 0 || try%4 == 3 {
			r.drop(context.Background())
			broken.Store(true)
			_, err := r.take(context.Background(), 0)
			if want := fmt.Sprintf("reading bytes 0 to %d of tensor a", chunks[0].bytes()); !errors.Is(err, errRead) || err.Error()[:len(want)] != want {
				t.Errorf("the error is %v", err)
			}
		}
		r.close()
	}
}

// Chunks cover all rows once, and are no longer than they may be.
func TestCut(t *testing.T) {
	for rows := 1; rows < 400; rows += 7 {
		for _, size := range []int{1, 100, 1600, 3300, 1 << 20} {
			m := &matrix{rows: rows, rowBytes: 100}
			for _, from := range []int{0, rows / 3} {
				chunks, step := cut(nil, m, from, size)
				at := from
				for i, c := range chunks {
					if c.lo != at || c.hi <= c.lo || c.bytes() > max(size, 100) || c.lo != from+i*step {
						t.Fatalf("%d rows, size %d: chunk %d is %d to %d, step %d", rows, size, i, c.lo, c.hi, step)
					}
					at = c.hi
				}
				if at != rows {
					t.Fatalf("%d rows, size %d: chunks end at %d", rows, size, at)
				}
			}
		}
	}
}
