package compare

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"reflect"
	"testing"

	"straw/gguf"
	"straw/quant"
)

// model is a file of keys and F32 tensors.
func model(t *testing.T, keys map[string]any, order []string, tensors map[string][]float32, names ...string) *gguf.File {
	t.Helper()
	var d gguf.Draft
	for _, k := range order {
		v, ok := gguf.ValueOf(keys[k])
		if !ok {
			t.Fatal(k)
		}
		d.Set(k, v)
	}
	for _, n := range names {
		x := tensors[n]
		if err := d.Add(n, []uint64{uint64(len(x))}, quant.F32, func(w io.Writer) error { return binary.Write(w, binary.LittleEndian, x) }); err != nil {
			t.Fatal(err)
		}
	}
	return reopened(t, &d)
}

func reopened(t *testing.T, d *gguf.Draft) *gguf.File {
	t.Helper()
	var b bytes.Buffer
	if _, err := d.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	f, err := gguf.Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func compared(t *testing.T, a, b *gguf.File, o Options) *Report {
	t.Helper()
	r, err := Files(t.Context(), a, b, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestKeys(t *testing.T) {
	order := []string{"same", "gone", "number", "kind", "list", "wide", "nan", "text"}
	a := model(t, map[string]any{"same": "x", "gone": uint8(1), "number": int32(-1), "kind": uint32(1), "list": []int32{1, 2, 3},
		"wide": []uint64{1, 2}, "nan": float32(math.NaN()), "text": "one\ntwo\n"}, order, nil)
	b := model(t, map[string]any{"same": "x", "number": int32(-2), "kind": uint64(1), "list": []int32{1, 5, 3, 4}, "wide": []uint64{1, math.MaxUint64},
		"nan": float32(math.NaN()), "text": "one\n2\n", "new": true}, []string{"same", "new", "number", "kind", "list", "wide", "nan", "text"}, nil)
	type told struct {
		name     string
		change   Change
		elements int
		first    int
	}
	var got []told
	for _, k := range compared(t, a, b, Options{}).Keys {
		got = append(got, told{k.Name, k.Change, k.Elements, k.First})
		if k.Name == "text" && k.Text != "diff A B\n--- A\n+++ B\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n" {
			t.Errorf("%q", k.Text)
		}
	}
	want := []told{{"gone", Removed, 0, 0}, {"number", Changed, 0, 0}, {"kind", Changed, 0, 0}, {"list", Changed, 2, 1}, {"wide", Changed, 1, 1}, {"text", Changed, 0, 0}, {"new", Added, 0, 0}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if !compared(t, a, a, Options{}).Equal() {
		t.Error("a file is not equal to itself")
	}
}

func TestVocabulary(t *testing.T) {
	list := func(tokens ...string) *gguf.File {
		return model(t, map[string]any{tokensKey: tokens}, []string{tokensKey}, nil)
	}
	for _, c := range []struct {
		name string
		a, b *gguf.File
		want *Vocabulary
	}{
		{"the same", list("a", "b", "a"), list("a", "b", "a"), nil},
		{"one more", list("a"), list("a", "b"), &Vocabulary{A: 1, B: 2, Added: []Token{{1, "b"}}}},
		{"another, and two changed places", list("a", "b", "c"), list("b", "a", "d"), &Vocabulary{A: 3, B: 3, Added: []Token{{2, "d"}}, Removed: []Token{{2, "c"}},
			Moved: []Moved{{1, 0, "b"}, {0, 1, "a"}}}},
		{"none in B", list("a"), model(t, nil, nil, nil), &Vocabulary{A: 1, Removed: []Token{{0, "a"}}}},
		{"a second one less", list("a", "a"), list("a"), &Vocabulary{A: 2, B: 1}},
	} {
		if got := compared(t, c.a, c.b, Options{}).Vocabulary; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestTensors(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	a := map[string][]float32{"same": {1, 2}, "near": {3, 4, 0, 0}, "far": {1, 0}, "shape": {1}, "gone": {1}, "odd": {nan, inf, inf, 1, nan}, "zero": {0, 0}}
	b := map[string][]float32{"same": {1, 2}, "near": {3, 4, 1, 0}, "far": {0, 2}, "shape": {1, 1}, "new": {1}, "odd": {nan, inf, -inf, 1, 1}, "zero": {0, 3}}
	x := model(t, nil, nil, a, "same", "near", "far", "shape", "gone", "odd", "zero")
	y := model(t, nil, nil, b, "zero", "same", "near", "far", "shape", "new", "odd")
	for _, threads := range []int{0, 3} {
		r := compared(t, x, y, Options{Threads: threads})
		want := []struct {
			name string
			err  *Error
		}{
			{"zero", &Error{RMS: math.Sqrt(4.5), Max: 3, Relative: math.Inf(1), Differing: 1}},
			{"far", &Error{RMS: math.Sqrt(2.5), Max: 2, Relative: math.Sqrt(5), Differing: 2}},
			{"near", &Error{RMS: 0.5, Max: 1, Relative: 0.2, Differing: 1}},
			{"odd", &Error{Differing: 2, NonFinite: 2}},
			{"shape", nil}, {"gone", nil}, {"new", nil},
		}
		if len(r.Tensors) != len(want) || r.Same != 1 {
			t.Fatalf("%+v, %d the same", r.Tensors, r.Same)
		}
		for i, w := range want {
			if got := r.Tensors[i]; got.Name != w.name || !reflect.DeepEqual(got.Error, w.err) {
				t.Errorf("%d: %s %+v, want %s %+v", i, got.Name, got.Error, w.name, w.err)
			}
		}
	}
	if r := compared(t, x, y, Options{NoTensors: true}); len(r.Tensors) != 3 {
		t.Errorf("without reading: %+v", r.Tensors)
	}
}

// Another type of the same numbers differs, with an error of zero.
func TestTypes(t *testing.T) {
	x := model(t, nil, nil, map[string][]float32{"w": {1, -0.5, 0, 65504}}, "w")
	var d gguf.Draft
	if err := d.Add("w", []uint64{4}, quant.F16, func(w io.Writer) error {
		_, err := w.Write([]byte{0, 0x3c, 0, 0xb8, 0, 0, 0xff, 0x7b})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if r := compared(t, x, reopened(t, &d), Options{}); len(r.Tensors) != 1 || *r.Tensors[0].Error != (Error{}) {
		t.Errorf("%+v", r.Tensors)
	}
}

func TestStopsAndTells(t *testing.T) {
	big := map[string][]float32{"a": make([]float32, 1<<19), "b": make([]float32, 1<<19)}
	other := map[string][]float32{"a": make([]float32, 1<<19), "b": append(make([]float32, 1<<19-1), 1)}
	x, y := model(t, nil, nil, big, "a", "b"), model(t, nil, nil, other, "a", "b")
	last := int64(0)
	compared(t, x, y, Options{Progress: func(done, total int64) {
		if done < last || total != 4<<20 {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
	}})
	if last != 4<<20 {
		t.Errorf("ended at %d of %d", last, 4<<20)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := Files(ctx, x, y, Options{Progress: func(int64, int64) { cancel() }}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
