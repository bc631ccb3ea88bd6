package engine

import (
	"sync"
	"sync/atomic"
)

// team is a set of goroutines that stand ready to share a piece of work. The caller of each works too, so a team of one
// has no goroutines.
type team struct {
	size int
	wake []chan struct{}
	done sync.WaitGroup

	f    func(worker, i int)
	n    int64
	next atomic.Int64 // item that nobody has taken yet
}

func newTeam(size int) *team {
	t := &team{size: size}
	for worker := 1; worker < size; worker++ {
		wake := make(chan struct{}, 1)
		t.wake = append(t.wake, wake)
		go func() {
			for range wake {
				t.work(worker)
				t.done.Done()
			}
		}()
	}
	return t
}

// each calls f(worker, i) for all i below n and returns when all are done. f must not call each.
func (t *team) each(n int, f func(worker, i int)) {
	helpers := min(len(t.wake), n-1)
	if helpers <= 0 {
		for i := range n {
			f(0, i)
		}
		return
	}
	t.f, t.n = f, int64(n)
	t.next.Store(0)
	t.done.Add(helpers)
	for _, wake := range t.wake[:helpers] {
		wake <- struct{}{}
	}
	t.work(0)
	t.done.Wait()
}

func (t *team) work(worker int) {
	for {
		i := t.next.Add(1) - 1
		if i >= t.n {
			return
		}
		t.f(worker, int(i))
	}
}

// close ends the goroutines. The team must be idle.
func (t *team) close() {
	for _, wake := range t.wake {
		close(wake)
	}
}
