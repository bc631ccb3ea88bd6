package session

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"straw/engine"
	"straw/engine/grammar"
	"straw/engine/sample"
	"straw/gguf"
)

// tiny is a model of testdata/tiny, ready.
func tiny(t *testing.T, path string, o engine.Options) *Model {
	t.Helper()
	f, err := gguf.OpenFS(os.DirFS(filepath.Dir(path)), filepath.Base(path))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	m, err := Load(t.Context(), f, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// forEachTiny calls f for every small model that writes token after token.
func forEachTiny(t *testing.T, f func(t *testing.T, path string)) {
	paths, err := filepath.Glob("../../testdata/tiny/*.gguf")
	if err != nil || len(paths) == 0 {
		t.Fatal("no models in testdata/tiny")
	}
	for _, path := range paths {
		if tiny(t, path, engine.Options{}).writes() == nil {
			t.Run(filepath.Base(path), func(t *testing.T) { f(t, path) })
		}
	}
}

// Guessing changes no token, whatever chooses them, and no logprob.
func TestSpeculationIsExact(t *testing.T) {
	m := load(t, engine.Options{Threads: 2, Resident: true})
	gbnf, err := grammar.Parse(`root ::= ("the cat " | "a dog ")+`)
	if err != nil {
		t.Fatal(err)
	}
	drawn := sample.Default()
	penalized := sample.Default()
	penalized.RepeatPenalty, penalized.RepeatLastN, penalized.DRY.Multiplier = 1.1, 16, 0.3
	mirostat := sample.Params{Temperature: 1, Mirostat: true, MirostatTau: 2, MirostatEta: 0.1}
	accepted := 0
	for name, p := range map[string]Params{
		"greedy":     {},
		"drawn":      {Sampler: drawn},
		"penalties":  {Sampler: penalized},
		"Mirostat":   {Sampler: mirostat},
		"grammar":    {Sampler: drawn, Grammar: gbnf},
		"stop texts": {Stop: []string{"cat sat on the mat. The cat sat"}},
	} {
		for seed := range uint64(3) {
			p.MaxTokens, p.IgnoreEOG, p.Sampler.Seed = 60, true, seed
			p.Logprobs, p.TopLogprobs = true, 2
			prompt := Prompt{Text: "The cat sat on the mat. The cat sat on the mat. The cat"}
			run := func(how Speculation) (Result, []Piece) {
				var pieces []Piece
				p.Speculate = how
				r, err := m.Generate(t.Context(), prompt, p, func(p Piece) error { pieces = append(pieces, p); return nil })
				if err != nil {
					t.Fatal(err)
				}
				return r, pieces
			}
			want, plain := run(SpeculateOff)
			length := m.session.Len()
			got, pieces := run(SpeculateNGram)
			if !slices.Equal(got.IDs, want.IDs) || got.Text != want.Text || got.FinishReason != want.FinishReason || m.session.Len() != length {
				t.Errorf("%s: %v %s, want %v %s", name, got.IDs, got.FinishReason, want.IDs, want.FinishReason)
			}
			if !slices.EqualFunc(pieces, plain, func(a, b Piece) bool { return a.ID == b.ID && a.Logprob == b.Logprob && slices.Equal(a.Top, b.Top) }) {
				t.Errorf("%s: other pieces", name)
			}
			if want.Drafted != 0 || got.Accepted > got.Drafted {
				t.Errorf("%s: %d guesses without speculation; with it %d of %d were right", name, want.Drafted, got.Accepted, got.Drafted)
			}
			accepted += got.Accepted
		}
	}
	if accepted < 30 {
		t.Errorf("%d guesses were right", accepted)
	}
}

// So it is for every kind of model, also those with states that have to be taken back, and when streaming it is the default.
func TestSpeculationOfAllKinds(t *testing.T) {
	forEachTiny(t, func(t *testing.T, path string) {
		ids := slices.Repeat([]int{5, 9, 7, 3, 8}, 4)
		p := Params{MaxTokens: 40, IgnoreEOG: true}
		p.Speculate = SpeculateOff
		want, err := tiny(t, path, engine.Options{Threads: 1, Resident: true, Context: 90}).Generate(t.Context(), Prompt{IDs: ids}, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		p.Speculate = SpeculateAuto
		got, err := tiny(t, path, engine.Options{Threads: 2, Context: 90}).Generate(t.Context(), Prompt{IDs: ids}, p, nil)
		if err != nil || !slices.Equal(got.IDs, want.IDs) {
			t.Errorf("%v, want %v (%v)", got.IDs, want.IDs, err)
		}
	})
}

func TestLookup(t *testing.T) {
	l := newLookup([]int{1, 2, 3, 4, 5, 6, 7, 2, 3, 8, 1, 2, 3})
	if got := l.guess(9); !slices.Equal(got, []int{4, 5, 6, 7}) {
		t.Errorf("after 1 2 3: %v", got)
	}
	l.learn(4, 4)
	if got := l.guess(5); !slices.Equal(got, []int{4, 5, 6, 7, 2}) {
		t.Errorf("after a good guess: %v", got)
	}
	l.learn(0, 8)
	l.learn(0, 4)
	if got := l.guess(9); !slices.Equal(got, []int{4, 5}) {
		t.Errorf("after two bad ones: %v", got)
	}
	l.add(4, 9, 2, 3)
	if got := l.guess(9); !slices.Equal(got, []int{4, 9}) {
		t.Errorf("after 9 2 3, by the last place of 2 3: %v", got)
	}
	if got := newLookup([]int{1, 2}).guess(4); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}
