package source

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hack-pad/hackpadfs"
	"github.com/hack-pad/hackpadfs/mem"

	"straw/internal/source/sourcetest"
)

// folder is a temporary folder of files as a source's file system.
func folder(o Options) func(t *testing.T, files map[string][]byte) fs.FS {
	return func(t *testing.T, files map[string][]byte) fs.FS {
		dir := t.TempDir()
		for name, data := range files {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return opened(t, filepath.Join(dir, first(files)), o)
	}
}

// first is a name that is there to open the folder by.
func first(files map[string][]byte) string { return slices.Min(slices.Collect(maps.Keys(files))) }

func opened(t *testing.T, arg string, o Options) fs.FS {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	s, err := Open(ctx, arg, o)
	if err != nil {
		t.Fatal(err)
	}
	return s.FS
}

// memory is hackpadfs' own file system, which tests and the browser use beside ours.
func memory(t *testing.T, files map[string][]byte) fs.FS {
	fsys, err := mem.NewFS()
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if err := hackpadfs.WriteFullFile(fsys, name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return fsys
}

func TestFiles(t *testing.T) { sourcetest.Test(t, folder(Options{})) }
func TestDirect(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("some"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := openDirect(path)
	if err != nil {
		t.Logf("no direct reads here: %v", err)
		return
	}
	d.Close()
	sourcetest.Test(t, folder(Options{Direct: true}))
}

func TestMapped(t *testing.T) { sourcetest.Test(t, folder(Options{Mapped: true})) }

// A closed file of hackpadfs v0.2.4's memory panics when it is read: our bug, were it to happen.
func TestMemory(t *testing.T) { sourcetest.TestReads(t, memory) }
