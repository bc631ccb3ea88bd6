package edit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"straw/gguf"
	"straw/internal/demo"
	"straw/quant"
)

func open(t *testing.T, raw []byte) *gguf.File {
	t.Helper()
	f, err := gguf.Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func written(t *testing.T, d *gguf.Draft) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(t.Context(), &b, d, nil); err != nil {
		t.Fatal(err)
	}
	if n, err := d.Size(); err != nil || n != int64(b.Len()) {
		t.Fatalf("%d bytes written, Size is %d, %v", b.Len(), n, err)
	}
	return b.Bytes()
}

// model has tensors of these numbers of bytes.
func model(t *testing.T, align uint32, sizes ...uint64) []byte {
	t.Helper()
	var d gguf.Draft
	set(&d, "general.architecture", "test")
	set(&d, "general.alignment", align)
	for i, n := range sizes {
		if err := d.Add(fmt.Sprintf("t%d", i), []uint64{n}, quant.I8, func(w io.Writer) error {
			_, err := w.Write(bytes.Repeat([]byte{byte(i + 1)}, int(n)))
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	return written(t, &d)
}

func TestParseValue(t *testing.T) {
	for _, c := range []struct {
		typ, text string
		want      any    // as Value.Decode gives it
		fault     string // part of the error
	}{
		{typ: "u8", text: "255", want: int64(255)},
		{typ: "u8", text: "256", fault: "256 does not fit into uint8"},
		{typ: "u8", text: "-1", fault: `"-1" is no number for this type`},
		{typ: "i8", text: "-128", want: int64(-128)},
		{typ: "i16", text: "0x7fff", want: int64(32767)},
		{typ: "i64", text: "-9223372036854775808", want: int64(-1 << 63)},
		{typ: "u64", text: "18446744073709551615", want: uint64(1<<64 - 1)},
		{typ: "u64", text: "18446744073709551616", fault: "does not fit into uint64"},
		{typ: "f32", text: "0.5", want: 0.5},
		{typ: "f32", text: "1e39", fault: "does not fit: at most 3.4"},
		{typ: "f64", text: "1e39", want: 1e39},
		{typ: "bool", text: "true", want: true},
		{typ: "bool", text: "1", fault: "true or false"},
		{typ: "str", text: " a\nb ", want: " a\nb "},
		{typ: "str", text: "", want: ""},
		{typ: "str[]", text: `["a", ""]`, want: []string{"a", ""}},
		{typ: "i32[]", text: "[1, -2]", want: []int64{1, -2}},
		{typ: "u64[]", text: `["18446744073709551615"]`, want: []uint64{1<<64 - 1}},
		{typ: "bool[]", text: "[true, false]", want: []bool{true, false}},
		{typ: "f32[]", text: "[]", want: []float64{}},
		{typ: "u8[]", text: "[1, 300]", fault: "element 1: 300 does not fit"},
		{typ: "u8[]", text: "[1.5]", fault: "element 0"},
		{typ: "u8[]", text: "[null]", fault: "element 0: null"},
		{typ: "u8[]", text: "1", fault: "no JSON array"},
		{typ: "u8[][]", text: "[[1]]", fault: `type "u8[][]"`},
		{typ: "int", text: "1", fault: `type "int": one of u8`},
	} {
		v, err := ParseValue(c.typ, c.text)
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%s:%s: %v, want %q", c.typ, c.text, err, c.fault)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s:%s: %v", c.typ, c.text, err)
			continue
		}
		if got, err := v.Decode(); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:%s: %#v, %v, want %#v", c.typ, c.text, got, err, c.want)
		}
	}
}

// A shard has as many tensors as fit, header and padding counted.
func TestSplitSizes(t *testing.T) {
	raw := model(t, 64, 100, 1, 64, 500, 10)
	f := open(t, raw)
	for max := int64(600); max < int64(len(raw))+400; max += 7 {
		shards, err := Split(f, Limits{MaxSize: max})
		if err != nil {
			if _, ok := errors.AsType[*LimitError](err); !ok || max > 900 {
				t.Fatal(max, err)
			}
			continue
		}
		var parts []gguf.Part
		for i, d := range shards {
			b := written(t, d)
			if int64(len(b)) > max {
				t.Errorf("limit %d: shard %d has %d bytes", max, i, len(b))
			}
			parts = append(parts, gguf.Part{Name: gguf.ShardName("m", i, len(shards)), R: bytes.NewReader(b), Size: int64(len(b))})
		}
		if len(parts) == 1 {
			continue
		}
		set, err := gguf.OpenParts(parts)
		if err != nil {
			t.Fatal(max, err)
		}
		whole, err := Merge(set)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(written(t, whole), raw) {
			t.Errorf("limit %d: %d shards merged are another file", max, len(parts))
		}
	}
}

