package source

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"testing"
)

type placed interface {
	fs.File
	Bytes(off, n int64) ([]byte, error)
	Unchanged() error
}

// Bytes of a mapped file are the file's, in place.
func TestBytes(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789"), 2000)
	path := write(t, "m.gguf", data)
	if _, err := open(t, path, Options{}).(placed).Bytes(0, 1); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("of a file that is read: %v", err)
	}
	file := open(t, path, Options{Mapped: true}).(placed)
	all, err := file.Bytes(0, int64(len(data)))
	if errors.Is(err, errors.ErrUnsupported) {
		t.Log("no mapping here")
		return
	}
	if err != nil || !bytes.Equal(all, data) {
		t.Fatalf("all: %d bytes, %v", len(all), err)
	}
	some, err := file.Bytes(7, 5)
	if err != nil || string(some) != "78901" || cap(some) != 5 || &some[0] != &all[7] {
		t.Errorf("some: %q, %v", some, err)
	}
	for _, r := range [][2]int64{{-1, 1}, {0, -1}, {0, 20001}, {20001, 0}, {1 << 62, 1 << 62}} {
		if _, err := file.Bytes(r[0], r[1]); err == nil {
			t.Errorf("%d bytes from %d: no error", r[1], r[0])
		}
	}
	if err := file.Unchanged(); err != nil {
		t.Error(err)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	if _, err := file.Bytes(0, 1); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("of a closed file: %v", err)
	}
}

// What is mapped late must be the file that was opened.
func TestBytesOfAnother(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"cut": func(path string) error { return os.Truncate(path, 300) },
		"replaced": func(path string) error {
			if err := os.WriteFile(path+".new", make([]byte, 1000), 0o600); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		},
	} {
		path := write(t, "m.gguf", make([]byte, 1000))
		file := open(t, path, Options{Mapped: true}).(placed)
		if err := change(path); err != nil {
			t.Logf("%s: not here: %v", name, err)
			continue
		}
		_, err := file.Bytes(0, 10)
		if !errors.Is(err, ErrChanged) {
			t.Errorf("%s: got %v", name, err)
		}
		if cut := name == "cut"; errors.Is(file.Unchanged(), ErrChanged) != cut { // the one opened is still there
			t.Errorf("%s: got %v", name, file.Unchanged())
		}
	}
}
