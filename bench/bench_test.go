package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"straw/gguf"
	"straw/quant"
)

func TestRatios(t *testing.T) {
	v := ratios([2][]float64{{10, 40, 30}, {10, 20, 10}}) // 1, 2, 3
	if v.Straw != 30 || v.Peer != 10 || v.Ratio != 2 || v.Low != 1.5 || v.High != 2.5 {
		t.Errorf("got %+v", v)
	}
	if v := ratios([2][]float64{{0}, {0}}); v.Ratio != 0 || v.text() != "-" {
		t.Errorf("nothing measured: got %+v, %q", v, v.text())
	}
}

func TestArguments(t *testing.T) {
	for _, bad := range []string{"-threads 0", "-threads x", "-threads 1,", "-pp 0 -tg 0", "-pp -1", "-pp 513", "-nothing"} {
		if err := run(context.Background(), strings.Fields(bad), io.Discard, io.Discard); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
	for _, bad := range []string{"nothing.gguf", "llama-1b:Q9", "llama-9b:Q8_0"} {
		if _, err := findModel(context.Background(), bad, t.TempDir(), io.Discard); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
	c, err := parse([]string{"-threads", "2,1", "a.gguf", "all"}, io.Discard)
	if err != nil || len(c.models) != 11 || c.models[1] != "llama-1b:Q8_0" || len(c.threads) != 2 {
		t.Errorf("got %+v, %v", c, err)
	}
}

// TestModel makes a small model and looks at what is in it.
func TestModel(t *testing.T) {
	shapes["tiny"] = &shape{"qwen2", 1, 64, 128, 2, 1, 32, 300, 1e6, 1e-6, true}
	defer delete(shapes, "tiny")
	dir := t.TempDir()
	m, err := findModel(context.Background(), "tiny:q8_0", dir, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if m.label() != "tiny Q8_0" || m.path != filepath.Join(dir, "tiny-Q8_0.gguf") {
		t.Errorf("got %s at %s", m.label(), m.path)
	}
	b, err := os.ReadFile(m.path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := gguf.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	down, ok := f.Lookup("blk.0.ffn_down.weight")
	if !ok || down.Type != quant.Q8_0 || down.Dims[0] != 128 {
		t.Fatalf("got %+v", down)
	}
	x, packed := make([]float32, down.Elements), make([]byte, down.Bytes)
	if err := f.ReadTensorAt(down.Name, packed, 0); err != nil {
		t.Fatal(err)
	}
	quant.Dequantize(down.Type, x, packed)
	var sum, squares float64
	for _, v := range x {
		sum += float64(v)
		squares += float64(v) * float64(v)
	}
	n := float64(len(x))
	if mean, variance := sum/n, squares/n*128; mean < -0.01 || mean > 0.01 || variance < 0.9 || variance > 1.1 {
		t.Errorf("mean %v and variance %v/128, not 0 and 1/128", mean, variance)
	}
	if again, err := findModel(context.Background(), "tiny:Q8_0", dir, io.Discard); err != nil || again.size != m.size {
		t.Errorf("the second time: %+v, %v", again, err)
	}
}

func TestReport(t *testing.T) {
	record := filepath.Join(t.TempDir(), "rows")
	c := &config{record: record}
	rows := []row{
		{Model: "qwen2.5-0.5b Q8_0", Threads: 1, Bytes: 100, Peak: [2]int64{110, 130}},
		{Model: "llama-1b Q8_0", Threads: 2, Bytes: 100, PP: versus{200, 100, 2, 1.9, 2.1}},
		{Model: "llama-1b Q8_0", Threads: 1, Bytes: 100},
		{Model: "llama-1b Q8_0", Threads: 1, Bytes: 100, TG: versus{12, 10, 1.2, 1.1, 1.3}}, // measured again
	}
	for i := range rows {
		if err := c.keep(&rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if err := run(context.Background(), []string{"-report", record}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"| llama-1b Q8_0 | 1 | 0.0 | 0.0 | - | 1.85 | 12.0 | 10.0 | 1.20 (1.10-1.30) | 1.45 | 0.00 | 0.00 | 0.0 |",
		"| qwen2.5-0.5b Q8_0 | 1 | 0.0 | 0.0 | - | 1.67 | 0.0 | 0.0 | - | 1.30 | 1.10 | 1.30 | 0.0 |",
		"| llama-1b Q8_0 | 2 | 200 | 100 | 2.00 (1.90-2.10) | 2.00 | 0.0 | 0.0 | - | 1.95 | 0.00 | 0.00 | 0.0 |",
	}
	if got := strings.Split(strings.TrimSpace(out.String()), "\n")[2:]; strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
