package engine

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// team is a set of goroutines that stand ready to share a piece of work. The caller of each works too, so a team of one
// has no goroutines.
//
// One word says what there is to do: the round, how many chunks of items it has, and which is the next. Whoever adds 1 to
// it has taken the chunk that was next, if there was one; whoever comes too late has taken nothing. So a fast worker takes
// more than a slow one, and the round ends when all chunks are done, not when all workers have seen it: nobody is waited
// for who has not begun. What the round is about is written before the word, and stays until all that was taken is done.
//
// A worker without work looks out for the next round for a moment, since the steps of a pass follow each other closely,
// and then sleeps.
type team struct {
	size    int
	linger  time.Duration
	helpers []*helper

	word atomic.Uint64 // round<<32 | chunks<<16 | next
	left atomic.Int64  // chunks that are not done

	f     func(worker, i int)
	n     int // items
	chunk int // items of a chunk

	fault  atomic.Pointer[any] // a panic of this round: see isFault
	caller sleeper
	closed atomic.Bool
}

// helper is one goroutine of a team.
type helper struct {
	sleeper
	worker int
}

const (
	maxTeam         = 1 << 10
	chunksPerWorker = 16 // at most, maxTeam * chunksPerWorker and some more must be below 1<<16
	lingering       = 30 * time.Microsecond
)

func newTeam(size int) *team {
	t := &team{size: min(size, maxTeam)}
	if t.size <= runtime.GOMAXPROCS(0) { // else looking out would keep others from working
		t.linger = lingering
	}
	t.caller.init()
	for worker := 1; worker < t.size; worker++ {
		h := &helper{worker: worker}
		h.init()
		t.helpers = append(t.helpers, h)
		go t.help(h)
	}
	return t
}

// each calls f(worker, i) for all i below n and returns when all are done. f must not call each. If f panics since memory
// could not be read, each does.
func (t *team) each(n int, f func(worker, i int)) {
	if len(t.helpers) == 0 || n <= 1 {
		for i := range n {
			f(0, i)
		}
		return
	}
	t.f, t.n = f, n
	t.chunk = (n + t.size*chunksPerWorker - 1) / (t.size * chunksPerWorker)
	chunks := (n + t.chunk - 1) / t.chunk
	t.left.Store(int64(chunks))
	t.word.Store((t.word.Load()>>32+1)<<32 | uint64(chunks)<<16)
	for _, h := range t.helpers[:min(len(t.helpers), chunks-1)] {
		h.wake()
	}
	t.work(0)
	t.caller.await(t.linger, func() bool { return t.left.Load() == 0 })
	if fault := t.fault.Swap(nil); fault != nil {
		panic(*fault)
	}
}

// open tells whether a word has a chunk to take.
func open(word uint64) bool { return word&0xffff < word>>16&0xffff }

// work takes chunks until there are no more.
func (t *team) work(worker int) {
	did := int64(0)
	for open(t.word.Load()) {
		word := t.word.Add(1) - 1
		if !open(word) {
			break
		}
		t.run(worker, int(word&0xffff))
		did++
	}
	if did > 0 && t.left.Add(-did) == 0 && worker > 0 {
		t.caller.wake()
	}
}

// run runs chunk c.
func (t *team) run(worker, c int) {
	defer func() {
		panicked := recover()
		if panicked == nil {
			return
		}
		if !isFault(panicked) {
			panic(panicked)
		}
		fault := panicked // in memory of its own: there is none as a rule
		t.fault.Store(&fault)
	}()
	for i := c * t.chunk; i < min((c+1)*t.chunk, t.n); i++ {
		t.f(worker, i)
	}
}

// help is a helper's life.
func (t *team) help(h *helper) {
	debug.SetPanicOnFault(true)
	something := func() bool { return open(t.word.Load()) || t.closed.Load() }
	for !t.closed.Load() {
		h.await(t.linger, something)
		t.work(h.worker)
	}
}

// close ends the goroutines. The team must be idle.
func (t *team) close() {
	t.closed.Store(true)
	for _, h := range t.helpers {
		h.wake()
	}
}

// sleeper is a goroutine that waits for something that others bring about.
type sleeper struct {
	asleep atomic.Bool
	signal chan struct{} // one for each time that a waker found it asleep
}

func (s *sleeper) init() { s.signal = make(chan struct{}, 1) }

// await returns when it has seen that something is so. It looks for a moment, and then sleeps between calls of wake.
func (s *sleeper) await(moment time.Duration, something func() bool) {
	if something() {
		return
	}
	for begun := time.Now(); time.Since(begun) < moment; {
		for range 32 {
			if something() {
				return
			}
		}
		runtime.Gosched() // readers of weights have work to do as well
	}
	for {
		s.asleep.Store(true)
		if !something() {
			<-s.signal
		} else if !s.asleep.CompareAndSwap(true, false) {
			<-s.signal // whoever was faster has sent it, or will
		}
		if something() {
			return
		}
	}
}

// wake ends the sleep of one who sleeps. Whoever makes true what is waited for calls it afterwards.
func (s *sleeper) wake() {
	if s.asleep.Load() && s.asleep.CompareAndSwap(true, false) {
		s.signal <- struct{}{} // never blocks: the last was received before asleep was set again
	}
}
