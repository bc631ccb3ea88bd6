package main

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

func TestBill(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "lock.json")
	err := os.WriteFile(lock, []byte(`{"packages": {"": {"version": "1"}, "node_modules/@a/b": {"version": "2.0.0"}, "node_modules/x/node_modules/y": {"version": "3.0.0"},
		"node_modules/tool": {"version": "4.0.0", "dev": true}}}`), 0o666)
	if err != nil {
		t.Fatal(err)
	}
	info := &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Path: "straw"}, Deps: []*debug.Module{{Path: "example.org/m", Version: "v1.2.3"}}}
	got, err := billOfMaterials(info, lock)
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  "bomFormat": "CycloneDX",
  "specVersion": "1.5",
  "version": 1,
  "metadata": {
    "component": {
      "type": "application",
      "name": "straw"
    }
  },
  "components": [
    {
      "type": "library",
      "name": "example.org/m",
      "version": "v1.2.3",
      "purl": "pkg:golang/example.org/m@v1.2.3"
    },
    {
      "type": "platform",
      "name": "go",
      "version": "1.26.0",
      "purl": "pkg:golang/std@1.26.0"
    },
    {
      "type": "library",
      "name": "@a/b",
      "version": "2.0.0",
      "purl": "pkg:npm/%40a/b@2.0.0"
    },
    {
      "type": "library",
      "name": "y",
      "version": "3.0.0",
      "purl": "pkg:npm/y@3.0.0"
    }
  ]
}
`
	if string(got) != want {
		t.Errorf("%s", got)
	}
}

func TestSums(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"b": "abc", "a/c": ""} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := sums(dir); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	// the sums of nothing and of "abc", FIPS 180-2
	want := "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a/c\nba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b\n"
	if string(got) != want {
		t.Errorf("%s", got)
	}
}
