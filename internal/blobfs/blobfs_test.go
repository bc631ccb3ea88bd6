package blobfs

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hack-pad/hackpadfs"

	"straw/gguf"
	"straw/internal/source/sourcetest"
)

var _ hackpadfs.FS = (*FS)(nil)
var _ hackpadfs.StatFS = (*FS)(nil)
var _ hackpadfs.ReadDirFS = (*FS)(nil)

// bytesReader is a blob in memory that notes how it was read.
type bytesReader struct {
	data []byte
	log  [][2]int64
	err  error
}

func (b *bytesReader) ReadSlice(p []byte, off int64) (int, error) {
	b.log = append(b.log, [2]int64{off, int64(len(p))})
	if b.err != nil {
		return 0, b.err
	}
	return copy(p, b.data[min(off, int64(len(b.data))):]), nil
}

// quiet reads without notes, since it is used concurrently.
type quiet []byte

func (q quiet) ReadSlice(p []byte, off int64) (int, error) { return copy(p, q[off:]), nil }

func hold(t *testing.T, files map[string][]byte) fs.FS {
	var blobs []Blob
	for name, data := range files {
		blobs = append(blobs, Blob{Name: name, Size: int64(len(data)), Slices: quiet(data)})
	}
	f, err := New(blobs...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestConformance(t *testing.T) { sourcetest.Test(t, hold) }

func TestIsFileSystem(t *testing.T) {
	fsys := hold(t, map[string][]byte{"a.gguf": []byte("abc"), "b.gguf": {}})
	if err := fstest.TestFS(fsys, "a.gguf", "b.gguf"); err != nil {
		t.Error(err)
	}
	if err := fstest.TestFS(hold(t, nil)); err != nil {
		t.Error(err)
	}
}

func TestShards(t *testing.T) {
	files := sourcetest.Shards(3)
	for name := range files {
		f, err := gguf.OpenFS(hold(t, files), name)
		if err != nil || len(f.Tensors) != 3 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNames(t *testing.T) {
	f, err := New(Blob{Name: "folder/b.gguf"}, Blob{Name: `c:\fakepath\a.gguf`})
	if err != nil || !slices.Equal(f.Names(), []string{"a.gguf", "b.gguf"}) {
		t.Errorf("got %v, %v", f.Names(), err)
	}
	for _, names := range [][]string{{""}, {"x/"}, {".."}, {"."}, {"a", "d/a"}, {"\xff"}} {
		var blobs []Blob
		for _, name := range names {
			blobs = append(blobs, Blob{Name: name})
		}
		if _, err := New(blobs...); err == nil || strings.Contains(err.Error(), "\xff") {
			t.Errorf("%q: got %v", names, err)
		}
	}
}

// Small steps cost one slice a MiB; a large read goes straight to where it is wanted.
func TestSlices(t *testing.T) {
	const size = 5 << 20
	r := &bytesReader{data: make([]byte, size)}
	for i := range r.data {
		r.data[i] = byte(i ^ i>>8 ^ i>>16)
	}
	f, err := New(Blob{Name: "m.gguf", Size: size, Slices: r})
	if err != nil {
		t.Fatal(err)
	}
	file, err := f.Open("m.gguf")
	if err != nil {
		t.Fatal(err)
	}
	at := file.(io.ReaderAt)
	p := make([]byte, 2<<20)
	for off := int64(0); off < 1<<20; off += 1000 {
		if _, err := at.ReadAt(p[:1000], off); err != nil || !bytes.Equal(p[:1000], r.data[off:off+1000]) {
			t.Fatal(off, err)
		}
	}
	if _, err := at.ReadAt(p, 3<<20); err != nil || !bytes.Equal(p, r.data[3<<20:]) {
		t.Error(err)
	}
	if want := [][2]int64{{0, 1 << 20}, {1 << 20, 1 << 20}, {3 << 20, 2 << 20}}; !slices.Equal(r.log, want) {
		t.Errorf("slices %v, want %v", r.log, want)
	}
}

func TestFailures(t *testing.T) {
	for _, tt := range []struct {
		name, message string
		is            error
		words         string
	}{
		{"NotReadableError", "The requested file could not be read, typically due to permission problems", ErrChanged, `read "m.gguf": the file changed since it was chosen`},
		{"NotFoundError", "A requested file could not be found", fs.ErrNotExist, "was moved or deleted"},
		{"SecurityError", "no", fs.ErrPermission, "does not let this page read it: no"},
		{"RangeError", "Array buffer allocation failed", nil, "cannot read it: Array buffer allocation failed"},
		{"EncodingError", "", nil, "cannot read it: EncodingError"},
	} {
		f, _ := New(Blob{Name: "m.gguf", Size: 10, Slices: &bytesReader{err: explain(tt.name, tt.message)}})
		_, err := fs.ReadFile(f, "m.gguf")
		failure, ok := errors.AsType[*Error](err)
		if !ok || failure.Kind() != "io" || !strings.Contains(err.Error(), tt.words) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: got %v", tt.name, err)
		}
	}
	f, _ := New(Blob{Name: "m.gguf", Size: 10, Slices: &bytesReader{data: make([]byte, 7)}})
	if _, err := fs.ReadFile(f, "m.gguf"); !errors.Is(err, ErrChanged) {
		t.Errorf("a short slice: got %v", err)
	}
}
