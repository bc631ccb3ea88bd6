package source

import (
	"testing"

	"straw/gguf"
	"straw/internal/source/sourcetest"
)

// A set is opened from any of its shards, wherever it is.
func testShards(t *testing.T, hold sourcetest.Hold) {
	files := sourcetest.Shards(3)
	fsys := hold(t, files)
	for name := range files {
		f, err := gguf.OpenFS(fsys, name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(f.Shards) != 3 || len(f.Tensors) != 3 {
			t.Errorf("%s: %d shards, %d tensors", name, len(f.Shards), len(f.Tensors))
		}
		p := make([]byte, 128)
		if err := f.ReadTensorAt("t2", p, 0); err != nil || p[3] != 0x40 {
			t.Errorf("%s: t2: %v, % x", name, err, p[:4])
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

func testMissingShard(t *testing.T, hold sourcetest.Hold) {
	files := sourcetest.Shards(3)
	delete(files, "m-00002-of-00003.gguf")
	f, err := gguf.OpenFS(hold(t, files), "m-00001-of-00003.gguf")
	if err == nil || f == nil {
		t.Fatalf("got %v, %v", f, err)
	}
	f.Close()
}

func TestShards(t *testing.T) {
	for name, hold := range map[string]sourcetest.Hold{"files": folder(Options{}), "mapped": folder(Options{Mapped: true}), "memory": memory} {
		t.Run(name, func(t *testing.T) {
			testShards(t, hold)
			testMissingShard(t, hold)
		})
	}
}
