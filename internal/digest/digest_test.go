package digest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"testing"

	"straw/gguf"
	"straw/internal/demo"
	"straw/quant"
)

func sum(b ...[]byte) string {
	h := sha256.Sum256(bytes.Join(b, nil))
	return hex.EncodeToString(h[:])
}

// file holds tensors of these sizes, of bytes that tell them apart.
func file(t *testing.T, sizes ...int) (raw []byte, contents [][]byte) {
	t.Helper()
	var d gguf.Draft
	for i, n := range sizes {
		p := bytes.Repeat([]byte{byte(i + 1), byte(n)}, n)[:n]
		contents = append(contents, p)
		if err := d.Add(string(rune('a'+i)), []uint64{uint64(n)}, quant.I8, func(w io.Writer) error { _, err := w.Write(p); return err }); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if _, err := d.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), contents
}

func open(t *testing.T, raw []byte) *gguf.File {
	t.Helper()
	f, err := gguf.Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func check(t *testing.T, raw []byte, contents [][]byte) {
	t.Helper()
	s, err := Of(t.Context(), open(t, raw), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Files[0].SHA256 != sum(raw) || s.Files[0].Bytes != int64(len(raw)) {
		t.Errorf("file: %+v", s.Files)
	}
	if s.All != sum(contents...) {
		t.Errorf("all: %s, want %s", s.All, sum(contents...))
	}
	if len(s.Tensors) != len(contents) {
		t.Fatalf("%d tensors, want %d", len(s.Tensors), len(contents))
	}
	for i, c := range contents {
		if s.Tensors[i].SHA256 != sum(c) || s.Tensors[i].Bytes != int64(len(c)) {
			t.Errorf("tensor %d: %+v", i, s.Tensors[i])
		}
	}
}

func TestSums(t *testing.T) {
	for name, sizes := range map[string][]int{
		"one":                    {5},
		"several in a piece":     {1, 32, 33, 0, 7},
		"over several pieces":    {3*piece + 1, 1, piece},
		"none":                   {},
		"empty ones at the ends": {0, 64, 0},
	} {
		t.Run(name, func(t *testing.T) { raw, contents := file(t, sizes...); check(t, raw, contents) })
	}
}

// The sums of tensors follow the directory, wherever the data lies.
func TestOutOfOrder(t *testing.T) {
	raw, contents := file(t, 32, 32)
	at := bytes.Index(raw, append(append([]byte{1, 0, 0, 0}, binary.LittleEndian.AppendUint64(nil, 32)...), 24, 0, 0, 0)) + 16
	raw[at] = 32 // the first tensor's offset, and the second's
	at += bytes.Index(raw[at:], append([]byte{24, 0, 0, 0}, 32)) + 4
	raw[at] = 0
	contents[0], contents[1] = contents[1], contents[0]
	check(t, raw, contents)
}

// The sums of the demo model as sha256sum and llama.cpp's gguf_hash.py (gguf-py, v0.5.0) write them.
func TestDemo(t *testing.T) {
	f, err := gguf.Open(demo.Open())
	if err != nil {
		t.Fatal(err)
	}
	s, err := Of(t.Context(), f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for what, x := range map[string][2]string{
		"file":        {s.Files[0].SHA256, "72252f57802f4bbe0e1da4e67ba0751deb4dfa1e48df1113923a49c41f6d2281"},
		"all tensors": {s.All, "8a1d84d33d623bdf61e433edf383998f2d6492919e7ada68ad9264dcbde4193f"},
		"uuid":        {s.UUID, "7578e926-b7c8-5b22-aa47-7b832ad5a994"},
		"first":       {s.Tensors[0].SHA256, "4159caeb2b6555f38eb913e8577162248403cda2b6f939f5cf5152d3a376eacf"},
		"last":        {s.Tensors[37].SHA256, "a06343625d12aa74da7d88814ca0b4182a061ba687f5fe8ee8536b64f303bcd5"},
	} {
		if x[0] != x[1] {
			t.Errorf("%s: %s, want %s", what, x[0], x[1])
		}
	}
}

func TestShardsHaveTheSumOfTheWhole(t *testing.T) {
	f, err := gguf.OpenFS(os.DirFS("../../testdata/corpus/good/split_3"), "m-00001-of-00003.gguf")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := Of(t.Context(), f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := sha256.New()
	for _, tensor := range f.Tensors {
		p := make([]byte, tensor.Bytes)
		if err := f.ReadRawAt(tensor.Name, p, 0); err != nil {
			t.Fatal(err)
		}
		all.Write(p)
	}
	if len(s.Files) != 3 || len(s.Tensors) != len(f.Tensors) || s.All != hexed(all) {
		t.Errorf("%+v", s)
	}
}

func TestStops(t *testing.T) {
	raw, _ := file(t, 3*piece)
	ctx, cancel := context.WithCancel(t.Context())
	reads := 0
	_, err := Of(ctx, open(t, raw), Options{Progress: func(done, total int64) {
		if reads++; done > total || total != int64(len(raw)) {
			t.Errorf("%d of %d", done, total)
		}
		cancel()
	}})
	if !errors.Is(err, context.Canceled) || reads != 1 {
		t.Errorf("%v after %d reads", err, reads)
	}
}
