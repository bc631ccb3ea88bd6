package session

import (
	"context"
	"slices"
)

// shared is a prompt at work. Who comes meanwhile with one that begins alike waits for it and goes on from there: several
// answers to one prompt, or many requests with the same long beginning at once, evaluate it once.
type shared struct {
	ids  []int
	over chan struct{} // closed when it is evaluated or given up
	m    *Model        // its timeline, for those who wait; nil if it was given up, or nobody waits
	left int           // who wait and have not taken their fork; of Pool.mu
}

// ahead is the prompt at work that is worth waiting for, given that already tokens of ids are there: it spares more than
// a step, and evaluating it takes at most twice of what it spares. Pool.mu is held.
func (p *Pool) ahead(ids []int, already int) *shared {
	var best *shared
	most := already + stepTokens
	for _, s := range p.working {
		if n := common(s.ids, ids); n > most && 2*n >= len(s.ids) {
			best, most = s, n
		}
	}
	return best
}

// await waits for a prompt at work, whose left counts the caller, and returns a fork of it, or nil if it was given up.
func (p *Pool) await(ctx context.Context, s *shared) (m *Model, err error) {
	select {
	case <-s.over:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	p.mu.Lock()
	if s.m == nil { // at once: who comes first of those who waited in vain is waited for by the others
		s.left--
		p.mu.Unlock()
		return nil, err
	}
	p.mu.Unlock()
	p.scheduler.do(func() error {
		p.mu.Lock()
		defer p.mu.Unlock()
		if err == nil {
			m, err = s.m.fork()
		}
		if s.left--; s.left == 0 {
			s.m.Close()
		}
		return nil
	})
	return m, err
}

// evaluated hands a prompt to those who wait for it. m is its timeline, nil if it was given up. Later calls do nothing.
func (p *Pool) evaluated(s *shared, m *Model) {
	p.mu.Lock()
	at := slices.Index(p.working, s)
	if at < 0 {
		p.mu.Unlock()
		return
	}
	p.working = slices.Delete(p.working, at, at+1) // nobody begins to wait from here on
	wanted := m != nil && s.left > 0
	p.mu.Unlock()
	if wanted {
		p.scheduler.do(func() error {
			p.mu.Lock()
			defer p.mu.Unlock()
			if s.left > 0 { // they may have gone
				s.m, _ = m.fork() // without it they evaluate their prompts themselves
			}
			return nil
		})
	}
	close(s.over)
}

// fork is a model with the same timeline.
func (m *Model) fork() (*Model, error) {
	session, err := m.session.Fork()
	if err != nil {
		return nil, err
	}
	f := *m
	f.session, f.cached = session, slices.Clone(m.cached)
	return &f, nil
}
