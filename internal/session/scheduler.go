package session

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"straw/engine"
)

// scheduler lets timelines that share their weights share the passes over them: what waits when a pass begins goes along.
// A step of a generation always does, prompts give their next pieces; these are short beside steps, so that a long prompt
// holds nobody up for long.
type scheduler struct {
	batch   int           // tokens that a pass takes at most
	last    time.Duration // of the last pass
	changed chan struct{} // has a place; filled when waiting, due or closed changes
	ended   chan struct{} // closed after the last pass

	machine sync.Mutex // held by who uses what the timelines share

	mu      sync.Mutex
	waiting []*job                   // in the order they came
	due     map[*engine.Session]bool // whose last step was just answered: the next is about to come
	closed  bool

	passes, tokens atomic.Int64
}

const (
	// stepTokens is how many tokens a step of a generation has at most, speculation included; more are a prompt.
	stepTokens = 16
	// pieceTokens is how many tokens of prompts go along with steps.
	pieceTokens = 64
	// patience bounds how long a pass waits for timelines that are due.
	patience = 5 * time.Millisecond
)

// job is a request at work.
type job struct {
	ctx   context.Context
	s     *engine.Session
	ids   []int // that are left
	wants int   // rows of so many of the last ids

	rows [][]float32
	err  error
	done chan struct{} // closed when the rows or the error are there
}

func newScheduler(batch int) *scheduler {
	s := &scheduler{batch: batch, due: map[*engine.Session]bool{}, changed: make(chan struct{}, 1), ended: make(chan struct{})}
	go s.run()
	return s
}

func (s *scheduler) do(f func() error) error {
	s.machine.Lock()
	defer s.machine.Unlock()
	return f()
}

func (s *scheduler) eval(ctx context.Context, r engine.Request) ([][]float32, error) {
	j := &job{ctx: ctx, s: r.Session, ids: r.IDs, wants: r.Rows, done: make(chan struct{})}
	begun := r.Session.Len()
	s.change(func() {
		delete(s.due, j.s)
		if s.closed {
			j.end(engine.ErrClosed)
		} else {
			s.waiting = append(s.waiting, j)
		}
	})
	stop := context.AfterFunc(ctx, func() { s.change(func() {}) })
	defer stop()
	<-j.done
	if j.err != nil { // its first pieces may be there
		s.do(func() error { j.s.Truncate(begun); return nil })
		return nil, j.err
	}
	return j.rows, nil
}

// end hands out what a job came to.
func (j *job) end(err error) {
	j.err = err
	close(j.done)
}

// leave tells that no step of a timeline is due.
func (s *scheduler) leave(t *engine.Session) { s.change(func() { delete(s.due, t) }) }

// close ends the scheduler after the pass at hand. What waits then, or comes later, fails.
func (s *scheduler) close() {
	s.change(func() { s.closed = true })
	<-s.ended
}

// change changes what the scheduler looks at between passes.
func (s *scheduler) change(f func()) {
	s.mu.Lock()
	f()
	s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

func (s *scheduler) run() {
	defer close(s.ended)
	for s.gather() {
		if jobs, requests := s.next(); len(jobs) > 0 {
			s.pass(jobs, requests)
		}
	}
	for _, j := range s.waiting {
		j.end(engine.ErrClosed)
	}
}

// gather waits until there is work, and a little for timelines that are due. It reports false at the end.
func (s *scheduler) gather() bool {
	var late <-chan time.Time
	for {
		s.mu.Lock()
		waiting, due, closed := len(s.waiting), len(s.due), s.closed
		s.mu.Unlock()
		switch {
		case closed:
			return false
		case waiting > 0 && due == 0:
			return true
		case waiting > 0 && late == nil:
			t := time.NewTimer(min(patience, s.last/4))
			defer t.Stop()
			late = t.C
		}
		select {
		case <-s.changed:
		case <-late:
			s.mu.Lock()
			clear(s.due) // a client that reads slowly is not waited for again
			s.mu.Unlock()
		}
	}
}

// next is what the next pass is of: every step, then pieces of prompts, as long as each other where they can be.
func (s *scheduler) next() (jobs []*job, requests []engine.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = slices.DeleteFunc(s.waiting, func(j *job) bool {
		gone := j.ctx.Err() != nil // asked once: who goes between two questions would never be told
		if gone {
			j.end(context.Cause(j.ctx))
		}
		return gone
	})
	room := s.batch
	take := func(j *job, n int) {
		jobs = append(jobs, j)
		requests = append(requests, engine.Request{Session: j.s, IDs: j.ids[:n], Rows: max(0, j.wants-(len(j.ids)-n))})
		room -= n
	}
	for _, j := range s.waiting {
		if len(j.ids) <= min(stepTokens, room) {
			take(j, len(j.ids))
		}
	}
	if len(jobs) > 0 {
		room = min(room, pieceTokens)
	}
	var prompts []*job
	for _, j := range s.waiting {
		if len(j.ids) > stepTokens {
			prompts = append(prompts, j)
		}
	}
	// Equal shares; what a short prompt leaves of its share goes to the others.
	slices.SortStableFunc(prompts, func(a, b *job) int { return len(a.ids) - len(b.ids) })
	for i, j := range prompts {
		if share := room / (len(prompts) - i); share > 0 {
			take(j, min(len(j.ids), share))
		}
	}
	return jobs, requests
}

// pass evaluates requests, the next pieces of jobs.
func (s *scheduler) pass(jobs []*job, requests []engine.Request) {
	ctx, stop := wanted(jobs)
	begin := time.Now()
	s.machine.Lock()
	rows, errs := evaluate(ctx, requests)
	s.machine.Unlock()
	s.last = time.Since(begin)
	s.passes.Add(1)
	stop()

	s.mu.Lock()
	defer s.mu.Unlock()
	over := map[*job]bool{}
	for i, j := range jobs {
		if errs[i] != nil {
			if j.ctx.Err() != nil {
				errs[i] = context.Cause(j.ctx)
			}
			over[j] = true
			j.end(errs[i])
			continue
		}
		n := len(requests[i].IDs)
		s.tokens.Add(int64(n))
		j.ids = j.ids[n:]
		j.rows = append(j.rows, rows[i]...)
		if len(j.ids) == 0 {
			s.due[j.s] = true
			over[j] = true
			j.end(nil)
		}
	}
	s.waiting = slices.DeleteFunc(s.waiting, func(j *job) bool { return over[j] })
}

// wanted is a context that ends when nobody wants any of the jobs. Call stop after use.
func wanted(jobs []*job) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	left := new(atomic.Int64)
	left.Store(int64(len(jobs)))
	stops := []func() bool{}
	for _, j := range jobs {
		stops = append(stops, context.AfterFunc(j.ctx, func() {
			if left.Add(-1) == 0 {
				cancel()
			}
		}))
	}
	return ctx, func() {
		for _, s := range stops {
			s()
		}
		cancel()
	}
}

// evaluate gives the rows or the error of each request; where one fails, the others do not have to.
func evaluate(ctx context.Context, requests []engine.Request) (rows [][][]float32, errs []error) {
	errs = make([]error, len(requests))
	rows, err := engine.EvalMany(ctx, requests)
	if err == nil {
		return rows, errs
	}
	rows = make([][][]float32, len(requests))
	for i := range requests {
		if errs[i] = err; len(requests) == 1 || ctx.Err() != nil {
			continue
		}
		var alone [][][]float32
		if alone, errs[i] = engine.EvalMany(ctx, requests[i:i+1]); errs[i] == nil {
			rows[i] = alone[0]
		}
	}
	return rows, errs
}
