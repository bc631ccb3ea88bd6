package session

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"straw/engine"
)

// PoolOptions bound what a Pool takes on.
type PoolOptions struct {
	Parallel   int   // generations at once, at least 1; others wait
	Waiting    int   // how many may wait; others are refused with ErrBusy
	CacheBytes int64 // of keys and values that are kept of what is over, for prompts that begin alike
}

// ErrBusy is the error of a call that found too many others waiting.
var ErrBusy = errors.New("too many requests are waiting")

// Pool runs many generations over one model's weights at once. Its methods are for any number of goroutines; each
// generation gets the ids that it would get alone.
type Pool struct {
	model     *Model // a timeline that stays empty; what it shares is everybody's
	scheduler *scheduler
	o         PoolOptions
	slots     chan struct{} // a place for each generation at work
	waiting   atomic.Int64
	prompts   atomic.Int64 // tokens of prompts that were evaluated
	cached    atomic.Int64 // tokens of prompts that were not, since they were there
	generated atomic.Int64

	mu      sync.Mutex // of what follows; idle, kept and closed change only while no timeline is at work
	idle    []*Model   // what is over, the last used last
	kept    int64      // bytes of these
	working []*shared  // prompts that are being evaluated
	closed  bool
}

// NewPool makes a pool of a model, which is the pool's from now on.
func NewPool(m *Model, o PoolOptions) *Pool {
	o.Parallel = max(o.Parallel, 1)
	p := &Pool{model: m, o: o, slots: make(chan struct{}, o.Parallel), scheduler: newScheduler(m.session.Batch())}
	m.Reset()
	m.turns = p.scheduler
	return p
}

// Model is what the pool runs: for its facts, its texts and Encode, not for its timeline.
func (p *Pool) Model() *Model { return p.model }

// Close gives up the weights. Calls at hand fail.
func (p *Pool) Close() error {
	p.scheduler.close()
	return p.scheduler.do(func() error {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, m := range p.idle {
			m.Close()
		}
		p.idle, p.kept, p.closed = nil, 0, true
		return p.model.Close()
	})
}

// PoolStats is what a pool does and did.
type PoolStats struct {
	Active, Waiting int // calls
	Idle            int // timelines kept of what is over
	IdleBytes       int64
	PromptTokens    int64 // evaluated
	CachedTokens    int64 // of prompts, that had not to be evaluated
	GeneratedTokens int64
	Passes          int64 // over the weights
	PassTokens      int64 // that these were for
}

// Stats tells how the pool fares.
func (p *Pool) Stats() PoolStats {
	s := PoolStats{Active: len(p.slots), Waiting: int(p.waiting.Load()), PromptTokens: p.prompts.Load(), CachedTokens: p.cached.Load(),
		GeneratedTokens: p.generated.Load(), Passes: p.scheduler.passes.Load(), PassTokens: p.scheduler.tokens.Load()}
	p.mu.Lock()
	defer p.mu.Unlock()
	s.Idle, s.IdleBytes = len(p.idle), p.kept
	return s
}

// enter waits for a slot.
func (p *Pool) enter(ctx context.Context) error {
	select {
	case p.slots <- struct{}{}:
		return nil
	default:
	}
	if n := p.waiting.Add(1); n > int64(p.o.Waiting) {
		p.waiting.Add(-1)
		return ErrBusy
	}
	defer p.waiting.Add(-1)
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p *Pool) exit() { <-p.slots }

// Generate is Model.Generate beside others. It waits for its turn; ErrBusy says that too many wait.
func (p *Pool) Generate(ctx context.Context, prompt Prompt, params Params, yield func(Piece) error) (r Result, err error) {
	begin := time.Now()
	if err := p.model.writes(); err != nil {
		return r, err
	}
	ids, err := p.model.Encode(prompt) // what is wrong with a request is known before it waits
	if err != nil {
		return r, err
	}
	if err := p.enter(ctx); err != nil {
		return r, err
	}
	defer p.exit()
	m, own, err := p.take(ctx, ids)
	if err != nil {
		return r, err
	}
	defer func() { // also when yield panics
		p.evaluated(own, nil)
		p.scheduler.leave(m.session)
		p.put(m)
	}()
	waited := time.Since(begin)
	params.evaluated = func() { p.evaluated(own, m) }
	r, err = m.Generate(ctx, prompt, params, yield)
	if r.FirstToken > 0 {
		r.FirstToken += waited
	}
	p.prompts.Add(int64(r.PromptTokens - r.CachedTokens))
	p.cached.Add(int64(r.CachedTokens))
	p.generated.Add(int64(len(r.IDs)))
	return r, err
}

