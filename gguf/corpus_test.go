package gguf

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// corpora are the folders with good, bad and either: that of the repository, and the whole one beside it if it is there.
func corpora(tb testing.TB) []string {
	dirs := []string{filepath.Join("..", "testdata", "corpus")}
	if shared := filepath.Join("..", "..", "shared", "corpus"); exists(shared) {
		dirs = append(dirs, shared)
	} else {
		tb.Log("no shared folder beside the repository: its corpus is left out")
	}
	return dirs
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// expected is an entry of expected.json.
type expected struct {
	Entry      string
	Version    uint32
	Alignment  uint64
	DataOffset *int64 `json:"data_offset"`
	FileSize   int64  `json:"file_size"`
	NKV        *int   `json:"n_kv"`
	NTensors   int    `json:"n_tensors"`
	KV         json.RawMessage
	Tensors    []json.RawMessage
}

type expectedKV struct {
	Key   any
	Type  string
	Elem  string
	N     int
	Value any
}

type expectedTensor struct {
	Name      any
	Dims      []json.Number
	Type      uint32
	TypeName  string `json:"type_name"`
	NElements uint64 `json:"n_elements"`
	Offset    uint64
	AbsOffset int64 `json:"abs_offset"`
	NBytes    *int64
}

// The twin of compare_inspect.py.
func TestCorpus(t *testing.T) {
	for _, dir := range corpora(t) {
		for _, kind := range []string{"good", "bad", "either"} {
			for name, want := range readExpected(t, filepath.Join(dir, kind, "expected.json")) {
				path := filepath.Join(dir, kind, name, want.Entry)
				t.Run(kind+"/"+name, func(t *testing.T) {
					f, err := OpenFS(os.DirFS(filepath.Dir(path)), filepath.Base(path))
					if f == nil {
						t.Fatal(err)
					}
					defer f.Close()
					switch {
					case kind == "bad":
						checkRefusal(t, err)
					case err != nil:
						t.Error(err)
					default:
						checkFile(t, f, want)
						if kind == "either" && len(f.Findings) == 0 {
							t.Error("opened without a finding")
						}
					}
				})
			}
		}
	}
}

func readExpected(t *testing.T, name string) map[string]expected {
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]expected
	decode(t, b, &all)
	return all
}

func decode(t *testing.T, b []byte, v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		t.Fatal(err)
	}
}

func checkRefusal(t *testing.T, err error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("opened, or refused with %v", err)
	}
	if kind := e.Kind(); kind == "io" || len(err.Error()) < 20 || strings.ContainsAny(err.Error(), "\n\x1b") {
		t.Errorf("%s error %q", kind, err)
	}
}

func checkFile(t *testing.T, f *File, want expected) {
	t.Helper()
	if want.Entry != "" { // a set of shards: the tensors' names only
		if len(f.Tensors) != want.NTensors {
			t.Fatalf("%d tensors, want %d", len(f.Tensors), want.NTensors)
		}
		for i, raw := range want.Tensors {
			var name string
			decode(t, raw, &name)
			if f.Tensors[i].Name != name {
				t.Errorf("tensor %d is %s, want %s", i, f.Tensors[i].Name, name)
			}
		}
		return
	}
	offset := int64(-1)
	if want.DataOffset != nil {
		offset = *want.DataOffset
	}
	if f.Version != want.Version || f.Alignment != want.Alignment || f.DataOffset != offset || f.Size != want.FileSize || len(f.Tensors) != want.NTensors {
		t.Errorf("version %d, alignment %d, data at %d of %d, %d tensors", f.Version, f.Alignment, f.DataOffset, f.Size, len(f.Tensors))
	}
	if want.NKV != nil && *want.NKV != len(f.Metadata) {
		t.Fatalf("%d keys, want %d", len(f.Metadata), *want.NKV)
	}
	first, last := ends[expectedKV](t, want.KV)
	for i, kv := range first {
		checkKV(t, f.Metadata[i], kv)
	}
	for i, kv := range last {
		checkKV(t, f.Metadata[len(f.Metadata)-len(last)+i], kv)
	}
	for i, raw := range want.Tensors {
		var w expectedTensor
		decode(t, raw, &w)
		checkTensor(t, &f.Tensors[i], w)
	}
}

