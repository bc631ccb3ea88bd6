package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"straw/engine"
	"straw/engine/sample"
)

func pool(t *testing.T, o PoolOptions) *Pool {
	t.Helper()
	p := NewPool(load(t, engine.Options{Threads: 2, Resident: true, Context: 256}), o)
	t.Cleanup(func() { p.Close() })
	return p
}

// requests are of different texts, lengths and seeds; all begin alike, some go on alike.
func requests(n int) (prompts []Prompt, params []Params) {
	for i := range n {
		text := "Once upon a time, there was a"
		if i%2 == 0 {
			text += fmt.Sprintf(" little girl who had %d brothers and a dog. One day, the dog said to her brothers that", i%3+2)
		}
		how := sample.Default()
		how.Seed = uint64(i / 2)
		prompts = append(prompts, Prompt{Text: text})
		params = append(params, Params{MaxTokens: 12 + i, Sampler: how})
	}
	return prompts, params
}

// Each of many generations at once gets what it gets alone.
func TestPool(t *testing.T) {
	const n = 10
	prompts, params := requests(n)
	want := make([][]int, n)
	alone := load(t, engine.Options{Threads: 1, Resident: true, Context: 256})
	for i := range n {
		alone.Reset()
		r, err := alone.Generate(t.Context(), prompts[i], params[i], nil)
		if err != nil {
			t.Fatal(err)
		}
		want[i] = r.IDs
	}
	p := pool(t, PoolOptions{Parallel: 4, Waiting: n, CacheBytes: 8 << 20})
	for round := range 2 {
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() {
				pieces := 0
				r, err := p.Generate(t.Context(), prompts[i], params[i], func(piece Piece) error {
					if pieces++; i == 3 {
						time.Sleep(time.Millisecond) // who reads slowly
					}
					return nil
				})
				if err != nil || !slices.Equal(r.IDs, want[i]) || pieces == 0 {
					t.Errorf("round %d, request %d: %v, %v; want %v", round, i, r.IDs, err, want[i])
				}
			})
		}
		all.Wait()
	}
	s := p.Stats()
	if s.Active != 0 || s.Waiting != 0 || s.IdleBytes > 8<<20 || s.Idle == 0 {
		t.Errorf("afterwards: %+v", s)
	}
	if s.CachedTokens == 0 || s.Passes >= s.PassTokens {
		t.Errorf("nothing was shared: %+v", s)
	}
	for range 2 {
		if r, err := p.Generate(t.Context(), prompts[0], params[0], nil); err != nil || r.CachedTokens < r.PromptTokens-1 {
			t.Errorf("the same prompt again: %d of %d tokens were there (%v)", r.CachedTokens, r.PromptTokens, err)
		}
	}
}

// A pool that keeps nothing has nothing when all is over.
func TestPoolKeepsNothing(t *testing.T) {
	p := pool(t, PoolOptions{})
	prompts, params := requests(3)
	for i := range prompts {
		if _, err := p.Generate(t.Context(), prompts[i], params[i], nil); err != nil {
			t.Fatal(err)
		}
	}
	if s := p.Stats(); s.Idle != 0 || s.IdleBytes != 0 {
		t.Errorf("it keeps %+v", s)
	}
}

func TestPoolBusyAndCancelled(t *testing.T) {
	p := pool(t, PoolOptions{Parallel: 1, Waiting: 1, CacheBytes: 1 << 20})
	prompts, params := requests(2)
	params[0].MaxTokens = 200
	params[0].IgnoreEOG = true
	ctx, cancel := context.WithCancelCause(t.Context())
	started, waits := make(chan bool), make(chan error, 1)
	gone := errors.New("the client went away")
	first := make(chan error, 1)
	go func() {
		once := false
		r, err := p.Generate(ctx, prompts[0], params[0], func(Piece) error {
			if !once {
				once = true
				started <- true
			}
			return nil
		})
		if r.FinishReason != FinishCancelled || len(r.IDs) == 0 {
			t.Errorf("cancelled: %+v", r)
		}
		first <- err
	}()
	<-started
	waiting, leave := context.WithCancel(t.Context())
	go func() {
		_, err := p.Generate(waiting, prompts[1], params[1], nil)
		waits <- err
	}()
	for p.Stats().Waiting == 0 {
		time.Sleep(time.Millisecond)
	}
	if _, err := p.Generate(t.Context(), prompts[1], params[1], nil); !errors.Is(err, ErrBusy) {
		t.Errorf("a third: %v", err)
	}
	leave()
	if err := <-waits; !errors.Is(err, context.Canceled) {
		t.Errorf("who waited and left: %v", err)
	}
	cancel(gone)
	if err := <-first; !errors.Is(err, gone) {
		t.Errorf("the first: %v", err)
	}
	if r, err := p.Generate(t.Context(), prompts[1], params[1], nil); err != nil || len(r.IDs) == 0 {
		t.Errorf("afterwards: %v", err)
	}
}

// What is wrong with one request is not with others.
func TestPoolRefuses(t *testing.T) {
	p := pool(t, PoolOptions{Parallel: 2})
	var usage *UsageError
	for _, prompt := range []Prompt{{IDs: []int{1, 1 << 30}}, {IDs: make([]int, 257)}, {IDs: []int{-1}}} {
		if _, err := p.Generate(t.Context(), prompt, Params{MaxTokens: 1}, nil); !errors.As(err, &usage) {
			t.Errorf("%d ids: %v", len(prompt.IDs), err)
		}
	}
	if r, err := p.Generate(t.Context(), Prompt{IDs: make([]int, 256)}, Params{MaxTokens: 9}, nil); err != nil || r.FinishReason != FinishContext {
		t.Errorf("a full context: %q, %v", r.FinishReason, err)
	}
}

func TestPoolCloses(t *testing.T) {
	p := pool(t, PoolOptions{Parallel: 3, CacheBytes: 1 << 20})
	prompts, params := requests(3)
	var all sync.WaitGroup
	for i := range prompts {
		params[i].MaxTokens, params[i].IgnoreEOG = 200, true
		all.Go(func() {
			if _, err := p.Generate(t.Context(), prompts[i], params[i], nil); !errors.Is(err, engine.ErrClosed) {
				t.Errorf("a generation when the pool closes: %v", err)
			}
		})
	}
	for p.Stats().PassTokens < 100 {
		time.Sleep(time.Millisecond)
	}
	p.Close()
	all.Wait()
	if _, err := p.Generate(t.Context(), prompts[0], params[0], nil); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("afterwards: %v", err)
	}
}
