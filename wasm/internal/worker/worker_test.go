package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"straw/wasm/protocol"
)

// page is the other end of a worker: it reads every message strictly.
type page struct {
	t    *testing.T
	w    *Worker
	came chan protocol.Response
	left []protocol.Response // came, but not asked for yet
}

func newPage(t *testing.T, methods map[string]Method) *page {
	p := &page{t: t, came: make(chan protocol.Response, 100)}
	p.w = New(t.Context(), methods, func(text []byte, _ []float32) {
		r, err := protocol.DecodeResponse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		p.came <- r
	})
	return p
}

func (p *page) send(id int64, method string, params any) {
	p.t.Helper()
	text, err := json.Marshal(protocol.Request{ID: id, Method: method, Params: params})
	if err != nil {
		p.t.Fatal(err)
	}
	p.w.Receive(text, nil)
}

// next waits for a message of request id.
func (p *page) next(id int64) protocol.Response {
	p.t.Helper()
	for {
		if i := slices.IndexFunc(p.left, func(r protocol.Response) bool { return r.ID == id }); i >= 0 {
			r := p.left[i]
			p.left = slices.Delete(p.left, i, i+1)
			return r
		}
		select {
		case r := <-p.came:
			p.left = append(p.left, r)
		case <-time.After(5 * time.Second):
			p.t.Fatalf("no answer to request %d", id)
		}
	}
}

func (p *page) failed(id int64, kind, word string) {
	p.t.Helper()
	r := p.next(id)
	if r.Error == nil || r.Error.Kind != kind || !strings.Contains(r.Error.Message, word) {
		p.t.Errorf("answer to %d is %+v, want an error of kind %s about %q", id, r, kind, word)
	}
}

func text(s string) Method {
	return func(context.Context, *Call) (Reply, error) { return Reply{Result: protocol.Text{Text: s}}, nil }
}

func TestAnswers(t *testing.T) {
	p := newPage(t, map[string]Method{
		"info": text("hello"),
		"value": func(_ context.Context, c *Call) (Reply, error) {
			key := c.Params.(*protocol.Value).Key
			return Reply{Result: json.RawMessage(`{"value":"` + key + `"}`)}, nil
		},
		"tensor": func(context.Context, *Call) (Reply, error) { return Reply{}, errors.New("no such thing") },
	})
	p.w.Ready("viewer")
	ready := p.next(0)
	if got := ready.Data.(*protocol.Ready); !slices.Equal(got.Methods, []string{"info", "tensor", "value"}) {
		t.Errorf("ready with %v", got.Methods)
	}
	p.send(1, "info", nil)
	if r := p.next(1); string(r.Result) != `{"text":"hello"}` {
		t.Errorf("got %s", r.Result)
	}
	p.send(2, "value", protocol.Value{Key: "a"})
	if r := p.next(2); string(r.Result) != `{"value":"a"}` {
		t.Errorf("got %s", r.Result)
	}
	p.send(3, "tensor", protocol.Tensor{Name: "x"})
	p.failed(3, "io", "no such thing")
	p.send(4, "load", nil)
	p.failed(4, "unsupported", "load")
	p.w.Receive([]byte(`{"id":5,"method":"value","params":{"key":1}}`), nil)
	p.failed(5, "unsupported", "key")
}

func TestMessageWithoutID(t *testing.T) {
	p := newPage(t, nil)
	p.w.Receive([]byte(`surprise`), nil)
	if r := p.next(0); r.Event != "failed" {
		t.Errorf("got %+v", r)
	}
}

