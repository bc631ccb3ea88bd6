package worker

import (
	"context"
	"strings"
	"syscall/js"
	"testing"
	"time"

	"straw/wasm/protocol"
)

// TestServe runs the program's end of a browser's worker in Node: onmessage and postMessage are the same names there.
func TestServe(t *testing.T) {
	global := js.Global()
	came := make(chan js.Value, 100)
	global.Set("postMessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		came <- args[0]
		return nil
	}))
	computing := make(chan struct{})
	go Serve("viewer", map[string]Method{
		"tensor": func(context.Context, *Call) (Reply, error) {
			return Reply{Result: protocol.Values{Count: 2}, Values: []float32{1.5, -2}}, nil
		},
		"open": func(_ context.Context, c *Call) (Reply, error) {
			name := c.Objects[0].(js.Value).Get("name").String()
			return Reply{Result: protocol.Text{Text: name}}, nil
		},
		// generate computes without waiting for anything: only through its context can a message reach the program.
		"generate": func(ctx context.Context, _ *Call) (Reply, error) {
			close(computing)
			for ctx.Err() == nil {
			}
			return Reply{}, ctx.Err()
		},
	})
	next := func() js.Value {
		t.Helper()
		select {
		case m := <-came:
			return m
		case <-time.After(5 * time.Second):
			t.Fatal("no message")
			return js.Null()
		}
	}
	send := func(text string, objects ...any) {
		global.Call("onmessage", map[string]any{"data": map[string]any{"json": text, "objects": objects}})
	}
	expect := func(word string) js.Value {
		t.Helper()
		m := next()
		if !strings.Contains(m.Get("json").String(), word) {
			t.Errorf("got %s, want something about %s", m.Get("json"), word)
		}
		return m
	}

	expect(`"program":"viewer"`)
	send(`{"id":1,"method":"open","params":{"source":{"files":["a.gguf"]}}}`, map[string]any{"name": "a.gguf"})
	expect(`{"id":1,"result":{"text":"a.gguf"}}`)
	send(`{"id":2,"method":"tensor","params":{"name":"t"}}`)
	values := expect(`{"id":2,"result":{"count":2}}`).Get("objects").Index(0)
	if !values.InstanceOf(global.Get("Float32Array")) || values.Length() != 2 || values.Index(0).Float() != 1.5 || values.Index(1).Float() != -2 {
		t.Errorf("values are %v", values)
	}
	send(`{"id":3,"method":"generate","params":{"prompt":"x"}}`)
	global.Call("setTimeout", js.FuncOf(func(js.Value, []js.Value) any {
		send(`{"id":3,"method":"cancel"}`)
		return nil
	}), 30)
	<-computing
	expect(`"kind":"aborted"`)
	global.Call("onmessage", map[string]any{"data": "what?"})
	expect(`"event":"failed"`)
}
