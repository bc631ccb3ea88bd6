package blobfs

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"strings"
	"syscall/js"
	"testing"
	"time"

	"straw/internal/source/sourcetest"
)

func eval(code string) js.Value { return js.Global().Call("eval", code) }

// blobOf is a real Blob of the bytes.
func blobOf(data []byte) js.Value {
	u := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(u, data)
	return js.Global().Get("Blob").New([]any{u})
}

func holdJS(t *testing.T, files map[string][]byte) fs.FS {
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	var blobs []js.Value
	var names []string
	for name, data := range files {
		blobs, names = append(blobs, blobOf(data)), append(names, name)
	}
	f, err := FromJS(ctx, blobs, names)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// withSync gives Node, which has no worker's FileReaderSync, one for blobs that hold their bytes in the open.
func withSync(t *testing.T) {
	t.Helper()
	eval(`globalThis.FileReaderSync = class { readAsArrayBuffer(blob) { return blob.bytesNow(); } };
	globalThis.OpenBlob = class extends Blob {
		constructor(u) { super([]); this.u = u; }
		get size() { return this.u.length; }
		slice(a, b) { return new OpenBlob(this.u.subarray(a, b)); }
		bytesNow() { return this.u.slice().buffer; }
	}`)
	t.Cleanup(func() { eval(`delete globalThis.FileReaderSync; delete globalThis.OpenBlob`) })
}

func TestPromises(t *testing.T) { sourcetest.Test(t, holdJS) }

func TestSync(t *testing.T) {
	withSync(t)
	sourcetest.Test(t, func(t *testing.T, files map[string][]byte) fs.FS {
		var blobs []js.Value
		var names []string
		for name, data := range files {
			u := js.Global().Get("Uint8Array").New(len(data))
			js.CopyBytesToJS(u, data)
			blobs, names = append(blobs, js.Global().Get("OpenBlob").New(u)), append(names, name)
		}
		f, err := FromJS(context.Background(), blobs, names)
		if err != nil {
			t.Fatal(err)
		}
		return f
	})
}

func TestPieces(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789abcdef"), (2*pieceBytes+1600)/16)
	got, err := fs.ReadFile(holdJS(t, map[string][]byte{"m.gguf": data}), "m.gguf")
	if err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestFileObject(t *testing.T) {
	file := eval(`typeof File == "undefined" ? new (require("buffer").File)(["abc"], "m.gguf", {lastModified: 1700000000123}) : new File(["abc"], "m.gguf", {lastModified: 1700000000123})`)
	f, err := FromJS(context.Background(), []js.Value{file}, []string{"m.gguf"})
	if err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat("m.gguf")
	if err != nil || info.Size() != 3 || !info.ModTime().Equal(time.UnixMilli(1700000000123)) {
		t.Errorf("got %v, %v", info, err)
	}
	for _, v := range []js.Value{js.Null(), js.ValueOf("x"), eval(`({size: 3})`), js.Undefined()} {
		if _, err := FromJS(context.Background(), []js.Value{v}, []string{"m.gguf"}); err == nil {
			t.Errorf("%v was taken for a file", v)
		}
	}
}

// Files that fail as a browser's do when they changed or vanished on the disk.
func TestThrown(t *testing.T) {
	const failing = `(name => { const b = new Blob(["0123456789"]); b.slice = () => { const s = new Blob([]);
		s.arrayBuffer = () => Promise.reject(new DOMException("in the browser's words", name));
		s.bytesNow = () => { throw new DOMException("in the browser's words", name); };
		return s; }; return b; })`
	check := func(t *testing.T) {
		for name, want := range map[string]error{"NotReadableError": ErrChanged, "NotFoundError": fs.ErrNotExist, "SecurityError": fs.ErrPermission} {
			f, err := FromJS(context.Background(), []js.Value{eval(failing).Invoke(name)}, []string{"m.gguf"})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := fs.ReadFile(f, "m.gguf"); !errors.Is(err, want) || !strings.HasPrefix(err.Error(), `read "m.gguf": `) {
				t.Errorf("%s: got %v", name, err)
			}
		}
	}
	t.Run("promises", check)
	withSync(t)
	t.Run("sync", check)
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	f, err := FromJS(ctx, []js.Value{eval(`(() => { const b = new Blob(["0123456789"]); b.slice = () => ({arrayBuffer: () => new Promise(() => {})}); return b; })()`)}, []string{"m.gguf"})
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(time.Millisecond, cancel)
	if _, err := fs.ReadFile(f, "m.gguf"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
