package session

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

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

	mu     sync.Mutex // of what follows; it changes only while no timeline is at work
	idle   []*Model   // what is over, the last used last
	kept   int64      // bytes of these
	closed bool
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
func (p *Pool) Generate(ctx context.Context, prompt Prompt, params Params, yield func(Piece) error) (Result, error) {
	if err := p.model.writes(); err != nil {
		return Result{}, err
	}
	ids, err := p.model.Encode(prompt) // what is wrong with a request is known before it waits
	if err != nil {
		return Result{}, err
	}
	if err := p.enter(ctx); err != nil {
		return Result{}, err
	}
	defer p.exit()
	m, err := p.take(ids)
	if err != nil {
		return Result{}, err
	}
	r, err := m.Generate(ctx, prompt, params, yield)
	p.scheduler.leave(m.session)
	p.prompts.Add(int64(r.PromptTokens - r.CachedTokens))
	p.cached.Add(int64(r.CachedTokens))
	p.generated.Add(int64(len(r.IDs)))
	p.put(m)
	return r, err
}

// Embed is Model.Embed beside others.
func (p *Pool) Embed(ctx context.Context, ids []int, pooling engine.Pooling) ([][]float32, error) {
	if err := p.enter(ctx); err != nil {
		return nil, err
	}
	defer p.exit()
	m, err := p.take(nil)
	if err != nil {
		return nil, err
	}
	defer p.scheduler.do(m.Close)
	return m.Embed(ctx, ids, pooling)
}

// take is a timeline that begins like ids, as far as one that is over does.
func (p *Pool) take(ids []int) (*Model, error) {
	m := *p.model
	err := p.scheduler.do(func() (err error) {
		from := p.alike(ids)
		m.session, err = from.session.Fork()
		m.cached = slices.Clone(from.cached)
		return err
	})
	return &m, err
}

// alike is the timeline that begins most like ids; it counts as used.
func (p *Pool) alike(ids []int) *Model {
	p.mu.Lock()
	defer p.mu.Unlock()
	best, longest := -1, 0
	for i, m := range p.idle {
		if n := common(m.cached, ids); n > longest {
			best, longest = i, n
		}
	}
	if best < 0 {
		return p.model
	}
	m := p.idle[best]
	p.idle = append(slices.Delete(p.idle, best, best+1), m)
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
