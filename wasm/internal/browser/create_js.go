package browser

import (
	"context"
	"fmt"
	"syscall/js"

	"straw/internal/promise"
	"straw/wasm/internal/worker"
	"straw/wasm/protocol"
)

// Create begins a file of the page: a FileSystemFileHandle, whose file is replaced when the new one is whole, or a WritableStream. What is written over
// a file goes into a copy that the browser keeps, and takes the file's place as a whole too.
func Create(ctx context.Context, object any, over bool) (worker.Output, error) {
	target := object.(js.Value)
	isHandle := target.Get("createWritable").Type() == js.TypeFunction
	if over && !isHandle {
		return nil, &protocol.Error{Field: "target", Message: "only the file of a handle can be changed in place"}
	}
	if isHandle {
		stream, err := promise.Await(ctx, target.Call("createWritable", map[string]any{"keepExistingData": over}))
		if err != nil {
			return nil, &saveError{err}
		}
		target = stream
	}
	return &output{ctx: ctx, writer: target.Call("getWriter"), buffer: make([]byte, 0, outputPiece)}, nil
}

// outputPiece is how many bytes cross at a time.
const outputPiece = 1 << 20

// output writes pieces to a stream, each when the stream has taken the one before.
type output struct {
	ctx    context.Context
	writer js.Value // WritableStreamDefaultWriter
	buffer []byte
}

func (o *output) Write(p []byte) (n int, err error) {
	for len(p) > 0 {
		k := min(len(p), cap(o.buffer)-len(o.buffer))
		o.buffer = append(o.buffer, p[:k]...)
		p, n = p[k:], n+k
		if len(o.buffer) == cap(o.buffer) {
			if err := o.flush(); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

func (o *output) flush() error {
	if len(o.buffer) == 0 {
		return nil
	}
	piece := js.Global().Get("Uint8Array").New(len(o.buffer))
	js.CopyBytesToJS(piece, o.buffer)
	o.buffer = o.buffer[:0]
	return o.settle(o.writer.Call("write", piece))
}

func (o *output) settle(p js.Value) error {
	if _, err := promise.Await(o.ctx, p); err != nil {
		if o.ctx.Err() != nil {
			return o.ctx.Err()
		}
		return &saveError{err}
	}
	return nil
}

// Close makes the file whole.
func (o *output) Close() error {
	if err := o.flush(); err != nil {
		o.Abort()
		return err
	}
	return o.settle(o.writer.Call("close"))
}

// Abort leaves what was there before. What the stream says to that changes nothing.
func (o *output) Abort() {
	gone := o.writer.Call("abort")
	_, _ = promise.Await(context.Background(), gone)
}

// saveError is what the browser says of a file that could not be written.
type saveError struct{ err error }

func (e *saveError) Error() string { return fmt.Sprintf("the file could not be written: %v", e.err) }
func (e *saveError) Unwrap() error { return e.err }
func (e *saveError) Kind() string  { return "io" }
