package session

import (
	"context"
	"sync/atomic"
	"testing"

	"straw/engine"
)

// fickle is a context that is done only for who asks a second time.
type fickle struct {
	context.Context
	asked atomic.Int64
}

func (f *fickle) Err() error {
	if f.asked.Add(1) == 1 {
		return nil
	}
	return context.Canceled
}

// Who goes away while the scheduler looks at what waits gets an answer all the same: a call that was taken off the list
// without one waited for ever.
func TestSchedulerAsksOnce(t *testing.T) {
	p := pool(t, PoolOptions{})
	m, err := p.model.fork()
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := p.scheduler.eval(&fickle{Context: t.Context()}, engine.Request{Session: m.session, IDs: []int{1, 2}, Rows: 1}); err == nil && len(rows) != 1 {
		t.Errorf("%d rows", len(rows))
	}
	p.scheduler.do(m.Close)
}

// A step goes along with every pass; what is left of a pass goes to prompts in equal parts, of which short ones leave some.
func TestSchedulerShares(t *testing.T) {
	ids := func(n int) *job { return &job{ctx: t.Context(), ids: make([]int, n), wants: 1} }
	for _, tt := range []struct {
		name  string
		batch int
		jobs  []int // tokens
		want  map[int]int
	}{
		{"steps", 256, []int{1, 1, 16}, map[int]int{0: 1, 1: 1, 2: 16}},
		{"a prompt alone takes all", 256, []int{1000}, map[int]int{0: 256}},
		{"beside a step a piece", 256, []int{1000, 1}, map[int]int{0: pieceTokens, 1: 1}},
		{"two prompts have halves", 256, []int{1000, 1000}, map[int]int{0: 128, 1: 128}},
		{"a short one leaves the rest", 256, []int{1000, 20}, map[int]int{0: 236, 1: 20}},
		{"beside steps too", 256, []int{1000, 1, 20, 1}, map[int]int{0: pieceTokens - 20, 1: 1, 2: 20, 3: 1}},
		{"more steps than room", 4, []int{1, 1, 1, 1, 1}, map[int]int{0: 1, 1: 1, 2: 1, 3: 1}},
	} {
		s := &scheduler{batch: tt.batch}
		at := map[*job]int{}
		for i, n := range tt.jobs {
			j := ids(n)
			at[j] = i
			s.waiting = append(s.waiting, j)
		}
		jobs, requests := s.next()
		if len(jobs) != len(tt.want) {
			t.Errorf("%s: %d jobs", tt.name, len(jobs))
		}
		for i, j := range jobs {
			rows := 0
			if len(requests[i].IDs) == tt.jobs[at[j]] {
				rows = 1 // of the last token
			}
			if n := len(requests[i].IDs); n != tt.want[at[j]] || requests[i].Rows != rows {
				t.Errorf("%s: job %d has %d tokens and %d rows", tt.name, at[j], n, requests[i].Rows)
			}
		}
	}
}
