// Package sourcetest is what every source of bytes must pass, whatever is behind it.
package sourcetest

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"sync"
	"testing"
)

// Hold makes a file system that has the given files.
type Hold func(t *testing.T, files map[string][]byte) fs.FS

// Test tries a kind of source: what TestReads does, and that closed files refuse.
func Test(t *testing.T, hold Hold) {
	fsys := TestReads(t, hold)
	t.Run("Closed", func(t *testing.T) { testClosed(t, fsys) })
}

// TestReads tries all that concerns open files, and returns the file system.
func TestReads(t *testing.T, hold Hold) fs.FS {
	files := map[string][]byte{
		"empty.gguf":                {},
		"one.gguf":                  {7},
		"m-00001-of-00002.gguf":     noise(2<<20 + 17),
		"m-00002-of-00002.gguf":     noise(1 << 20),
		"m öd 100% #1? [x].q4.gguf": noise(5000),
	}
	fsys := hold(t, files)
	t.Run("Stat", func(t *testing.T) { testStat(t, fsys, files) })
	t.Run("Missing", func(t *testing.T) { testMissing(t, fsys) })
	t.Run("ReadAt", func(t *testing.T) { testReadAt(t, fsys, files) })
	t.Run("Concurrent", func(t *testing.T) { testConcurrent(t, fsys, files) })
	t.Run("Sequential", func(t *testing.T) { testSequential(t, fsys, files) })
	return fsys
}

// noise is n bytes that no shift or copy of them equals.
func noise(n int) []byte {
	p := make([]byte, n)
	r := random(n)
	for i := range p {
		p[i] = byte(r.below(256))
	}
	return p
}

// random is a small generator (a 64-bit linear congruential one, with Knuth's multiplier): the same numbers each time.
type random uint64

func (r *random) below(n int) int {
	*r = *r*6364136223846793005 + 1442695040888963407
	return int(uint64(*r>>33) % uint64(n))
}

func open(t *testing.T, fsys fs.FS, name string) (fs.File, io.ReaderAt) {
	t.Helper()
	file, err := fsys.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	at, ok := file.(io.ReaderAt)
	if !ok {
		t.Fatalf("%s: %T has no ReadAt", name, file)
	}
	return file, at
}

func testStat(t *testing.T, fsys fs.FS, files map[string][]byte) {
	for name, data := range files {
		file, _ := open(t, fsys, name)
		info, err := file.Stat()
		if err != nil || info.Size() != int64(len(data)) || info.IsDir() || info.Name() != name || !info.Mode().IsRegular() {
			t.Errorf("%s: got %v, %v", name, info, err)
		}
		if err := file.Close(); err != nil {
			t.Errorf("%s: close: %v", name, err)
		}
	}
}

func testMissing(t *testing.T, fsys fs.FS) {
	if file, err := fsys.Open("m-00003-of-00002.gguf"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, %v", file, err)
	}
	for _, name := range []string{"", "../one.gguf", "/one.gguf", "./one.gguf", "a//b"} {
		if file, err := fsys.Open(name); err == nil {
			t.Errorf("%q: got %v", name, file)
		}
	}
}

// testReadAt holds ReadAt to the contract of io.ReaderAt.
func testReadAt(t *testing.T, fsys fs.FS, files map[string][]byte) {
	for name, data := range files {
		file, at := open(t, fsys, name)
		size := len(data)
		for _, off := range []int{0, 1, 2, size / 2, 1<<20 - 3, 1 << 20, size - 1, size, size + 1, size + 1<<21} {
			for _, n := range []int{0, 1, 4096, 1<<20 + 1} {
				if off < 0 {
					continue
				}
				p := make([]byte, n+2) // a guard on either side
				p[0], p[n+1] = 0xaa, 0xaa
				got, err := at.ReadAt(p[1:n+1:n+1], int64(off))
				want := max(0, min(n, size-off))
				switch {
				case got != want:
					t.Errorf("%s: ReadAt(%d bytes, %d) = %d, %v; want %d", name, n, off, got, err, want)
				case n > 0 && want < n && err != io.EOF:
					t.Errorf("%s: ReadAt(%d bytes, %d): got %v, want EOF", name, n, off, err)
				case want == n && off+n < size && err != nil:
					t.Errorf("%s: ReadAt(%d bytes, %d): got %v", name, n, off, err)
				case want == n && err != nil && err != io.EOF: // at the very end either is allowed
					t.Errorf("%s: ReadAt(%d bytes, %d): got %v", name, n, off, err)
				}
				if got == want && got > 0 && !bytes.Equal(p[1:got+1], data[off:off+got]) || p[0] != 0xaa || p[n+1] != 0xaa {
					t.Errorf("%s: ReadAt(%d bytes, %d): wrong bytes", name, n, off)
				}
			}
		}
		if got, err := at.ReadAt(make([]byte, 4), -1); got != 0 || err == nil || err == io.EOF {
			t.Errorf("%s: a negative offset gives %d, %v", name, got, err)
		}
		file.Close()
	}
}

func testConcurrent(t *testing.T, fsys fs.FS, files map[string][]byte) {
	const name = "m-00001-of-00002.gguf"
	data := files[name]
	file, at := open(t, fsys, name)
	defer file.Close()
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			r := random(g)
			for range 20 {
				n := 1 + r.below(1<<(4+r.below(17)))
				off := r.below(len(data) - n)
				p := make([]byte, n)
				if got, err := at.ReadAt(p, int64(off)); got != n || err != nil || !bytes.Equal(p, data[off:off+n]) {
					t.Errorf("ReadAt(%d bytes, %d) = %d, %v", n, off, got, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func testSequential(t *testing.T, fsys fs.FS, files map[string][]byte) {
	for name, data := range files {
		file, _ := open(t, fsys, name)
		got, err := io.ReadAll(file)
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: read %d of %d bytes, %v", name, len(got), len(data), err)
		}
		file.Close()
	}
}

func testClosed(t *testing.T, fsys fs.FS) {
	file, at := open(t, fsys, "m-00002-of-00002.gguf")
	other, otherAt := open(t, fsys, "m-00002-of-00002.gguf")
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	if n, err := at.ReadAt(make([]byte, 1), 0); n != 0 || !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after Close: got %d, %v", n, err)
	}
	if _, err := otherAt.ReadAt(make([]byte, 1), 0); err != nil {
		t.Errorf("another handle: %v", err)
	}
	other.Close()
}
