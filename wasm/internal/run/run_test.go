package run

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"straw/engine"
	"straw/gguf"
	"straw/internal/demo"
	"straw/internal/session"
	"straw/wasm/internal/look"
	"straw/wasm/internal/worker"
	"straw/wasm/protocol"
)

// page is the other end of a runner of the demo model.
type page struct {
	t    *testing.T
	w    *worker.Worker
	came chan answer
	id   int64
	on   func(a answer) // hears of every message, on the goroutine that sends it; may be nil
}

type answer struct {
	protocol.Response
	values []float32
}

func newPage(t *testing.T) *page { return newPageOf(t, demo.Open) }

// newPageOf is newPage of another model.
func newPageOf(t *testing.T, model func() (io.ReaderAt, int64)) *page {
	p := &page{t: t, came: make(chan answer, 10_000)}
	open := func(context.Context, protocol.Source, []any, func(done, total int64)) (*gguf.File, error) {
		return gguf.Open(model())
	}
	p.w = worker.New(t.Context(), New(look.New(open), nil, drawer).Methods(), func(text []byte, values []float32) {
		r, err := protocol.DecodeResponse(text)
		if err != nil {
			t.Errorf("%.300s: %v", text, err)
		}
		a := answer{r, values}
		if p.on != nil {
			p.on(a)
		}
		p.came <- a
	})
	p.ask("open", protocol.Open{Source: protocol.Source{Files: []string{"demo.gguf"}}})
	return p
}

func (p *page) send(method string, params any, objects ...any) int64 {
	p.t.Helper()
	p.id++
	text, err := json.Marshal(protocol.Request{ID: p.id, Method: method, Params: params})
	if err != nil {
		p.t.Fatal(err)
	}
	p.w.Receive(text, objects)
	return p.id
}

// finish waits for the answer of request id and hands its events to each.
func (p *page) finish(id int64, each func(event string, data any)) answer {
	p.t.Helper()
	for {
		select {
		case a := <-p.came:
			if a.ID != id {
				p.t.Fatalf("message of request %d, waiting for %d", a.ID, id)
			}
			if a.Event == "" {
				return a
			}
			if each != nil {
				each(a.Event, a.Data)
			}
		case <-time.After(30 * time.Second):
			p.t.Fatalf("no answer to request %d", id)
		}
	}
}

func (p *page) ask(method string, params any, objects ...any) answer {
	p.t.Helper()
	return p.finish(p.send(method, params, objects...), nil)
}

