package quantize

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"straw/gguf"
	"straw/quant"
)

// demoDir is the folder of the demo model's files beside the repository, "" if it is not there.
func demoDir(t *testing.T) string {
	dir := filepath.Join("..", "..", "..", "shared", "demo")
	if _, err := os.Stat(dir); err != nil {
		t.Log("no shared folder beside the repository: its demo model is left out")
		return ""
	}
	return dir
}

func open(t *testing.T, name string) *gguf.File {
	t.Helper()
	f, err := gguf.OpenFS(os.DirFS(filepath.Dir(name)), filepath.Base(name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func converted(t *testing.T, f *gguf.File, o Options) *gguf.File {
	t.Helper()
	j, err := Plan(f, o)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := j.Write(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	if size, err := j.Size(); err != nil || size != int64(out.Len()) {
		t.Fatalf("%d bytes, announced %d, %v", out.Len(), size, err)
	}
	g, err := gguf.Open(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func mix(t *testing.T, name string) Mix {
	t.Helper()
	m, ok := ParseMix(name)
	if !ok {
		t.Fatalf("no mix %s", name)
	}
	return m
}

// The demo model's files were written by llama-quantize from the F32 one: ours have the same types and sizes, and are no
// farther from the F32 weights.
func TestDemoTypes(t *testing.T) {
	dir := demoDir(t)
	if dir == "" {
		return
	}
	src := open(t, filepath.Join(dir, "sip-tales-3m-F32.gguf"))
	names, _ := filepath.Glob(filepath.Join(dir, "*.gguf"))
	if testing.Short() {
		names = names[len(names)-3:]
	}
	for _, name := range names {
		m := mix(t, strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), "sip-tales-3m-"), ".gguf"))
		want := open(t, name)
		got := converted(t, src, Options{Mix: m, Threads: 2})
		if got.Size != want.Size {
			t.Logf("%s: %d bytes, llama-quantize wrote %d", m.Name, got.Size, want.Size)
		}
		for i := range got.Tensors {
			g := &got.Tensors[i]
			w, ok := want.Lookup(g.Name)
			if !ok || g.Type != w.Type {
				t.Errorf("%s: %s is %s, not as in the file of llama-quantize", m.Name, g.Name, g.Type)
				continue
			}
			if a, b := distance(t, src, got, g.Name), distance(t, src, want, g.Name); a > 1.02*b {
				t.Errorf("%s: %s: distance %.5f, that of llama-quantize %.5f", m.Name, g.Name, a, b)
			}
		}
		if name, guessed := got.FileType(); name != m.Name || guessed {
			t.Errorf("%s: file type %s", m.Name, name)
		}
	}
}

func values(t *testing.T, f *gguf.File, name string) []float32 {
	t.Helper()
	x, ok := f.Lookup(name)
	if !ok {
		t.Fatalf("no tensor %s", name)
	}
	b := make([]byte, x.Bytes)
	if err := f.ReadTensorAt(name, b, 0); err != nil {
		t.Fatal(err)
	}
	v := make([]float32, x.Elements)
	quant.Dequantize(x.Type, v, b)
	return v
}

func distance(t *testing.T, a, b *gguf.File, name string) float64 {
	t.Helper()
	var diff, norm float64
	y := values(t, b, name)
	for i, x := range values(t, a, name) {
		d := float64(x) - float64(y[i])
		diff += d * d
		norm += float64(x) * float64(x)
	}
	return math.Sqrt(diff / norm)
}
