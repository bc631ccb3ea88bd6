package source

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// write makes a file of its own folder and returns its path.
func write(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, path string, o Options) fs.File {
	t.Helper()
	s, err := Open(context.Background(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	file, err := s.FS.Open(s.Name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

func TestPaths(t *testing.T) {
	path := write(t, "m öd (1).gguf", []byte("GGUF"))
	dir := filepath.Dir(path)
	sub := filepath.Join(dir, "sub")
	if err := os.Mkdir(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(sub)
	for _, arg := range []string{path, "../m öd (1).gguf", "./../m öd (1).gguf", sub + "/../m öd (1).gguf", "..//m öd (1).gguf"} {
		s, err := Open(context.Background(), arg, Options{})
		if err != nil {
			t.Errorf("%s: %v", arg, err)
			continue
		}
		if s.Name != "m öd (1).gguf" || s.Size != 4 || s.Label != arg {
			t.Errorf("%s: got %+v", arg, s)
		}
		if got, err := os.ReadFile(s.Path); err != nil || string(got) != "GGUF" {
			t.Errorf("%s: path %q: %q, %v", arg, s.Path, got, err)
		}
		if got, err := fs.ReadFile(s.FS, s.Name); err != nil || string(got) != "GGUF" {
			t.Errorf("%s: %q, %v", arg, got, err)
		}
	}
}

// A link's ".." is its target's parent, and the siblings of a linked file are those beside the link.
func TestPathsThroughLinks(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"cache/blobs", "cache/snapshot"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "cache/blobs/abc"), []byte("GGUF"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../blobs/abc", filepath.Join(dir, "cache/snapshot/m.gguf")); err != nil {
		t.Logf("no links here: %v", err)
		return
	}
	if err := os.Symlink("cache/snapshot", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for arg, name := range map[string]string{
		filepath.Join(dir, "link/m.gguf"): "m.gguf",
		dir + "/link/../blobs/abc":        "abc",
	} {
		s, err := Open(context.Background(), arg, Options{})
		if err != nil {
			t.Errorf("%s: %v", arg, err)
			continue
		}
		if s.Name != name || s.Size != 4 {
			t.Errorf("%s: got %+v", arg, s)
		}
	}
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		arg, message string
		is           error
	}{
		{"", `open "": no file is named`, nil},
		{"-", "open standard input: a model needs random access, which a pipe or a device has not; save it to a file first", ErrStream},
		{"file:///m.gguf", "open file:///m.gguf: of addresses only http and https can be read; else give a path", nil},
		{dir + "/absent.gguf", "open " + dir + "/absent.gguf: no such file", fs.ErrNotExist},
		{dir + "/absent/../x", "open " + dir + "/absent/../x: no such file", fs.ErrNotExist},
		{dir, "open " + dir + ": is a folder; name a model file in it", nil},
		{".", "open .: is a folder; name a model file in it", nil},
		{os.DevNull, "open " + os.DevNull + ": a model needs random access, which a pipe or a device has not; save it to a file first", ErrStream},
		{dir + "/a\x1b[31m", `open "` + dir + `/a\x1b[31m": no such file`, fs.ErrNotExist},
		{dir + "/\xff", `open "` + dir + `/\xff": the path is not UTF-8; rename the file or link to it`, nil},
	} {
		for _, mapped := range []bool{false, true} {
			_, err := Open(context.Background(), tt.arg, Options{Mapped: mapped})
			failure, ok := errors.AsType[*Error](err)
			if !ok || failure.Kind() != "io" || err.Error() != tt.message || (tt.is != nil && !errors.Is(err, tt.is)) {
				t.Errorf("%q: got %v, want %s", tt.arg, err, tt.message)
			}
		}
	}
}

func TestPermission(t *testing.T) {
	path := write(t, "m.gguf", []byte("GGUF"))
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(path); err == nil {
		f.Close()
		t.Log("this user may read everything")
		return
	}
	if _, err := Open(context.Background(), path, Options{}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("got %v", err)
	}
}

func TestChanges(t *testing.T) {
	for _, mapped := range []bool{false, true} {
		for name, change := range map[string]func(path string) error{
			"truncated to nothing": func(path string) error { return os.Truncate(path, 0) },
			"truncated":            func(path string) error { return os.Truncate(path, 300_000) },
			"grown":                func(path string) error { return os.Truncate(path, 2<<20) },
			"rewritten":            func(path string) error { return os.Chtimes(path, time.Time{}, time.Now().Add(time.Minute)) },
		} {
			path := write(t, "m.gguf", make([]byte, 1<<20))
			file := open(t, path, Options{Mapped: mapped})
			at := file.(io.ReaderAt)
			p := make([]byte, 64<<10)
			if n, err := at.ReadAt(p, 900_000); n != len(p) || err != nil {
				t.Fatalf("%s: before: %d, %v", name, n, err)
			}
			if err := change(path); err != nil {
				t.Fatal(err)
			}
			for _, off := range []int64{0, 290_000, 900_000, 1<<20 - 5, 3 << 20} {
				_, err := at.ReadAt(p, off)
				if !errors.Is(err, ErrChanged) {
					t.Errorf("%s, mapped %v, offset %d: got %v", name, mapped, off, err)
				}
			}
		}
	}
}

// A file that was deleted or replaced is still there for those who hold it open.
func TestDeletedWhileOpen(t *testing.T) {
	for _, mapped := range []bool{false, true} {
		path := write(t, "m.gguf", []byte("GGUF"))
		at := open(t, path, Options{Mapped: mapped}).(io.ReaderAt)
		if err := os.Remove(path); err != nil {
			t.Logf("no deleting of open files here: %v", err)
			return
		}
		p := make([]byte, 4)
		if _, err := at.ReadAt(p, 0); err != nil || string(p) != "GGUF" {
			t.Errorf("got %q, %v", p, err)
		}
	}
}