func TestSplitNumbers(t *testing.T) {
	f := open(t, model(t, 32, 1, 1, 1, 1, 1))
	for _, c := range []struct {
		limits Limits
		want   []int
	}{
		{Limits{MaxTensors: 2}, []int{2, 2, 1}},
		{Limits{MaxTensors: 5}, []int{5}},
		{Limits{MaxTensors: 3, HeaderFirst: true}, []int{0, 3, 2}},
		{Limits{MaxTensors: 1, MaxSize: 1 << 20}, []int{1, 1, 1, 1, 1}},
	} {
		shards, err := Split(f, c.limits)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, d := range shards {
			got = append(got, d.NTensors())
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: %d, want %d", c.limits, got, c.want)
		}
	}
}

// The demo model was written by llama.cpp's layout: set and unset again it is the same bytes, and a change of a number
// fits its place.
func TestPlanAndPatch(t *testing.T) {
	r, size := demo.Open()
	f, err := gguf.Open(r, size)
	if err != nil {
		t.Fatal(err)
	}
	value, _ := gguf.ValueOf("x")
	d, err := Plan(f, []Change{{Key: "new.key", Value: value}, {Key: "new.key", Unset: true}})
	if err != nil {
		t.Fatal(err)
	}
	original := make([]byte, size)
	if _, err := r.ReadAt(original, 0); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	if !bytes.Equal(written(t, d), original) {
		t.Error("set and unset: not the same bytes")
	}
	if header, ok, err := d.Patch(f); err != nil || !ok || !bytes.Equal(header, original[:f.DataOffset]) {
		t.Errorf("patch of no change: %v, %v", ok, err)
	}
	n, _ := gguf.ValueOf(uint32(99))
	if d, err = Plan(f, []Change{{Key: "general.file_type", Value: n}}); err != nil {
		t.Fatal(err)
	}
	if header, ok, err := d.Patch(f); err != nil || !ok || !bytes.Equal(append(header, original[f.DataOffset:]...), written(t, d)) {
		t.Errorf("patch of a number: %v, %v", ok, err)
	}
	long, _ := gguf.ValueOf(strings.Repeat("x", 100))
	if d, err = Plan(f, []Change{{Key: "general.name", Value: long}}); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := d.Patch(f); err != nil || ok {
		t.Errorf("patch of a long text: %v, %v", ok, err)
	}
}

func TestPlanRefuses(t *testing.T) {
	f := open(t, model(t, 32, 1))
	for _, c := range []Change{{Key: ""}, {Key: strings.Repeat("k", 1<<16)}, {Key: "nothing", Unset: true}} {
		if _, err := Plan(f, []Change{c}); err == nil || strings.Contains(err.Error(), "\n") || len(err.Error()) > 200 {
			t.Errorf("%.20q: %v", c.Key, err)
		}
	}
}

func TestWriteStops(t *testing.T) {
	d, err := Plan(open(t, model(t, 32, 1<<20)), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := Write(ctx, io.Discard, d, func(int64) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Every good file of the corpus is the same through a plan without changes, but for its layout.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("../../testdata/corpus/good/*.gguf")
	if err != nil || len(files) < 50 {
		t.Fatal(len(files), err)
	}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f := open(t, raw)
		d, err := Plan(f, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again := open(t, written(t, d))
		if len(again.Metadata) != len(f.Metadata) || len(again.Tensors) != len(f.Tensors) {
			t.Errorf("%s: %d keys and %d tensors of %d and %d", name, len(again.Metadata), len(again.Tensors), len(f.Metadata), len(f.Tensors))
		}
		for i, kv := range f.Metadata {
			want, err1 := kv.Value.Decode()
			got, err2 := again.Metadata[i].Value.Decode()
			if err1 != nil || err2 != nil || fmt.Sprint(got) != fmt.Sprint(want) || again.Metadata[i].Value.Type() != kv.Value.Type() {
				t.Errorf("%s: %q is %v, was %v", name, kv.Key, got, want)
			}
		}
	}
}
