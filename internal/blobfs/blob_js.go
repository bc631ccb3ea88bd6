package blobfs

import (
	"context"
	"errors"
	"syscall/js"
	"time"

	"straw/internal/promise"
)

// pieceBytes bounds one slice: its bytes lie in the browser's memory before they are copied to ours.
const pieceBytes = 8 << 20

// FromJS makes the file system of JavaScript's File or Blob objects. names[i] belongs to blobs[i]; it is needed since a
// Blob has none. ctx bounds all reads.
//
// In a worker, files are read by FileReaderSync, where the page waits for nobody. Where that is absent, each read
// waits for a promise, and must therefore not happen on the goroutine that runs a js.Func.
func FromJS(ctx context.Context, blobs []js.Value, names []string) (*FS, error) {
	if len(blobs) != len(names) {
		return nil, errors.New("as many names as files are needed")
	}
	all := make([]Blob, len(blobs))
	for i, v := range blobs {
		if !isBlob(v) {
			return nil, &Error{Op: "open", Name: names[i], Err: errors.New("it is neither a File nor a Blob")}
		}
		all[i] = Blob{Name: names[i], Size: int64(v.Get("size").Float()), Slices: readerOf(ctx, v)}
		if ms := v.Get("lastModified"); ms.Type() == js.TypeNumber {
			all[i].Modified = time.UnixMilli(int64(ms.Float()))
		}
	}
	return New(all...)
}

func isBlob(v js.Value) bool {
	class := js.Global().Get("Blob")
	return v.Type() == js.TypeObject && class.Truthy() && v.InstanceOf(class)
}

func readerOf(ctx context.Context, blob js.Value) SliceReader {
	if class := js.Global().Get("FileReaderSync"); class.Truthy() {
		return &syncReader{ctx: ctx, blob: blob, reader: class.New()}
	}
	return &asyncReader{ctx: ctx, blob: blob}
}

// syncReader blocks its worker until the bytes are there.
type syncReader struct {
	ctx    context.Context
	blob   js.Value
	reader js.Value // a FileReaderSync
}

func (r *syncReader) ReadSlice(p []byte, off int64) (int, error) {
	return pieces(r.ctx, p, off, func(from, to int64) (js.Value, error) {
		return try(func() js.Value { return r.reader.Call("readAsArrayBuffer", slice(r.blob, from, to)) })
	})
}

// asyncReader waits for a promise.
type asyncReader struct {
	ctx  context.Context
	blob js.Value
}

func (r *asyncReader) ReadSlice(p []byte, off int64) (int, error) {
	return pieces(r.ctx, p, off, func(from, to int64) (js.Value, error) {
		pending, err := try(func() js.Value { return slice(r.blob, from, to).Call("arrayBuffer") })
		if err != nil {
			return js.Undefined(), err
		}
		buffer, err := promise.Await(r.ctx, pending)
		if rejected, ok := errors.AsType[*promise.Rejected](err); ok {
			err = explain(rejected.Name(), rejected.Error())
		}
		return buffer, err
	})
}

func slice(blob js.Value, from, to int64) js.Value {
	return blob.Call("slice", float64(from), float64(to))
}

// pieces fills p by slices of bounded size. A short one ends it; whoever asked knows the size.
func pieces(ctx context.Context, p []byte, off int64, read func(from, to int64) (js.Value, error)) (int, error) {
	n := 0
	for n < len(p) {
		if ctx.Err() != nil {
			return n, context.Cause(ctx)
		}
		want := min(len(p)-n, pieceBytes)
		buffer, err := read(off+int64(n), off+int64(n+want))
		if err != nil {
			return n, err
		}
		got := js.CopyBytesToGo(p[n:n+want], js.Global().Get("Uint8Array").New(buffer))
		n += got
		if got < want {
			break
		}
	}
	return n, nil
}

// try calls into JavaScript and returns what that throws.
func try(call func() js.Value) (v js.Value, err error) {
	defer func() {
		switch thrown := recover().(type) {
		case nil:
		case js.Error:
			rejected := promise.Rejected{Value: thrown.Value}
			err = explain(rejected.Name(), rejected.Error())
		default:
			panic(thrown)
		}
	}()
	return call(), nil
}
