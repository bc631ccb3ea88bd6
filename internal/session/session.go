// Package session opens a model for running: it joins the weights and the metadata of a file
// (engine) with its vocabulary (tokenizer) and turns prompts into pieces of text. It is the one
// place that knows both; the command line and the page's worker are thin above it. It prints
// nothing, opens no file and runs wherever Go runs.
//
// A Model is one timeline: its key/value cache holds the tokens of the last call, and the next call
// keeps the longest common beginning. It is for one goroutine at a time.
package session

import (
	"context"
	"fmt"
	"time"

	"straw/engine"
	"straw/tokenizer"
)

// DefaultContext bounds the context that is reserved unless the caller asks for a size.
const DefaultContext = 4096

// Model is a file opened for running.
type Model struct {
	Arch     *engine.Model // what the file says it is
	Context  int           // positions in the key/value cache
	LoadTime time.Duration // what describing the file and preparing the weights took

	texts   *texts
	session *engine.Session
	turns   turns // when the session may be used
	cached  []int // the tokens whose keys and values are in the cache
}

// Load describes the weights in src and prepares them as o says. o.Context 0 stands for
// min(the model's context length, DefaultContext). A vocabulary that cannot be used is no error
// here: numbers in, numbers out need none. Close the model after use; src stays the caller's.
func Load(ctx context.Context, src engine.WeightSource, o engine.Options) (*Model, error) {
	begin := time.Now()
	arch, err := engine.Describe(src)
	if err != nil {
		return nil, err
	}
	if o.Context < 0 {
		return nil, &UsageError{fmt.Sprintf("context size %d: a positive number of tokens is needed", o.Context)}
	}
	if o.Context == 0 {
		o.Context = DefaultContext
		if n := arch.ContextLength(); n > 0 && n < o.Context {
			o.Context = n
		}
	}
	m := &Model{Arch: arch, Context: o.Context, texts: newTexts(src), turns: alone{}}
	if o.Budget > 0 {
		_, _ = m.Tokenizer() // its memory is part of what o.Program tells; the error is for those who need it
	}
	if m.session, err = arch.NewSession(ctx, o); err != nil {
		return nil, err
	}
	m.LoadTime = time.Since(begin)
	return m, nil
}

// Close gives back the memory of the weights and of the cache.
func (m *Model) Close() error { return m.session.Close() }

// Stats are the engine's counters since Load.
func (m *Model) Stats() (s engine.Stats) {
	m.turns.do(func() error { s = m.session.Stats(); return nil })
	return s
}

// Tokenizer is the file's vocabulary, built at the first call; the error is of the file and stays.
func (m *Model) Tokenizer() (*tokenizer.Tokenizer, error) { return m.texts.tokenizer() }

// Used is the number of positions of the context that the timeline takes.
func (m *Model) Used() int { return len(m.cached) }

// Reset forgets the timeline.
func (m *Model) Reset() { m.cut(0) }

// cut forgets the timeline from position n on.
func (m *Model) cut(n int) {
	m.turns.do(func() error { m.session.Truncate(n); return nil })
	m.cached = m.cached[:n]
}

// Logits evaluates ids from an empty cache. all: one row of [vocabulary] a position, else the last
// position's alone. Of an encoder-decoder model ids are the encoder's, and the one row is the decoder's after
// the token that it begins with. The rows are the caller's.
func (m *Model) Logits(ctx context.Context, ids []int, all bool) ([][]float32, error) {
	if err := m.checkIDs(ids); err != nil {
		return nil, err
	}
	if len(ids) > m.Context {
		return nil, &UsageError{fmt.Sprintf("%d tokens do not fit a context of %d: ask for a larger one (--ctx) or give fewer tokens", len(ids), m.Context)}
	}
	m.Reset()
	_, rest, err := m.begin(ctx, ids)
	if err != nil {
		return nil, err
	}
	return m.eval(ctx, rest, all)
}

// eval appends ids to the cache; after an error it is as it was before.
func (m *Model) eval(ctx context.Context, ids []int, all bool) ([][]float32, error) {
	rows := 1
	if all {
		rows = len(ids)
	}
	logits, err := m.turns.eval(ctx, engine.Request{Session: m.session, IDs: ids, Rows: rows})
	if err != nil {
		return nil, err
	}
	m.cached = append(m.cached, ids...)
	return logits, nil
}

func (m *Model) checkIDs(ids []int) error {
	if len(ids) == 0 {
		return &UsageError{"no tokens: at least one token id is needed"}
	}
	n := m.Arch.VocabSize()
	for i, id := range ids {
		if id < 0 || id >= n {
			return &UsageError{fmt.Sprintf("token %d of the list is %d: the model's vocabulary has the ids 0 to %d", i, id, n-1)}
		}
	}
	return nil
}

// UsageError says that the request, not the file, is wrong.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

// Kind names the failure for messages to people and pages.
func (e *UsageError) Kind() string { return "usage" }

// UnsupportedError says that the file is sound but asks for what this program cannot do yet.
type UnsupportedError struct{ Message string }

func (e *UnsupportedError) Error() string { return e.Message }

// Kind names the failure for messages to people and pages.
func (e *UnsupportedError) Kind() string { return "unsupported" }

// Extend appends one token to the timeline and returns the logits after it, [vocabulary].
func (m *Model) Extend(ctx context.Context, id int) ([]float32, error) {
	if err := m.writes(); err != nil {
		return nil, err
	}
	if err := m.checkIDs([]int{id}); err != nil {
		return nil, err
	}
	if len(m.cached) >= m.Context {
		return nil, &UsageError{fmt.Sprintf("the context of %d tokens is full: ask for a larger one (--ctx)", m.Context)}
	}
	rows, err := m.eval(ctx, []int{id}, false)
	if err != nil {
		return nil, err
	}
	return rows[0], nil
}

// ReadSpeed is how many bytes of weights a second are read when nothing is computed, measured for about as long as most;
// 0 if all are in memory.
func (m *Model) ReadSpeed(ctx context.Context, most time.Duration) (speed float64, err error) {
	err = m.turns.do(func() error {
		speed, err = m.session.ReadSpeed(ctx, most)
		return err
	})
	return speed, err
}