// ends takes apart a list, of which only the ends may be there: {"first": [...], "last": [...]}.
func ends[T any](t *testing.T, raw json.RawMessage) (first, last []T) {
	if len(raw) > 0 && raw[0] == '{' {
		var e struct{ First, Last []T }
		decode(t, raw, &e)
		return e.First, e.Last
	}
	decode(t, raw, &first)
	return first, nil
}

func checkKV(t *testing.T, kv KV, want expectedKV) {
	t.Helper()
	v := kv.Value
	if !sameText(want.Key, kv.Key) || v.Type().String() != want.Type {
		t.Errorf("key %q of type %s, want %v of type %s", kv.Key, v.Type(), want.Key, want.Type)
		return
	}
	got, err := v.Decode()
	if err != nil {
		t.Errorf("%s: %v", kv.Key, err)
		return
	}
	if v.Type() != Array {
		if !samePlain(v.Type(), want.Value, got) {
			t.Errorf("%s: %v, want %v", kv.Key, got, want.Value)
		}
		return
	}
	if v.Elem().String() != want.Elem || v.Len() != want.N {
		t.Errorf("%s: %d of %s, want %d of %s", kv.Key, v.Len(), v.Elem(), want.N, want.Elem)
		return
	}
	list, _ := want.Value.([]any)
	if ends, ok := want.Value.(map[string]any); ok {
		list = ends["first"].([]any)
	}
	for i, w := range list {
		if x := reflect.ValueOf(got).Index(i).Interface(); !samePlain(v.Elem(), w, x) {
			t.Errorf("%s: element %d is %v, want %v", kv.Key, i, x, w)
		}
	}
}

func sameText(want any, got string) bool {
	switch want := want.(type) {
	case string:
		return want == got
	case map[string]any:
		if n, ok := want["len"].(json.Number); ok {
			return n.String() == strconv.Itoa(len(got))
		}
		return want["hex"] == hex.EncodeToString([]byte(got))
	}
	return false
}

func samePlain(t ValueType, want, got any) bool {
	switch t {
	case String:
		return sameText(want, got.(string))
	case Array:
		list := reflect.ValueOf(got)
		for i, w := range want.([]any) {
			if fmt.Sprint(w) != fmt.Sprint(list.Index(i)) {
				return false
			}
		}
		return list.Len() == len(want.([]any))
	case Float32, Float64:
		x, err := strconv.ParseFloat(fmt.Sprint(want), 64)
		if t == Float32 {
			x = float64(float32(x))
		}
		y := got.(float64)
		return err == nil && (math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y))
	}
	return fmt.Sprint(want) == fmt.Sprint(got)
}

func checkTensor(t *testing.T, got *Tensor, want expectedTensor) {
	t.Helper()
	size := int64(-1)
	if want.NBytes != nil {
		size = *want.NBytes
	}
	if !sameText(want.Name, got.Name) || uint32(got.Type) != want.Type || got.Elements != want.NElements || got.Offset != want.Offset ||
		got.AbsOffset != want.AbsOffset || got.Bytes != size || fmt.Sprint(got.Dims) != fmt.Sprint(want.Dims) {
		t.Errorf("tensor %+v, want %+v", got, want)
	}
	if size >= 0 && got.Type.String() != want.TypeName {
		t.Errorf("tensor %s: type %s, want %s", got.Name, got.Type, want.TypeName)
	}
}

// Opening any file of the corpus takes about a window of memory, whatever the file says.
func TestCorpusMemory(t *testing.T) {
	for _, dir := range corpora(t) {
		for _, name := range glob(t, dir) {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			Open(bytes.NewReader(b), int64(len(b)))
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20+20*uint64(len(b)) {
				t.Errorf("%s: %d bytes allocated for %d", name, n, len(b))
			}
		}
	}
}

func glob(tb testing.TB, dir string) []string {
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.gguf"))
	if err != nil || len(files) == 0 {
		tb.Fatal("no corpus:", err)
	}
	shards, _ := filepath.Glob(filepath.Join(dir, "*", "*", "*.gguf"))
	return append(files, shards...)
}
