package session

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"straw/engine"
	"straw/engine/sample"
)

// long is a prompt of more than a step.
var long = strings.Repeat("Once upon a time, there was a little girl who had a dog. ", 6)

// crowd has n generations of long asked for while nothing can be evaluated, until wait() is true, and returns their results.
// prepare may change what each asks for.
func crowd(t *testing.T, p *Pool, n int, prepare func(i int, ctx context.Context, prompt *Prompt) context.Context, wait func() bool) ([]Result, []error) {
	t.Helper()
	results, errs := make([]Result, n), make([]error, n)
	p.scheduler.machine.Lock()
	var all sync.WaitGroup
	for i := range n {
		prompt, how := Prompt{Text: long}, sample.Default()
		how.Seed = uint64(i)
		ctx := prepare(i, t.Context(), &prompt)
		all.Go(func() { results[i], errs[i] = p.Generate(ctx, prompt, Params{MaxTokens: 8, Sampler: how}, nil) })
		for i == 0 && p.count() == 0 {
			time.Sleep(time.Millisecond) // the first is the one to wait for
		}
	}
	for !wait() {
		time.Sleep(time.Millisecond)
	}
	p.scheduler.machine.Unlock()
	all.Wait()
	return results, errs
}

// count is how many have a prompt at work, or wait for one.
func (p *Pool) count() (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.working {
		n += 1 + s.left
	}
	return n
}

func plain(_ int, ctx context.Context, _ *Prompt) context.Context { return ctx }

// aloneFor is what generation i of a crowd gets without the others.
func aloneFor(t *testing.T, i int) []int {
	how := sample.Default()
	how.Seed = uint64(i)
	m := load(t, engine.Options{Threads: 1, Resident: true, Context: 256})
	r, err := m.Generate(t.Context(), Prompt{Text: long}, Params{MaxTokens: 8, Sampler: how}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r.IDs
}

// Several answers to one prompt evaluate it once, even where nothing is kept of what is over.
func TestSharedPrompt(t *testing.T) {
	const n = 4
	p := pool(t, PoolOptions{Parallel: n})
	results, errs := crowd(t, p, n, plain, func() bool { return p.count() == n })
	for i, r := range results {
		if errs[i] != nil || !slices.Equal(r.IDs, aloneFor(t, i)) {
			t.Errorf("answer %d: %v, %v", i, r.IDs, errs[i])
		}
	}
	prompt := results[0].PromptTokens
	if s := p.Stats(); s.PromptTokens != int64(prompt+n-1) || s.CachedTokens != int64((n-1)*(prompt-1)) {
		t.Errorf("%d tokens of prompts were evaluated, %d were there; the prompt has %d", s.PromptTokens, s.CachedTokens, prompt)
	}
	if n := p.count(); n != 0 {
		t.Errorf("%d prompts are at work afterwards", n)
	}
}

// If the one who evaluates goes away, another of those who wait does it for the rest.
func TestSharedPromptGivenUp(t *testing.T) {
	const n = 4
	p := pool(t, PoolOptions{Parallel: n})
	gone, leave := context.WithCancel(t.Context())
	results, errs := crowd(t, p, n, func(i int, ctx context.Context, _ *Prompt) context.Context {
		if i == 0 {
			return gone
		}
		return ctx
	}, func() bool {
		if p.count() < n {
			return false
		}
		leave()
		return true
	})
	if errs[0] == nil {
		t.Error("who went away has an answer")
	}
	for i := 1; i < n; i++ {
		if errs[i] != nil || !slices.Equal(results[i].IDs, aloneFor(t, i)) {
			t.Errorf("answer %d: %v, %v", i, results[i].IDs, errs[i])
		}
	}
}

// Nobody waits for a prompt that is much longer than what it would spare, and who waits may go.
func TestSharedPromptNotWaitedFor(t *testing.T) {
	p := pool(t, PoolOptions{Parallel: 3})
	gone, leave := context.WithCancel(t.Context())
	results, errs := crowd(t, p, 3, func(i int, ctx context.Context, prompt *Prompt) context.Context {
		switch i {
		case 1:
			prompt.Text = long[:len(long)/3]
		case 2:
			return gone
		}
		return ctx
	}, func() bool {
		p.mu.Lock()
		working := len(p.working)
		p.mu.Unlock()
		if working < 2 || p.count() < 3 {
			return false
		}
		leave()
		return true
	})
	if errs[0] != nil || errs[1] != nil || errs[2] == nil || results[1].CachedTokens != 0 {
		t.Errorf("%v; %d tokens of the short prompt were there", errs, results[1].CachedTokens)
	}
}