func TestCancel(t *testing.T) {
	begun := make(chan int64, 10)
	p := newPage(t, map[string]Method{
		"generate": func(ctx context.Context, c *Call) (Reply, error) {
			c.Event("piece", &protocol.Generated{ID: 1, Text: "a"})
			begun <- c.id
			<-ctx.Done()
			return Reply{}, fmt.Errorf("layer 3: %w", ctx.Err())
		},
		// late does not look at its context, so its result comes although nobody wants it any more.
		"logits": func(ctx context.Context, c *Call) (Reply, error) {
			begun <- c.id
			<-ctx.Done()
			return Reply{Result: protocol.Values{}}, nil
		},
		"info": text("still here"),
	})
	p.send(7, protocol.Cancel, nil) // of nothing
	prompt := "x"
	p.send(1, "generate", protocol.Generate{Prompt: &prompt})
	p.send(2, "logits", protocol.Logits{IDs: []int{1}})
	<-begun
	<-begun
	if r := p.next(1); r.Event != "piece" {
		t.Errorf("got %+v", r)
	}
	p.send(3, "info", nil)
	if r := p.next(3); r.Result == nil {
		t.Errorf("got %+v", r)
	}
	p.send(1, protocol.Cancel, nil)
	p.failed(1, "aborted", "stopped")
	p.send(2, protocol.Cancel, nil)
	p.failed(2, "aborted", "stopped")
	p.send(1, protocol.Cancel, nil) // once more, too late
}

func TestPanicIsAnErrorOfOneRequest(t *testing.T) {
	p := newPage(t, map[string]Method{
		"info":   func(context.Context, *Call) (Reply, error) { panic("index out of range") },
		"logits": text("fine"),
	})
	p.send(1, "info", nil)
	p.failed(1, "io", "a bug in straw: index out of range")
	p.send(2, "logits", protocol.Logits{IDs: []int{1}})
	if r := p.next(2); r.Result == nil {
		t.Errorf("got %+v", r)
	}
}

func TestIDInUse(t *testing.T) {
	p := newPage(t, map[string]Method{
		"info": func(ctx context.Context, _ *Call) (Reply, error) { <-ctx.Done(); return Reply{}, ctx.Err() },
	})
	p.send(1, "info", nil)
	p.send(1, "info", nil)
	p.failed(1, "unsupported", "in use")
	p.send(1, protocol.Cancel, nil)
	p.failed(1, "aborted", "")
}

func TestDamaged(t *testing.T) {
	p := newPage(t, map[string]Method{
		"open": func(context.Context, *Call) (Reply, error) {
			return Reply{}, &Damaged{Err: errors.New("cut off"), Info: json.RawMessage(`{"version":3}`)}
		},
	})
	p.send(1, "open", protocol.Open{Source: protocol.Source{URL: "https://example.org/m.gguf"}})
	if r := p.next(1); r.Error == nil || string(r.Error.Info) != `{"version":3}` {
		t.Errorf("got %+v", r)
	}
}

func TestProgressIsThinnedOut(t *testing.T) {
	p := newPage(t, map[string]Method{
		"load": func(_ context.Context, c *Call) (Reply, error) {
			report := c.Progress("load", "bytes")
			for i := range int64(1001) {
				report(i, 1000)
			}
			return Reply{Result: protocol.Text{}}, nil
		},
	})
	p.send(1, "load", nil)
	var last *protocol.Progress
	n := 0
	for r := p.next(1); r.Event != ""; r = p.next(1) {
		last = r.Data.(*protocol.Progress)
		n++
	}
	if n < 2 || n > 50 || last.Done != 1000 {
		t.Errorf("%d reports, the last %+v", n, last)
	}
}

// TestYielding: a computation that asks its context lets the host run, but not every time.
func TestYielding(t *testing.T) {
	breaths := 0
	breathe = func() { breaths++ }
	defer func() { breathe = nil }()
	ctx, cancel := context.WithCancel(t.Context())
	y := Yielding(ctx)
	child, stop := context.WithCancel(y)
	defer stop()
	asked := 0
	for begin := time.Now(); time.Since(begin) < 5*slice; asked++ {
		if y.Err() != nil {
			t.Fatal("cancelled too early")
		}
	}
	if breaths < 1 || breaths > 5 || asked < 100 {
		t.Errorf("%d breaths in %d questions", breaths, asked)
	}
	cancel()
	if y.Err() == nil || child.Err() == nil {
		t.Error("cancellation got lost")
	}
}
