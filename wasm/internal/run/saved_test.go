package run

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	"straw/wasm/internal/worker"
	"straw/wasm/protocol"
)

// box is a file of the tests' host.
type box struct {
	bytes.Buffer
	aborted bool
	full    bool // refuses to be written
}

func (b *box) Write(p []byte) (int, error) {
	if b.full {
		return 0, errors.New("the disk is full")
	}
	return b.Buffer.Write(p)
}

func (b *box) Close() error { return nil }
func (b *box) Abort()       { b.aborted = true }

// drawer is where they are.
var drawer = Files{
	Create: func(_ context.Context, object any, _ bool) (worker.Output, error) { return object.(*box), nil },
	Read: func(_ context.Context, object any) (io.Reader, error) {
		return bytes.NewReader(object.(*box).Bytes()), nil
	},
}

// TestSaved: a session that was saved goes on in another one as it would have, and nothing of it is computed again.
func TestSaved(t *testing.T) {
	load := protocol.Load{ContextSize: 64}
	first := newPage(t)
	first.ask("load", load)
	begun := result[protocol.Last](t, first.ask("generate", protocol.Generate{Prompt: new("Once upon a time"), MaxTokens: new(6), Temperature: new(float32(0))}))
	saved := &box{}
	was := result[protocol.Remembered](t, first.ask("snapshot", protocol.Snapshot{}, saved))
	if was.Bytes != int64(saved.Len()) || was.Tokens < begun.PromptTokens {
		t.Errorf("%+v, written %d bytes", was, saved.Len())
	}
	more := protocol.Generate{IDs: begun.IDs, MaxTokens: new(6), Temperature: new(float32(0))}
	want := result[protocol.Last](t, first.ask("generate", more))

	second := newPage(t)
	if a := second.ask("restore", protocol.Restore{}, saved); a.Error == nil || a.Error.Message != "the model is not loaded" {
		t.Errorf("before it is loaded: %+v", a.Error)
	}
	second.ask("load", load)
	if is := result[protocol.Remembered](t, second.ask("restore", protocol.Restore{}, saved)); is != was {
		t.Errorf("restored %+v, saved %+v", is, was)
	}
	again := &box{}
	second.ask("snapshot", protocol.Snapshot{}, again)
	if !bytes.Equal(again.Bytes(), saved.Bytes()) {
		t.Error("what was restored is saved as something else")
	}
	if got := result[protocol.Last](t, second.ask("generate", more)); !slices.Equal(got.IDs, want.IDs) {
		t.Errorf("it goes on with %v, want %v", got.IDs, want.IDs)
	}

	half := &box{}
	half.Buffer.Write(saved.Bytes()[:saved.Len()/2])
	if a := second.ask("restore", protocol.Restore{}, half); a.Error == nil || a.Error.Kind != "truncated" {
		t.Errorf("half of it: %+v", a.Error)
	}
	full := &box{full: true}
	if a := second.ask("snapshot", protocol.Snapshot{}, full); a.Error == nil || !full.aborted {
		t.Errorf("a full disk: %+v, aborted %t", a.Error, full.aborted)
	}
	for method, params := range map[string]any{"snapshot": protocol.Snapshot{}, "restore": protocol.Restore{}} {
		if a := second.ask(method, params); a.Error == nil || a.Error.Kind != "unsupported" {
			t.Errorf("%s without a file: %+v", method, a.Error)
		}
	}
}

// TestOnFull: a generation ends with its context, or goes on without the oldest.
func TestOnFull(t *testing.T) {
	p := newPage(t)
	p.ask("load", protocol.Load{ContextSize: 32})
	most := protocol.Generate{Prompt: new("Once upon a time"), MaxTokens: new(40), Temperature: new(float32(0))}
	if l := result[protocol.Last](t, p.ask("generate", most)); l.FinishReason != "context" {
		t.Errorf("ended by %s after %d tokens", l.FinishReason, l.Tokens)
	}
	most.OnFull = "shift"
	if l := result[protocol.Last](t, p.ask("generate", most)); l.FinishReason != "length" || l.Tokens != 40 {
		t.Errorf("with the oldest left out it ended by %s after %d tokens", l.FinishReason, l.Tokens)
	}
	most.OnFull = "grow"
	if a := p.ask("generate", most); a.Error == nil || a.Error.Field != "onFull" {
		t.Errorf("%+v", a.Error)
	}
}
