package pages

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"
	"unsafe"
)

func TestNew(t *testing.T) {
	for _, n := range []int64{0, 1, 4095, Huge, Huge + 1, 3*Huge - 7} {
		m, err := New(n)
		if err != nil {
			t.Fatal(err)
		}
		b := m.Bytes()
		if int64(len(b)) != n || cap(b) != len(b) {
			t.Fatalf("%d bytes: got %d, room for %d", n, len(b), cap(b))
		}
		if n > 0 && uintptr(unsafe.Pointer(&b[0]))%boundary != 0 {
			t.Errorf("%d bytes begin at %p, not at a multiple of %d", n, &b[0], boundary)
		}
		for i, v := range b {
			if v != 0 {
				t.Fatalf("%d bytes: byte %d is %d", n, i, v)
			}
		}
		for i := range b {
			b[i] = 1 // all can be written
		}
		m.Free()
		m.Free()
		if len(m.Bytes()) != 0 {
			t.Error("freed memory still has bytes")
		}
	}
	(*Memory)(nil).Free()
	if _, err := New(math.MaxInt64); err == nil {
		t.Error("all there is: no error")
	}
	if _, err := New(math.MaxInt - 2*Huge); err == nil {
		t.Error("all addresses: no error")
	}
}

func TestTake(t *testing.T) {
	sizes := []int{1, 64, 0, 65, 4096, 3}
	room := int64(0)
	for _, n := range sizes {
		room += Room(int64(n))
	}
	if room != 64+64+0+128+4096+64 {
		t.Errorf("room for all is %d", room)
	}
	m, err := New(room)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Free()
	var end uintptr
	for _, n := range sizes {
		p := m.Take(n)
		if len(p) != n || cap(p) != n {
			t.Errorf("took %d, got %d of %d", n, len(p), cap(p))
		}
		if n == 0 {
			continue
		}
		at := uintptr(unsafe.Pointer(&p[0]))
		if at%Align != 0 || at < end {
			t.Errorf("%d bytes are at %#x, after %#x", n, at, end)
		}
		end = at + uintptr(n)
	}
	defer func() {
		if recover() == nil {
			t.Error("took more than there is")
		}
	}()
	m.Take(1)
}

func TestMap(t *testing.T) {
	for _, n := range []int{0, 1, 4096, 10_000} {
		path := filepath.Join(t.TempDir(), "file")
		want := bytes.Repeat([]byte("straw"), n/5+1)[:n]
		if err := os.WriteFile(path, want, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Map(f.Fd(), int64(n))
		f.Close()
		if err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		if !bytes.Equal(m.Bytes(), want) {
			t.Errorf("%d bytes: the mapping has others than the file", n)
		}
		m.Free()
		m.Free()
	}
	if _, err := Map(^uintptr(0), 1); err == nil {
		t.Error("no file: no error")
	}
}
