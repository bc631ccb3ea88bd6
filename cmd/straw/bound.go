package main

import (
	"context"
	"errors"
	"sync"
	"time"
)

// weightBytes is what a token must read of the weights: every tensor but the embedding table, of
// which it needs a row; all of that too where it is the output as well.
func (m *model) weightBytes() int64 {
	_, hasOutput := m.Lookup("output.weight")
	var n int64
	for i := range m.Tensors {
		t := &m.Tensors[i]
		if t.Bytes > 0 && (t.Name != "token_embd.weight" || !hasOutput) {
			n += t.Bytes
		}
	}
	return n
}

// The probe reads this much a thread: more than the caches hold, little enough to take no time.
const probeBytes = 64 << 20

// readingSpeed is bytes a second that all threads together read: of memory, or of the file where
// its weights are streamed. The best of a few rounds.
func (m *model) readingSpeed(ctx context.Context) (float64, error) {
	read := memoryProbe(m.threads)
	if !m.resident {
		read = m.fileProbe()
	}
	best := 0.0
	for range 5 {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		begin := time.Now()
		var wg sync.WaitGroup
		errs := make([]error, m.threads)
		read := read
		total := int64(0)
		counts := make([]int64, m.threads)
		for i := range m.threads {
			wg.Go(func() { counts[i], errs[i] = read(i, m.threads) })
		}
		wg.Wait()
		took := time.Since(begin).Seconds()
		if err := errors.Join(errs...); err != nil {
			return 0, err
		}
		for _, n := range counts {
			total += n
		}
		best = max(best, float64(total)/took)
	}
	return best, nil
}

// probe reads the i-th of n parts and returns its bytes.
type probe func(i, n int) (int64, error)

// probeSink keeps the sums from being optimised away.
var probeSink sync.Map

func memoryProbe(threads int) probe {
	buffers := make([][]uint64, threads)
	for i := range buffers {
		buffers[i] = make([]uint64, probeBytes/8)
		for j := range buffers[i] {
			buffers[i][j] = uint64(j)
		}
	}
	return func(i, _ int) (int64, error) {
		var a, b, c, d uint64
		for v := buffers[i]; len(v) >= 8; v = v[8:] { // one word of each half cache line is enough
			a ^= v[0]
			b ^= v[2]
			c ^= v[4]
			d ^= v[6]
		}
		probeSink.Store(i, a^b^c^d)
		return probeBytes, nil
	}
}

// fileProbe reads the tensors, each thread every n-th, up to probeBytes a thread.
func (m *model) fileProbe() probe {
	return func(i, n int) (int64, error) {
		buf := make([]byte, 1<<20)
		var total int64
		for j := i; j < len(m.Tensors) && total < probeBytes; j += n {
			t := &m.Tensors[j]
			for off := int64(0); off < t.Bytes && total < probeBytes; {
				part := min(int64(len(buf)), t.Bytes-off)
				if err := m.ReadTensorAt(t.Name, buf[:part], off); err != nil {
					return total, err
				}
				off += part
				total += part
			}
		}
		return total, nil
	}
}
