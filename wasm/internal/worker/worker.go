// Package worker turns the messages of a page into calls and their outcomes into messages. It knows neither models nor browsers: what the methods do
// is given to it, and so is the way messages leave; the JavaScript end is in port_js.go alone.
//
// Each request is a goroutine with a context of its own. A browser's worker has one thread, so a message is seen only when every goroutine waits:
// a method that computes asks its context now and then (ctx.Err), and that lets messages in; see [Yielding].
package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"

	"straw/internal/inspect"
	"straw/wasm/protocol"
)

// Method answers one kind of request. Params are of the method's type in package protocol.
type Method func(ctx context.Context, c *Call) (Reply, error)

// Call is a request as a method sees it.
type Call struct {
	Params  any
	Objects []any // what lies beside the message: files, as values of the host
	id      int64
	w       *Worker
}

// Event sends something before the answer; data is of the event's type in package protocol.
func (c *Call) Event(name string, data any) {
	c.w.post(protocol.Response{ID: c.id, Event: name, Data: data}, nil)
}

// Reply is a result, of a type in package protocol or a json.RawMessage that is written like one, and the numbers that lie beside it, if any.
type Reply struct {
	Result any
	Values []float32
}

// Worker dispatches requests.
type Worker struct {
	methods map[string]Method
	root    context.Context
	send    func(text []byte, values []float32)

	mu      sync.Mutex
	running map[int64]context.CancelFunc
}

// New makes a worker whose messages leave through send, which must not wait and may be called from any goroutine. Requests' contexts come from root.
func New(root context.Context, methods map[string]Method, send func(text []byte, values []float32)) *Worker {
	return &Worker{
		methods: methods,
		root:    root,
		send:    send,
		running: map[int64]context.CancelFunc{},
	}
}

// Ready tells the page that the program listens.
func (w *Worker) Ready(program string) {
	methods := slices.Sorted(maps.Keys(w.methods))
	w.post(protocol.Response{Event: "ready", Data: &protocol.Ready{Program: program, Methods: methods}}, nil)
}

// Receive takes a message of the page. It does not wait.
func (w *Worker) Receive(text []byte, objects []any) {
	r, err := protocol.DecodeRequest(text)
	if err != nil {
		w.fail(r.ID, err)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	cancel, busy := w.running[r.ID]
	if r.Method == protocol.Cancel {
		if busy {
			cancel()
		}
		return
	}
	if busy {
		w.fail(r.ID, &protocol.Error{Field: "id", Message: fmt.Sprintf("id %d is in use", r.ID)})
		return
	}
	method, ok := w.methods[r.Method]
	if !ok {
		w.fail(r.ID, &protocol.Error{Field: "method", Message: fmt.Sprintf("this program does not know the method %q", r.Method)})
		return
	}
	ctx, cancel := context.WithCancel(w.root)
	w.running[r.ID] = cancel
	go w.serve(ctx, method, &Call{Params: r.Params, Objects: objects, id: r.ID, w: w})
}

// serve answers one request.
func (w *Worker) serve(ctx context.Context, m Method, c *Call) {
	reply, err := call(Yielding(ctx), m, c)
	if err == nil {
		err = ctx.Err() // stopped too late to notice: the page does not want the result any more
	}
	w.mu.Lock()
	w.running[c.id]()
	delete(w.running, c.id)
	w.mu.Unlock()
	if err != nil {
		w.fail(c.id, err)
		return
	}
	w.answer(c.id, reply)
}

// call runs a method; its panic is an error of this one request.
func call(ctx context.Context, m Method, c *Call) (reply Reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a bug in straw: %v\n%s", p, debug.Stack())
		}
	}()
	return m(ctx, c)
}

func (w *Worker) answer(id int64, reply Reply) {
	result, ok := reply.Result.(json.RawMessage)
	if !ok {
		var err error
		if result, err = json.Marshal(reply.Result); err != nil {
			w.fail(id, err)
			return
		}
	}
	// Not by json.Marshal: it would read a result of megabytes, already JSON, once more.
	text := strconv.AppendInt([]byte(`{"id":`), id, 10)
	text = append(text, `,"result":`...)
	text = append(text, result...)
	w.send(append(text, '}'), reply.Values)
}

// Damaged is an error beside which something could be read: the page shows both.
type Damaged struct {
	Err  error
	Info json.RawMessage
}

func (d *Damaged) Error() string { return d.Err.Error() }
func (d *Damaged) Unwrap() error { return d.Err }

func (w *Worker) fail(id int64, err error) {
	f := failureOf(err)
	if id <= 0 {
		// Nobody waits for it: the message is not one of straw.js.
		w.post(protocol.Response{Event: "failed", Data: &protocol.Failed{Message: f.Message}}, nil)
		return
	}
	w.post(protocol.Response{ID: id, Error: f}, nil)
}

func failureOf(err error) *protocol.Failure {
	if errors.Is(err, context.Canceled) {
		return &protocol.Failure{Kind: "aborted", Message: "stopped"}
	}
	in := inspect.FailureOf(err)
	switch in.Kind {
	case "usage": // the page has no kind for what a caller did wrong but this
		in.Kind = "unsupported"
	case "template":
		in.Kind, in.Field = "format", "tokenizer.chat_template"
	}
	f := &protocol.Failure{Kind: in.Kind, Field: in.Field, Message: in.Message}
	if in.Offset != nil {
		o := protocol.Offset(*in.Offset)
		f.Offset = &o
	}
	var placed interface{ Place() (line, column int) }
	if errors.As(err, &placed) {
		f.Line, f.Column = placed.Place()
	}
	if e, ok := errors.AsType[*protocol.Error](err); ok {
		f.Field = e.Field
	}
	if d, ok := errors.AsType[*Damaged](err); ok {
		f.Info = d.Info
	}
	return f
}

func (w *Worker) post(r protocol.Response, values []float32) {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // the protocol's types can all be written
	}
	w.send(text, values)
}