func result[T any](t *testing.T, a answer) (r T) {
	t.Helper()
	if a.Error != nil {
		t.Fatalf("error %+v", a.Error)
	}
	if err := json.Unmarshal(a.Result, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestGenerate(t *testing.T) {
	p := newPage(t)
	if a := p.ask("generate", protocol.Generate{Prompt: new("x")}); a.Error == nil || a.Error.Message != "the model is not loaded" {
		t.Errorf("got %+v", a)
	}
	var done, total int64
	loading := p.send("load", protocol.Load{ContextSize: 128, KVType: "f32"})
	loaded := result[protocol.Loaded](t, p.finish(loading, func(_ string, data any) {
		progress := data.(*protocol.Progress)
		done, total = progress.Done, progress.Total
	}))
	if loaded.Backend != "scalar" || loaded.ContextSize != 128 || loaded.VocabSize != 1024 {
		t.Errorf("loaded %+v", loaded)
	}
	if total < 3_000_000 || done != total {
		t.Errorf("progress ended at %d of %d", done, total)
	}

	const n = 12
	text := ""
	var ids []int
	generating := p.send("generate", protocol.Generate{Prompt: new("Once upon a time"), MaxTokens: new(n), Temperature: new(float32(0))})
	last := result[protocol.Last](t, p.finish(generating, func(event string, data any) {
		piece, ok := data.(*protocol.Generated)
		if !ok {
			t.Fatalf("event %s", event)
		}
		ids, text = append(ids, piece.ID), text+piece.Text
	}))
	if last.FinishReason != "length" || last.Tokens != n || !slices.Equal(last.IDs, ids) || last.PromptTokens < 4 {
		t.Errorf("last %+v, pieces %v", last, ids)
	}
	if want := native(t, n); !slices.Equal(ids, want) {
		t.Errorf("ids %v, the session itself gives %v", ids, want)
	}
	if text == "" {
		t.Error("no text")
	}

	logits := p.ask("logits", protocol.Logits{IDs: []int{1021, 5}})
	if r := result[protocol.Values](t, logits); r.Count != 1024 || len(logits.values) != 1024 {
		t.Errorf("%d logits, %d values", r.Count, len(logits.values))
	}
}

// TestBudgetDoesNotChangeTheResult: weights read again for every token give what resident ones give.
func TestBudgetDoesNotChangeTheResult(t *testing.T) {
	p := newPage(t)
	loaded := result[protocol.Loaded](t, p.ask("load", protocol.Load{ContextSize: 128, KVType: "f32", MemoryBudget: 1 << 20}))
	if !strings.Contains(loaded.Reason, "read from the file") {
		t.Errorf("loaded %+v", loaded)
	}
	last := result[protocol.Last](t, p.ask("generate", protocol.Generate{Prompt: new("Once upon a time"), MaxTokens: new(4), Temperature: new(float32(0))}))
	if want := native(t, 4); !slices.Equal(last.IDs, want) {
		t.Errorf("ids %v, resident weights give %v", last.IDs, want)
	}
	if last.BytesRead < 3*3_000_000 {
		t.Errorf("%d bytes were read", last.BytesRead)
	}
}

// native is what the session generates without a worker around it.
func native(t *testing.T, n int) []int {
	f, err := gguf.Open(demo.Open())
	if err != nil {
		t.Fatal(err)
	}
	m, err := session.Load(t.Context(), f, engine.Options{Context: 128, Resident: true})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	r, err := m.Generate(t.Context(), session.Prompt{Text: "Once upon a time"}, session.Params{MaxTokens: n}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r.IDs
}

func TestStop(t *testing.T) {
	p := newPage(t)
	p.ask("load", protocol.Load{})
	pieces := 0
	p.on = func(a answer) {
		if a.Event != "piece" {
			return
		}
		if pieces++; pieces == 2 {
			p.w.Receive([]byte(`{"id":3,"method":"cancel"}`), nil)
		}
	}
	generating := p.send("generate", protocol.Generate{Prompt: new("Once"), MaxTokens: new(-1), Temperature: new(float32(0))})
	lasts := 0
	a := p.finish(generating, func(_ string, data any) {
		if d, ok := data.(*protocol.Last); ok {
			lasts++
			if d.FinishReason != "aborted" || len(d.IDs) < 2 {
				t.Errorf("last %+v", d)
			}
		}
	})
	if generating != 3 || a.Error == nil || a.Error.Kind != "aborted" || lasts != 1 || pieces > 3 {
		t.Errorf("request %d answered %+v after %d pieces and %d events last", generating, a.Error, pieces, lasts)
	}
	// Stopping leaves the model usable.
	if again := p.ask("generate", protocol.Generate{IDs: []int{1021}, MaxTokens: new(1)}); again.Error != nil {
		t.Errorf("after stopping: %+v", again.Error)
	}
}

func TestPrompts(t *testing.T) {
	chat := []protocol.Message{{Role: "user", Content: new("hi")}}
	for name, c := range map[string]struct {
		p    protocol.Generate
		want session.Prompt
	}{
		"text":    {protocol.Generate{Prompt: new("hi")}, session.Prompt{Text: "hi"}},
		"raw":     {protocol.Generate{Prompt: new("hi"), Raw: new(true)}, session.Prompt{Text: "hi"}},
		"wrapped": {protocol.Generate{Prompt: new("hi"), Raw: new(false)}, session.Prompt{Messages: []session.Message{{Role: "user", Content: "hi"}}}},
		"chat":    {protocol.Generate{Messages: chat}, session.Prompt{Messages: []session.Message{{Role: "user", Content: "hi"}}}},
		"ids":     {protocol.Generate{IDs: []int{1, 2}}, session.Prompt{IDs: []int{1, 2}}},
	} {
		got, err := prompt(&c.p)
		if err != nil || got.Text != c.want.Text || !reflect.DeepEqual(got.Messages, c.want.Messages) || !slices.Equal(got.IDs, c.want.IDs) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestDefaultsAreTheCommandLines(t *testing.T) {
	how, err := params(&protocol.Generate{})
	if err != nil {
		t.Fatal(err)
	}
	s := how.Sampler
	if s.Temperature != 0.8 || s.TopK != 40 || s.TopP != 0.95 || s.MinP != 0.05 || s.RepeatPenalty != 1 {
		t.Errorf("defaults %+v", s)
	}
	how, _ = params(&protocol.Generate{Temperature: new(float32(0)), TopK: new(0), Seed: new(uint64(0))})
	zero := how.Sampler
	if zero.Temperature != 0 || zero.TopK != 0 || zero.Seed != 0 {
		t.Errorf("a given 0 was replaced: %+v", zero)
	}
}

func TestOptions(t *testing.T) {
	p := newPage(t)
	p.ask("load", protocol.Load{ContextSize: 256})
	words := func(g protocol.Generate) (string, []protocol.Generated) {
		t.Helper()
		text, pieces := "", []protocol.Generated(nil)
		g.Prompt = new("Once upon a time")
		a := p.finish(p.send("generate", g), func(_ string, data any) {
			piece := data.(*protocol.Generated)
			text, pieces = text+piece.Text, append(pieces, *piece)
		})
		result[protocol.Last](t, a)
		return text, pieces
	}
	if text, _ := words(protocol.Generate{Grammar: new(`root ::= "yes" | "no"`)}); text != "yes" && text != "no" {
		t.Errorf("a grammar of yes or no: %q", text)
	}
	var v struct{ A int }
	if text, _ := words(protocol.Generate{JSONSchema: protocol.JSON(`{"properties":{"A":{"type":"integer","minimum":10,"maximum":20}},"required":["A"]}`)}); json.Unmarshal([]byte(text), &v) != nil || v.A < 10 || v.A > 20 {
		t.Errorf("a JSON schema: %q", text)
	}
	_, pieces := words(protocol.Generate{MaxTokens: new(3), Temperature: new(float32(0)), Logprobs: new(2)})
	if len(pieces) != 3 || pieces[0].Logprob == nil || len(pieces[0].Top) != 2 || pieces[0].Top[0].ID != pieces[0].ID || string(pieces[0].Top[0].Piece) != pieces[0].Text {
		t.Errorf("logprobs: %+v", pieces)
	}
	if _, pieces = words(protocol.Generate{MaxTokens: new(1), Temperature: new(float32(0)), LogitBias: protocol.LogitBias{pieces[0].ID: float32(math.Inf(-1)), 7: 1000}}); pieces[0].ID != 7 || pieces[0].Logprob != nil {
		t.Errorf("a bias: %+v", pieces)
	}
	words(protocol.Generate{MaxTokens: new(9), DRY: &protocol.DRY{Multiplier: 1, Breakers: []string{"."}}, XTC: &protocol.XTC{Probability: 0.5}, Typical: new(float32(0.9))})
	words(protocol.Generate{MaxTokens: new(9), Mirostat: &protocol.Mirostat{Tau: new(float32(3))}})

	for field, g := range map[string]protocol.Generate{
		"topP":          {TopP: new(float32(2))},
		"dry.base":      {DRY: &protocol.DRY{Multiplier: 1, Base: new(float32(0))}},
		"xtc.threshold": {XTC: &protocol.XTC{Probability: 1, Threshold: new(float32(-1))}},
		"grammar":       {Grammar: new("root ::= x")},
		"jsonSchema":    {JSONSchema: protocol.JSON(`{"not":{}}`)},
	} {
		g.Prompt = new("x")
		if a := p.ask("generate", g); a.Error == nil || a.Error.Kind != "unsupported" || a.Error.Field != field || !strings.HasPrefix(a.Error.Message, field) {
			t.Errorf("%s: %+v", field, a.Error)
		}
	}
	if a := p.ask("generate", protocol.Generate{Prompt: new("x"), LogitBias: protocol.LogitBias{5000: 1}}); a.Error == nil || a.Error.Kind != "unsupported" {
		t.Errorf("a bias of no token: %+v", a.Error)
	}
}

func TestPlace(t *testing.T) {
	for _, c := range []struct {
		n, budget int64
		resident  bool
	}{{1 << 30, 0, true}, {3 << 30, 0, false}, {1 << 30, 1 << 29, false}, {1 << 30, 1 << 30, true}, {3 << 30, 1 << 40, false}} {
		if resident, reason := place(c.n, c.budget, false); resident != c.resident || reason == "" {
			t.Errorf("%d bytes, budget %d: resident %v, %s", c.n, c.budget, resident, reason)
		}
	}
}

func TestRefusals(t *testing.T) {
	p := newPage(t)
	for field, params := range map[string]protocol.Load{
		"kvType":  {KVType: "q4_0"},
		"backend": {Backend: "webgpu"},
	} {
		if a := p.ask("load", params); a.Error == nil || a.Error.Kind != "unsupported" || a.Error.Field != field {
			t.Errorf("%+v: %+v", params, a)
		}
	}
}
