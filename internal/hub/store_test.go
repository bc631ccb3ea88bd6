package hub

import (
	"os"
	"path/filepath"
	"testing"
)

func TestStore(t *testing.T) {
	s := Store{t.TempDir()}
	put := func(rel string, size int) {
		p := filepath.Join(s.Dir, filepath.FromSlash(rel))
		os.MkdirAll(filepath.Dir(p), 0o777)
		if err := os.WriteFile(p, make([]byte, size), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("hf/ann/tiny/a-Q4_0.gguf", 10)
	put("hf/ann/tiny/a-Q8_0.gguf.part", 5)
	put("hf/ann/tiny/a-Q8_0.gguf.part.etag", 3)
	put("hf/bob/big@v%2F1/b-00001-of-00002.gguf", 10)
	put("hf/bob/big@v%2F1/b-00002-of-00002.gguf", 11)
	put("ollama/library/tiny/3b/tiny-3b.gguf", 7)
	put("https/e.com%3A80/x/m.gguf", 8)
	put("https/e.com%3A80/x/notes.txt", 8)

	all, err := s.Models()
	if err != nil {
		t.Fatal(err)
	}
	want := []Model{
		{Name: "hf:ann/tiny:a-Q4_0.gguf", Size: 10},
		{Name: "hf:ann/tiny:a-Q8_0.gguf", Size: 5, Partial: true},
		{Name: "hf:bob/big@v/1:b-00001-of-00002.gguf", Size: 21, Shards: 2},
		{Name: "https://e.com:80/x/m.gguf", Size: 8},
		{Name: "ollama:tiny:3b", Size: 7},
	}
	if len(all) != len(want) {
		t.Fatalf("got %+v", all)
	}
	for i, m := range all {
		w := want[i]
		if m.Name != w.Name || m.Size != w.Size || m.Partial != w.Partial || m.Shards != w.Shards {
			t.Errorf("got %+v, want %+v", m, w)
		}
		if found, err := s.Find(m.Name); err != nil || found.Path != m.Path {
			t.Errorf("%s: found %q, %v", m.Name, found.Path, err)
		}
	}
	for name, want := range map[string]string{"hf:ann/tiny:q4_0": "a-Q4_0.gguf", "hf:ann/tiny": "a-Q4_0.gguf", "hf:bob/big@v/1": "b-00001-of-00002.gguf",
		"https://e.com:80/x/m.gguf?key=1": "m.gguf"} {
		if m, err := s.Find(name); err != nil || filepath.Base(m.Path) != want {
			t.Errorf("%s: found %q, %v", name, m.Path, err)
		}
	}
	for _, name := range []string{"hf:ann/none", "hf:ann/tiny:F16", "https://e.com:80/x/n.gguf", "nothing", "../../etc"} {
		if m, err := s.Find(name); err == nil {
			t.Errorf("%s: found %q", name, m.Path)
		}
	}
	for _, m := range all {
		if n, err := s.Remove(m); err != nil || n != m.Size {
			t.Errorf("%s: %d bytes are free, %v", m.Name, n, err)
		}
	}
	left, _ := filepath.Glob(filepath.Join(s.Dir, "*"))
	if len(left) != 1 || filepath.Base(left[0]) != "https" { // a note of somebody's is in there
		t.Errorf("left: %q", left)
	}
	if all, err := (Store{filepath.Join(s.Dir, "none")}).Models(); err != nil || len(all) != 0 {
		t.Errorf("no folder: %v, %v", all, err)
	}
}
