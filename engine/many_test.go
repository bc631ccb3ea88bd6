package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"straw/engine"
)

// sibling is another session over the weights of s.
func sibling(t *testing.T, s *engine.Session, fork bool) *engine.Session {
	t.Helper()
	make := s.Sibling
	if fork {
		make = s.Fork
	}
	other, err := make()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Close() })
	return other
}

func evalMany(t *testing.T, requests ...engine.Request) [][][]float32 {
	t.Helper()
	rows, err := engine.EvalMany(context.Background(), requests)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// forEachGenerating calls f for every small model that writes token after token, with at least 10 of its tokens.
func forEachGenerating(t *testing.T, f func(t *testing.T, m *engine.Model, ids []int, encode func(*engine.Session))) {
	for _, path := range goldenFiles(t) {
		if testing.Short() && strings.Contains(path, "shared") {
			continue
		}
		m, err := engine.Describe(open(t, path))
		if err != nil || m.Whole || m.Output.None {
			continue
		}
		var g golden
		readJSON(t, strings.TrimSuffix(path, ".gguf")+".json", &g)
		ids := slices.Concat(g.Tokens, g.Greedy, g.Tokens)
		t.Run(strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".gguf"), func(t *testing.T) {
			f(t, m, ids, func(s *engine.Session) {
				t.Helper()
				if m.Encoder.Layers > 0 {
					if err := s.Encode(context.Background(), g.Tokens); err != nil {
						t.Fatal(err)
					}
				}
			})
		})
	}
}

// Timelines that share their passes get the same bits as alone.
func TestEvalMany(t *testing.T) {
	forEachGenerating(t, func(t *testing.T, m *engine.Model, ids []int, encode func(*engine.Session)) {
		texts := [][]int{ids, slices.Concat(ids[3:], ids[:2]), ids[5:], ids[1:9]}
		var want [][][]float32
		for _, text := range texts {
			s := session(t, m, engine.Options{Threads: 1, Resident: true})
			encode(s)
			want = append(want, eval(t, s, text, true))
		}
		for _, batch := range []int{0, 5} {
			a := session(t, m, engine.Options{Threads: 2, Batch: batch})
			all := []*engine.Session{a, sibling(t, a, false), sibling(t, a, false), sibling(t, a, false)}
			requests := make([]engine.Request, len(all))
			for i, s := range all {
				encode(s)
				n := []int{4, 0, 1, 2}[i]
				requests[i] = engine.Request{Session: s, IDs: texts[i][:n], Rows: min(n, i)}
			}
			for i, rows := range evalMany(t, requests...) {
				n := len(requests[i].IDs)
				sameRows(t, "first", rows, want[i][n-requests[i].Rows:n])
			}
			for i, s := range all { // the second has a prompt, beside tokens of the others
				requests[i].IDs = texts[i][s.Len():][:[]int{1, 6, 1, 2}[i]]
				requests[i].Rows = []int{1, 1, 1, 2}[i]
			}
			for i, rows := range evalMany(t, requests...) {
				n := all[i].Len()
				sameRows(t, "a prompt beside tokens", rows, want[i][n-requests[i].Rows:n])
			}
			all[2].Truncate(1)
			fork := sibling(t, all[1], true)
			for i, s := range append(all, fork) {
				if i == 4 {
					requests, texts, want = append(requests, engine.Request{}), append(texts, texts[1]), append(want, want[1])
				}
				requests[i] = engine.Request{Session: s, IDs: texts[i][s.Len():], Rows: 1}
			}
			for i, rows := range evalMany(t, requests...) {
				sameRows(t, "the rest", rows, want[i][len(want[i])-1:])
			}
			texts, want = texts[:4], want[:4]
		}
	})
}

// A fork and its origin go different ways from the same pages, each as if it were alone.
func TestFork(t *testing.T) {
	m := describe(t, recipe{arch: "qwen3"}.file(t))
	long := slices.Repeat(someTokens, 12)[:140]
	way := func(n int, more ...int) []int { return append(slices.Clone(long[:n]), more...) }
	alone := func(ids []int) [][]float32 {
		s := session(t, m, engine.Options{Threads: 1, KV: engine.KVF16})
		return eval(t, s, ids, false)
	}
	a := session(t, m, engine.Options{Threads: 1, KV: engine.KVF16})
	eval(t, a, long[:130], false)
	one := a.Stats().KVBytes
	b := sibling(t, a, true)
	c := sibling(t, b, true)
	b.Truncate(100)
	c.Truncate(64)
	for _, step := range []struct {
		name string
		s    *engine.Session
		from int
		more []int
	}{
		{"the origin goes on", a, 130, []int{5, 6, 7}},
		{"a fork within a page", b, 100, []int{9, 8, 7, 1}},
		{"a fork of a fork between pages", c, 64, []int{3, 3}},
		{"again from the middle of a page", b, 20, []int{4, 4}},
	} {
		step.s.Truncate(step.from)
		sameRows(t, step.name, eval(t, step.s, step.more, false), alone(way(step.from, step.more...)))
	}
	a.Truncate(130)
	sameRows(t, "the origin is as it was", eval(t, a, long[130:], false), alone(long))
	if got := a.Stats().KVBytes; got != one {
		t.Errorf("%d bytes of keys and values, want %d", got, one)
	}
	b.Close()
	a.Close()
	eval(t, c, long[66:70], false) // it still has the weights
	if _, err := a.Sibling(); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("a sibling of a closed session: %v", err)
	}
}

func TestEvalManyMisuse(t *testing.T) {
	m := describe(t, recipe{arch: "llama"}.file(t))
	a := session(t, m, engine.Options{Context: 6})
	b := sibling(t, a, false)
	stranger := session(t, m, engine.Options{})
	ok := engine.Request{Session: a, IDs: someTokens[:3], Rows: 1}
	for name, requests := range map[string][]engine.Request{
		"twice":        {ok, ok},
		"a stranger":   {ok, {Session: stranger, IDs: someTokens[:1]}},
		"rows":         {{Session: a, IDs: someTokens[:1], Rows: 2}},
		"full context": {ok, {Session: b, IDs: someTokens[:7]}},
	} {
		if _, err := engine.EvalMany(context.Background(), requests); err == nil || a.Len() != 0 {
			t.Errorf("%s: error %v, %d tokens", name, err, a.Len())
		}
	}
	requests := []engine.Request{ok, {Session: b, IDs: someTokens[:5], Rows: 5}}
	for left := 0; ; left++ {
		_, err := engine.EvalMany(&countdown{context.Background(), left}, requests)
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || a.Len() != 0 || b.Len() != 0 {
			t.Fatalf("cancelled: %v, %d and %d tokens", err, a.Len(), b.Len())
		}
	}
	if a.Len() != 3 || b.Len() != 5 {
		t.Errorf("%d and %d tokens", a.Len(), b.Len())
	}
}

// A timeline never has more than the plan says, and one of nothing but keys and values has that much.
func TestCacheBytes(t *testing.T) {
	forEachGenerating(t, func(t *testing.T, m *engine.Model, ids []int, encode func(*engine.Session)) {
		for _, kv := range []engine.KVType{engine.KVF32, engine.KVF16} {
			s := session(t, m, engine.Options{Threads: 1, KV: kv})
			encode(s)
			eval(t, s, ids[:5], false)
			eval(t, s, ids[5:], true)
			state, _ := isRecurrent(m)
			got, plan := s.Stats().KVBytes, m.CacheBytes(kv, len(ids))
			if got > plan || got < plan && !state {
				t.Errorf("%d bytes of %s, the plan says %d", got, kv, plan)
			}
		}
	})
}
