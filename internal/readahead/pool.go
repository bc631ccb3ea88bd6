package readahead

import (
	"slices"
	"sync"
)

// Kept is how many windows a pool holds. A model may be in hundreds of shards, each read once at its start.
const Kept = 8

// Pool is the readers of one place. Only those that filled their windows last keep them. The zero value is ready.
type Pool struct {
	mu     sync.Mutex
	recent []*Reader // by when they filled their windows, the last one at the end
}

// keep notes that r, which is locked, has a new window, and drops the oldest one if there are too many.
func (l *Pool) keep(r *Reader) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.Index(l.recent, r); i >= 0 {
		l.recent = slices.Delete(l.recent, i, i+1)
	}
	l.recent = append(l.recent, r)
	if len(l.recent) <= Kept {
		return
	}
	// A reader that is at work is passed over: waiting for it here, while r is locked, could be a deadlock.
	if oldest := l.recent[0]; oldest.mu.TryLock() {
		oldest.buf = nil
		oldest.mu.Unlock()
		l.recent = slices.Delete(l.recent, 0, 1)
	}
}
