package engine_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"straw/engine"
	"straw/engine/arch"
)

// isRecurrent tells whether some op of the model has a state, and whether some has keys and values.
func isRecurrent(m *engine.Model) (state, attention bool) {
	for _, l := range m.Layers {
		for _, s := range l.Steps {
			for _, b := range s.Branches {
				switch b.Op.(type) {
				case arch.Remembering:
					state = true
				case *arch.Attn, *arch.MLA:
					attention = true
				}
			}
		}
	}
	return state, attention
}

// countdown is a context that ends when it has been asked left times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func sameRows(t *testing.T, what string, got, want [][]float32) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d rows, want %d", what, len(got), len(want))
	}
	for i := range want {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("%s: row %d differs by %.2g", what, i, worst(got[i], want[i]))
		}
	}
}

// A model with a state gives the same bits however its tokens are divided, and after every way back to an earlier point.
func TestRecurrent(t *testing.T) {
	for _, path := range goldenFiles(t) {
		m := describe(t, open(t, path))
		state, _ := isRecurrent(m)
		if !state {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".gguf"), func(t *testing.T) {
			var g golden
			readJSON(t, strings.TrimSuffix(path, ".gguf")+".json", &g)
			ids := slices.Concat(g.Tokens, g.Greedy)
			want := eval(t, session(t, m, engine.Options{Threads: 1, Resident: true}), ids, true)

			for _, batch := range []int{1, 2, 7} {
				s := session(t, m, engine.Options{Threads: 3, Batch: batch})
				sameRows(t, fmt.Sprintf("batches of %d", batch), eval(t, s, ids, true), want)
				s.Truncate(0)
				last := eval(t, s, ids, false)
				sameRows(t, "the last row alone", last, want[len(want)-1:])
			}

			s := session(t, m, engine.Options{Threads: 2, Batch: 4})
			eval(t, s, ids, false)
			for _, n := range []int{13, 13, 4, 9, 0, 1} { // forward again from each
				if n < s.Len() {
					s.Truncate(n)
				} else {
					eval(t, s, ids[s.Len():n], false)
				}
				sameRows(t, fmt.Sprintf("after Truncate to %d", n), eval(t, s, ids[n:n+2], true), want[n:n+2])
				for i := n + 2; i < n+5; i++ {
					sameRows(t, "token by token", eval(t, s, ids[i:i+1], false), want[i:i+1])
				}
			}

			s.Truncate(3)
			for left := 0; ; left++ {
				rows, err := s.Eval(&countdown{context.Background(), left}, ids[3:14], true)
				if err == nil {
					sameRows(t, "after errors", rows, want[3:14])
					break
				}
				if !errors.Is(err, context.Canceled) || s.Len() != 3 {
					t.Fatalf("error %v, %d tokens", err, s.Len())
				}
				if left%5 == 0 {
					sameRows(t, "after an error", eval(t, s, ids[3:4], false), want[3:4])
					s.Truncate(3)
				}
			}
			sameRows(t, "at the end", eval(t, s, ids[14:], true), want[14:])
		})
	}
}

// Tokens on trial that are taken back cost no pass of their own: what has to be evaluated again goes along with the next.
func TestTrialsOfRecurrent(t *testing.T) {
	m := describe(t, open(t, "../testdata/tiny/mamba2.gguf"))
	ids := slices.Repeat(someTokens, 2)
	want := eval(t, session(t, m, engine.Options{Threads: 1, Resident: true}), ids, true)
	s := session(t, m, engine.Options{Threads: 1, NoPrefetch: true})
	matrices := int64(0)
	for _, tensor := range m.Tensors() {
		if tensor.Present && tensor.Use == arch.Matrix {
			matrices += tensor.Bytes
		}
	}
	eval(t, s, ids[:3], false)
	for n := 3; n < 15; n += 2 { // of four tokens the first two are right
		before := s.Stats().BytesRead
		rows := eval(t, s, append(slices.Clone(ids[n:n+2]), 1, 2), true)
		sameRows(t, "on trial", rows[:2], want[n:n+2])
		s.Truncate(n + 2)
		if read := s.Stats().BytesRead - before; read > matrices*3/2 {
			t.Errorf("%d bytes were read after %d tokens, a pass has %d", read, n, matrices)
		}
	}
}
