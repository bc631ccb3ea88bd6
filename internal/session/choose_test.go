package session

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"straw/engine"
	"straw/engine/grammar"
	"straw/engine/sample"
)

func TestGrammar(t *testing.T) {
	m := load(t, engine.Options{Threads: 1, Resident: true})
	gbnf := func(text string) *grammar.Grammar {
		g, err := grammar.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for seed := range uint64(20) {
		p := Params{MaxTokens: 20, Sampler: sample.Default(), Grammar: gbnf(`root ::= "yes" | "no"`)}
		p.Sampler.Seed, p.Sampler.Temperature = seed, 2
		r, err := m.Generate(t.Context(), Prompt{Text: "Once upon a time"}, p, nil)
		if err != nil || r.Text != "yes" && r.Text != "no" || r.FinishReason != FinishStop {
			t.Errorf("%q (%s), %v", r.Text, r.FinishReason, err)
		}
	}
	const accents = `root ::= "é" [ü-ÿ] "😀"`
	r, err := m.Generate(t.Context(), Prompt{Text: "Once upon a time"}, Params{MaxTokens: 20, Grammar: gbnf(accents)}, nil)
	if err != nil || !gbnf(accents).Match(r.Text) {
		t.Errorf("characters of several tokens: %q, %v", r.Text, err)
	}
	if r, err := m.Generate(t.Context(), Prompt{Text: "Once upon a time"}, Params{MaxTokens: 20, Grammar: gbnf(`root ::= ""`)}, nil); err != nil || r.Text != "" || len(r.IDs) != 0 || r.FinishReason != FinishStop {
		t.Errorf("a grammar of nothing: %+v, %v", r, err)
	}
	var e *grammar.Error
	r, err = m.Generate(t.Context(), Prompt{Text: "Once upon a time"}, Params{MaxTokens: 20, Grammar: gbnf("root ::= \"yes\" dead\ndead ::= dead")}, nil)
	if !errors.As(err, &e) || r.Text != "ye" { // nothing can follow the s
		t.Errorf("a grammar without a way out: %q, %v", r.Text, err)
	}
	if _, err := m.Generate(t.Context(), Prompt{Text: "x"}, Params{Grammar: gbnf(`root ::= <none of these>`)}, nil); !errors.As(err, &e) {
		t.Errorf("a token that is not there: %v", err)
	}
}

func TestSchema(t *testing.T) {
	m := load(t, engine.Options{Threads: 2, Resident: true})
	g, err := grammar.FromSchema([]byte(`{"type": "object", "properties": {"name": {"type": "string", "maxLength": 12}, "age": {"type": "integer", "minimum": 0, "maximum": 99},
		"likes": {"type": "array", "items": {"enum": ["cats", "dogs"]}, "maxItems": 3}}, "required": ["name", "age", "likes"]}`))
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(10) {
		p := Params{MaxTokens: 200, Sampler: sample.Default(), Grammar: g}
		p.Sampler.Seed = seed
		r, err := m.Generate(t.Context(), Prompt{Text: "Once upon a time"}, p, nil)
		var v struct {
			Name  string
			Age   int
			Likes []string
		}
		if err != nil || r.FinishReason != FinishStop || json.Unmarshal([]byte(r.Text), &v) != nil || v.Age < 0 || v.Age > 99 || len([]rune(v.Name)) > 12 || len(v.Likes) > 3 {
			t.Errorf("%q (%s), %v", r.Text, r.FinishReason, err)
		}
	}
}

func TestBiasAndPenalties(t *testing.T) {
	m := load(t, engine.Options{Threads: 1, Resident: true})
	ids := func(p sample.Params) []int {
		t.Helper()
		r, err := m.Generate(t.Context(), Prompt{Text: "Once upon a time"}, Params{MaxTokens: 40, IgnoreEOG: true, Sampler: p}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r.IDs
	}
	plain := ids(sample.Params{})
	if got := ids(sample.Params{Bias: []sample.Bias{{ID: plain[0], Value: float32(math.Inf(-1))}}}); slices.Contains(got, plain[0]) {
		t.Errorf("token %d is banned, but in %v", plain[0], got)
	}
	if got := ids(sample.Params{Bias: []sample.Bias{{ID: 7, Value: 1000}}}); got[0] != 7 || got[39] != 7 {
		t.Errorf("token 7 is wanted, but it is %v", got)
	}
	once := ids(sample.Params{RepeatPenalty: 1, PresencePenalty: 1000, RepeatLastN: -1})
	slices.Sort(once)
	if len(slices.Compact(once)) != 40 {
		t.Errorf("tokens are there again: %v", once)
	}
	var usage *UsageError
	if _, err := m.Generate(t.Context(), Prompt{Text: "x"}, Params{Sampler: sample.Params{Bias: []sample.Bias{{ID: 5000}}}}, nil); !errors.As(err, &usage) {
		t.Errorf("a bias of no token: %v", err)
	}
	var param *sample.ParamError
	if _, err := m.Generate(t.Context(), Prompt{Text: "x"}, Params{Sampler: sample.Params{TopK: -1}}, nil); !errors.As(err, &param) {
		t.Errorf("top-k of -1: %v", err)
	}
}

func TestBreakers(t *testing.T) {
	m := load(t, engine.Options{Threads: 1})
	tok, err := m.Tokenizer()
	if err != nil {
		t.Fatal(err)
	}
	b := m.texts.breakers(tok, []string{"\n", "the cat", ""})
	for id := range tok.Size() {
		piece := string(tok.Piece(id, true))
		single, begun := strings.Contains(piece, "\n"), false
		for n := 1; n < len("the cat"); n++ {
			begun = begun || strings.HasSuffix(piece, "the cat"[:n])
		}
		for _, tail := range b[id] {
			if len(tail) == 0 {
				if !single && !strings.Contains(piece, "the cat") {
					t.Errorf("%q is no breaker", piece)
				}
			} else if text := piece + string(tok.Decode(tail, false)); !strings.Contains(strings.ReplaceAll(text, "  ", " "), "the cat") {
				t.Errorf("%q and then %v are no breaker", piece, tail)
			}
		}
		if (single || begun) != (len(b[id]) > 0) {
			t.Errorf("%q: breakers %v", piece, b[id])
		}
	}
	p := Params{MaxTokens: 60, IgnoreEOG: true, Sampler: sample.Params{DRY: sample.DRY{Multiplier: 5, Base: 1.75, AllowedLength: 2, LastN: -1}}}
	r, err := m.Generate(t.Context(), Prompt{Text: "the cat the cat the cat the cat"}, p, nil)
	if err != nil || strings.Contains(r.Text, "the cat the cat") {
		t.Errorf("%q, %v", r.Text, err)
	}
}

func TestLogprobs(t *testing.T) {
	m := load(t, engine.Options{Threads: 1, Resident: true})
	n := 0
	p := Params{MaxTokens: 5, Logprobs: true, TopLogprobs: 3}
	_, err := m.Generate(t.Context(), Prompt{Text: "Once upon a time"}, p, func(p Piece) error {
		if n++; len(p.Top) != 3 || p.Top[0].ID != p.ID || p.Top[0].Logprob != p.Logprob || p.Logprob > 0 || p.Top[2].Logprob > p.Top[1].Logprob {
			t.Errorf("%+v", p)
		}
		return nil
	})
	if err != nil || n != 5 {
		t.Error(n, err)
	}
}