// Embed is Model.Embed of each of some texts, beside others; together they wait for one turn. Pooling makes one row of each.
func (p *Pool) Embed(ctx context.Context, texts [][]int, pooling engine.Pooling) (rows [][]float32, err error) {
	if err := p.enter(ctx); err != nil {
		return nil, err
	}
	defer p.exit()
	var m *Model
	if err := p.scheduler.do(func() (err error) { m, err = p.model.fork(); return err }); err != nil {
		return nil, err
	}
	defer p.scheduler.do(func() error { return m.Close() })
	for _, ids := range texts {
		row, err := m.Embed(ctx, ids, pooling)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row...)
	}
	return rows, nil
}

// take is a timeline that begins like ids, as far as one does that is over or whose prompt is being evaluated. own is ids
// as others may wait for them, nil if they have no need to.
func (p *Pool) take(ctx context.Context, ids []int) (m *Model, own *shared, err error) {
	if p.model.Arch.Encoder.Layers > 0 {
		ids = nil // they are not what timelines are of
	}
	for m == nil && err == nil {
		p.mu.Lock()
		s := p.ahead(ids, p.longest(ids))
		if s != nil {
			s.left++
		} else {
			own = &shared{ids: ids, over: make(chan struct{})}
			p.working = append(p.working, own)
		}
		p.mu.Unlock()
		if s != nil {
			m, err = p.await(ctx, s)
			continue
		}
		err = p.scheduler.do(func() (err error) {
			m, err = p.alike(ids).fork()
			return err
		})
		if err != nil {
			p.evaluated(own, nil)
		}
	}
	return m, own, err
}

// longest is how much of the beginning of ids there is in what is over. p.mu is held.
func (p *Pool) longest(ids []int) (n int) {
	for _, m := range p.idle {
		n = max(n, common(m.cached, ids))
	}
	return n
}

// alike is the timeline that begins most like ids; it counts as used.
func (p *Pool) alike(ids []int) *Model {
	p.mu.Lock()
	defer p.mu.Unlock()
	longest := p.longest(ids)
	if longest == 0 {
		return p.model
	}
	at := slices.IndexFunc(p.idle, func(m *Model) bool { return common(m.cached, ids) == longest })
	m := p.idle[at]
	p.idle = append(slices.Delete(p.idle, at, at+1), m)
	return m
}

// put keeps a timeline that is over, and lets go of what there is no room for and of what is part of it.
func (p *Pool) put(m *Model) {
	p.scheduler.do(func() error {
		p.mu.Lock()
		defer p.mu.Unlock()
		var gone []*Model
		p.idle = slices.DeleteFunc(p.idle, func(other *Model) bool {
			within := common(other.cached, m.cached) == len(other.cached)
			if within {
				gone = append(gone, other)
			}
			return within
		})
		p.idle = append(p.idle, m)
		p.kept = p.idleBytes()
		for len(p.idle) > 0 && (p.kept > p.o.CacheBytes || p.closed) {
			gone = append(gone, p.idle[0])
			p.idle = slices.Delete(p.idle, 0, 1)
			p.kept = p.idleBytes()
		}
		for _, m := range gone {
			m.Close()
		}
		return nil
	})
}

// idleBytes is the memory of what is kept; pages that several have are counted for each.
func (p *Pool) idleBytes() int64 {
	n := int64(0)
	for _, m := range p.idle {
		n += m.session.KVBytes()
	}
	return n
}

// common is the length of the common beginning of a and b.
func common(a, b []int) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
