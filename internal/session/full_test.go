package session

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"straw/engine"
)

// With FullShift a generation goes on past the context; every token is the one that a fresh evaluation of what is left of
// the text would give.
func TestShift(t *testing.T) {
	forEachTiny(t, func(t *testing.T, path string) {
		const context, keep = 20, 0
		ids := []int{5, 9, 7, 3, 8, 2, 6, 4, 5, 9}
		m := tiny(t, path, engine.Options{Threads: 1, Resident: true, Context: context})
		p := Params{MaxTokens: 45, IgnoreEOG: true, OnFull: FullShift}
		var held [][]int // what the cache held at each token
		r, err := m.Generate(t.Context(), Prompt{IDs: ids}, p, func(p Piece) error {
			if p.ID >= 0 {
				held = append(held, slices.Clone(m.session.IDs()))
			}
			return nil
		})
		if m.Arch.Encoder.Layers > 0 {
			if err != nil || r.FinishReason != FinishContext {
				t.Errorf("a decoder beside an encoder: %s, %v", r.FinishReason, err)
			}
			return
		}
		if err != nil || len(r.IDs) != 45 || r.FinishReason != FinishLength || r.Shifts < 3 {
			t.Fatalf("%d tokens (%s), %d shifts, %v", len(r.IDs), r.FinishReason, r.Shifts, err)
		}
		fresh := tiny(t, path, engine.Options{Threads: 2, Context: context})
		for i, text := range held {
			rows, err := fresh.Logits(t.Context(), text, false)
			if err != nil {
				t.Fatal(err)
			}
			best := 0
			for id, l := range rows[0] {
				if l > rows[0][best] {
					best = id
				}
			}
			if best != r.IDs[i] {
				t.Errorf("token %d is %d, a fresh evaluation of %d tokens gives %d", i, r.IDs[i], len(text), best)
			}
		}
		r, err = m.Generate(t.Context(), Prompt{IDs: slices.Repeat(ids, 3)}, Params{MaxTokens: 2, IgnoreEOG: true, OnFull: FullShift}, nil)
		if err != nil || r.PromptTokens != context*3/4 || len(r.IDs) != 2 {
			t.Errorf("a prompt too long: %d tokens of it, %v", r.PromptTokens, err)
		}
	})
}

// Whole turns are left out of a conversation that is too long, never the system's message nor the last question.
func TestOldTurnsAreLeftOut(t *testing.T) {
	turns := []Message{{Role: "system", Content: "You are brief."}}
	for _, q := range []string{"What is the opposite of hot?", "What is the opposite of big?", "What is 2 + 3?", "What is the opposite of day?"} {
		turns = append(turns, Message{Role: "user", Content: q}, Message{Role: "assistant", Content: "I do not know that."})
	}
	turns = append(turns, Message{Role: "user", Content: "What is the opposite of hot?"})
	m := load(t, engine.Options{Threads: 2, Resident: true, Context: 80})
	var usage *UsageError
	if _, err := m.Generate(t.Context(), Prompt{Messages: turns}, Params{MaxTokens: 5}, nil); !errors.As(err, &usage) {
		t.Fatalf("a conversation that is too long: %v", err)
	}
	r, err := m.Generate(t.Context(), Prompt{Messages: turns}, Params{MaxTokens: 10, OnFull: FullShift}, nil)
	if err != nil || r.Shifts != 1 || r.PromptTokens > 60 {
		t.Fatalf("%d tokens, %d shifts, %v", r.PromptTokens, r.Shifts, err)
	}
	tok, err := m.Tokenizer()
	if err != nil {
		t.Fatal(err)
	}
	seen := string(tok.Decode(m.session.IDs(), true))
	if !strings.Contains(seen, "You are brief.") || !strings.Contains(seen, "opposite of hot") || strings.Contains(seen, "opposite of big") {
		t.Errorf("the model saw %q", seen)
	}
	if keep, err := m.Encode(Prompt{Messages: turns}); err != nil || m.beginning(t.Context(), Prompt{Messages: turns}, keep) < 5 {
		t.Errorf("%d tokens of the system are kept (%v)", m.beginning(t.Context(), Prompt{Messages: turns}, keep), err)
	}
	long := []Message{{Role: "user", Content: strings.Repeat("What is that? ", 100)}}
	if _, err := m.Generate(t.Context(), Prompt{Messages: long}, Params{OnFull: FullShift}, nil); !errors.As(err, &usage) {
		t.Errorf("a question that is too long by itself: %v", err)
	}
}

// A prompt that goes another way than what is in the cache, before or within it, is answered as from the beginning.
func TestCacheOfAllKinds(t *testing.T) {
	forEachTiny(t, func(t *testing.T, path string) {
		m := tiny(t, path, engine.Options{Threads: 1, Resident: true, Context: 200})
		long := slices.Repeat([]int{5, 9, 7, 3, 8, 2, 6, 4}, 8)
		p := Params{MaxTokens: 12, IgnoreEOG: true}
		for _, ids := range [][]int{
			long[:40], long[:60], // goes on from what was said before, and not as the model did
			append(slices.Clone(long[:50]), 1, 2), long[:50], long[:7], long[:41],
		} {
			got, err := m.Generate(t.Context(), Prompt{IDs: ids}, p, nil)
			if err != nil {
				t.Fatal(err)
			}
			want, err := tiny(t, path, engine.Options{Threads: 1, Context: 200}).Generate(t.Context(), Prompt{IDs: ids}, p, nil)
			if err != nil || !slices.Equal(got.IDs, want.IDs) {
				t.Errorf("%d tokens, %d of them cached: %v, want %v (%v)", len(ids), got.CachedTokens, got.IDs, want.IDs, err)
			}
		}
	})
}
