package gguf

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"straw/quant"
)

// every value type, in each version and byte order
func TestValues(t *testing.T) {
	type pair struct {
		key   string
		in    any
		typ   string
		elem  string
		value any
	}
	pairs := []pair{
		{"u8", uint8(255), "u8", "u8", int64(255)},
		{"i8", int8(-128), "i8", "i8", int64(-128)},
		{"u16", uint16(65535), "u16", "u16", int64(65535)},
		{"i16", int16(-32768), "i16", "i16", int64(-32768)},
		{"u32", uint32(math.MaxUint32), "u32", "u32", int64(math.MaxUint32)},
		{"i32", int32(math.MinInt32), "i32", "i32", int64(math.MinInt32)},
		{"u64 small", uint64(7), "u64", "u64", int64(7)},
		{"u64", uint64(math.MaxUint64), "u64", "u64", uint64(math.MaxUint64)},
		{"i64", int64(math.MinInt64), "i64", "i64", int64(math.MinInt64)},
		{"f32", float32(0.1), "f32", "f32", float64(float32(0.1))},
		{"f64", 0.1, "f64", "f64", 0.1},
		{"true", true, "bool", "bool", true},
		{"false", false, "bool", "bool", false},
		{"string", "a\x00\xffé ", "str", "str", "a\x00\xffé "},
		{"empty string", "", "str", "str", ""},
		{"empty", []any{}, "arr", "u8", []int64{}},
		{"bytes", []any{uint8(0), uint8(255)}, "arr", "u8", []int64{0, 255}},
		{"shorts", []any{int16(-1), int16(2)}, "arr", "i16", []int64{-1, 2}},
		{"ints", []any{int32(-1), int32(2)}, "arr", "i32", []int64{-1, 2}},
		{"longs", []any{uint64(1), uint64(math.MaxUint64)}, "arr", "u64", []uint64{1, math.MaxUint64}},
		{"floats", []any{float32(0.5), float32(-2)}, "arr", "f32", []float64{0.5, -2}},
		{"doubles", []any{0.1}, "arr", "f64", []float64{0.1}},
		{"bools", []any{true, false}, "arr", "bool", []bool{true, false}},
		{"strings", []string{"", " ", "\n", "zz"}, "arr", "str", []string{"", " ", "\n", "zz"}},
		{"no strings", []string{}, "arr", "str", []string{}},
		{"nested", []any{[]any{int32(1), int32(2)}, []any{}, []any{"a", "b"}}, "arr", "arr", []any{[]int64{1, 2}, []int64{}, []string{"a", "b"}}},
		{"nested 4", []any{[]any{[]any{[]any{true}}}}, "arr", "arr", []any{[]any{[]any{[]bool{true}}}}},
	}
	for _, version := range []uint32{1, 2, 3} {
		for _, big := range []bool{false, true} {
			t.Run(fmt.Sprintf("v%d big %v", version, big), func(t *testing.T) {
				e := encode(version)
				if big {
					e.bigEndian()
				}
				for _, p := range pairs {
					e.kv(p.key, p.in)
				}
				weights := filled(64, 1)
				e.tensor("w", []uint64{4, 3}, quant.F32, filled(48, 2)).tensor("bytes", []uint64{64}, quant.I8, weights).tensor("blocks", []uint64{32}, quant.Q8_0, filled(34, 3))
				f, err := openBytes(e.bytes())
				if err != nil {
					t.Fatal(err)
				}
				if f.Version != version || f.BigEndian != big || len(f.Metadata) != len(pairs) {
					t.Fatalf("version %d, big-endian %v, %d keys", f.Version, f.BigEndian, len(f.Metadata))
				}
				for i, p := range pairs {
					v := f.Metadata[i].Value
					got, err := f.Get(p.key)
					if err != nil || !reflect.DeepEqual(got, p.value) {
						t.Errorf("%s: %#v, %v, want %#v", p.key, got, err, p.value)
					}
					if v.Type().String() != p.typ || v.Elem().String() != p.elem {
						t.Errorf("%s: type %s of %s, want %s of %s", p.key, v.Type(), v.Elem(), p.typ, p.elem)
					}
				}
				w, ok := f.Lookup("w")
				if !ok || !slices.Equal(w.Dims, []uint64{4, 3}) || !slices.Equal(w.Shape(), []uint64{3, 4}) || w.Bytes != 48 || w.Elements != 12 {
					t.Errorf("tensor w: %+v", w)
				}
				got := make([]byte, 60)
				if err := f.ReadTensorAt("bytes", got, 4); err != nil || !bytes.Equal(got, weights[4:]) {
					t.Errorf("tensor bytes: %v, %v", got, err)
				}
				raw := filled(48, 2)
				if err := f.ReadRawAt("w", got[:48], 0); err != nil || !bytes.Equal(got[:48], raw) {
					t.Errorf("raw weights: %v, %v", got[:48], err)
				}
				if big {
					for n := range slices.Chunk(raw, 4) {
						slices.Reverse(n)
					}
				}
				for _, c := range [][2]int{{0, 48}, {4, 8}, {5, 8}, {7, 0}, {47, 1}} {
					if err := f.ReadTensorAt("w", got[:c[1]], int64(c[0])); err != nil || !bytes.Equal(got[:c[1]], raw[c[0]:][:c[1]]) {
						t.Errorf("weights %v: %v, %v", c, got[:c[1]], err)
					}
				}
				if err := f.ReadTensorAt("blocks", got[:34], 0); big != errors.Is(err, ErrUnsupported) || !big && err != nil {
					t.Errorf("blocks of a big-endian %v file: %v", big, err)
				}
			})
		}
	}
}

func TestGetOfMissingKey(t *testing.T) {
	f, err := openBytes(encode(3).bytes())
	if err != nil {
		t.Fatal(err)
	}
	if v, err := f.Get("no.such"); v != nil || err != nil {
		t.Errorf("%v, %v", v, err)
	}
	if _, ok := f.Lookup("no.such"); ok {
		t.Error("found a tensor that is not there")
	}
	if err := f.ReadTensorAt("no.such", nil, 0); err == nil {
		t.Error("read a tensor that is not there")
	}
}

// Slices of arrays on both sides of the index's marks and the window's edges equal those of the whole.
func TestSlices(t *testing.T) {
	words := make([]string, 60_000)
	for i := range words {
		words[i] = fmt.Sprint("token ", i*i)
	}
	words[1000] = string(filled(windowBytes+123, 3)) // longer than the window
	lists := make([]any, 3000)
	for i := range lists {
		list := make([]any, i%5)
		for j := range list {
			list[j] = uint16(i + j)
		}
		lists[i] = list
	}
	numbers := make([]any, 300_000)
	for i := range numbers {
		numbers[i] = int32(i)
	}
	f, err := openBytes(encode(3).kv("words", words).kv("lists", lists).kv("numbers", numbers).kv("last", "here").bytes())
	if err != nil {
		t.Fatal(err)
	}
	if last, err := f.Get("last"); last != "here" {
		t.Fatalf("the key after the arrays is %v, %v", last, err)
	}
	for _, key := range []string{"words", "lists", "numbers"} {
		all, err := f.Get(key)
		if err != nil {
			t.Fatal(err)
		}
		whole := reflect.ValueOf(all)
		v, _ := f.Value(key)
		if whole.Len() != v.Len() {
			t.Fatalf("%s: %d of %d elements", key, whole.Len(), v.Len())
		}
		n := v.Len()
		for _, c := range [][2]int{{0, 0}, {0, 1}, {n - 1, 1}, {255, 2}, {256, 1}, {257, 600}, {999, 3}, {1000, 1}, {1001, 1}, {1020, 300}, {n, 0}, {3, n - 3}} {
			got, err := v.Slice(c[0], c[1])
			if err != nil || !reflect.DeepEqual(got, whole.Slice(c[0], c[0]+c[1]).Interface()) && c[1] > 0 {
				t.Errorf("%s: slice %v differs: %v", key, c, err)
			}
		}
		for _, c := range [][2]int{{-1, 1}, {0, n + 1}, {n, 1}, {1, math.MaxInt}, {math.MaxInt, 1}, {0, -1}} {
			if _, err := v.Slice(c[0], c[1]); err == nil {
				t.Errorf("%s: slice %v of %d elements", key, c, n)
			}
		}
	}
	if got, _ := f.Get("words"); got.([]string)[1000] != words[1000] || got.([]string)[59_999] != words[59_999] {
		t.Error("words differ")
	}
}

// Whatever is written is read back.
func TestRoundTrip(t *testing.T) {
	scalar := rapid.OneOf(rapid.Uint8().AsAny(), rapid.Int8().AsAny(), rapid.Uint16().AsAny(), rapid.Int16().AsAny(), rapid.Uint32().AsAny(),
		rapid.Int32().AsAny(), rapid.Uint64().AsAny(), rapid.Int64().AsAny(), rapid.Float64().AsAny(), rapid.Bool().AsAny(), rapid.String().AsAny())
	rapid.Check(t, func(t *rapid.T) {
		e := encode(rapid.SampledFrom([]uint32{1, 2, 3}).Draw(t, "version"))
		if rapid.Bool().Draw(t, "big-endian") {
			e.bigEndian()
		}
		e.alignment = 1 << rapid.IntRange(0, 12).Draw(t, "alignment")
		e.kv("general.alignment", uint32(e.alignment))
		keys := rapid.SliceOfNDistinct(rapid.StringN(1, 40, -1), 0, 20, rapid.ID).Draw(t, "keys")
		want := map[string]any{}
		for _, k := range keys {
			if k == "general.alignment" || k == "split.count" {
				continue
			}
			v := scalar.Draw(t, "value")
			if rapid.Bool().Draw(t, "array") {
				list := []any{}
				for range rapid.IntRange(0, 600).Draw(t, "n") {
					list = append(list, v)
				}
				v = list
			}
			e.kv(k, v)
			want[k] = v
		}
		data := map[string][]byte{}
		for i := range rapid.IntRange(0, 8).Draw(t, "tensors") {
			dims := rapid.SliceOfN(rapid.Uint64Range(0, 6), 0, 4).Draw(t, "dims")
			n := 1
			for _, d := range dims {
				n *= int(d)
			}
			name := fmt.Sprint("t", i)
			data[name] = filled(n, i)
			e.tensor(name, dims, quant.I8, data[name])
		}
		f, err := openBytes(e.bytes())
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range want {
			got, err := f.Get(k)
			if err != nil || !same(v, got) {
				t.Fatalf("%q: %v, %v, want %v", k, got, err, v)
			}
		}
		for name, b := range data {
			got := make([]byte, len(b))
			if err := f.ReadTensorAt(name, got, 0); err != nil || !bytes.Equal(got, b) {
				t.Fatalf("%s: %v, %v, want %v", name, got, err, b)
			}
		}
	})
}

// same compares a value that was written with what Get makes of it.
func same(in, out any) bool {
	if list, ok := in.([]any); ok {
		got := reflect.ValueOf(out)
		if got.Len() != len(list) {
			return false
		}
		for i, x := range list {
			if !same(x, got.Index(i).Interface()) {
				return false
			}
		}
		return true
	}
	return fmt.Sprint(in) == fmt.Sprint(out)
}

func TestReadTensorAtConcurrently(t *testing.T) {
	e := encode(3)
	data := make([][]byte, 16)
	for i := range data {
		data[i] = filled(10_000+i, i)
		e.tensor(fmt.Sprint("t", i), []uint64{uint64(len(data[i]))}, quant.I8, data[i])
	}
	f, err := openBytes(e.bytes())
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for g := range 32 {
		wg.Go(func() {
			for i := range 200 {
				want := data[(i+g)%len(data)]
				off := (i * 37) % 9000
				got := make([]byte, 1000)
				if err := f.ReadTensorAt(fmt.Sprint("t", (i+g)%len(data)), got, int64(off)); err != nil || !bytes.Equal(got, want[off:off+1000]) {
					t.Errorf("tensor %d at %d: %v", (i+g)%len(data), off, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestReadTensorAtBounds(t *testing.T) {
	f, err := openBytes(encode(3).tensor("t", []uint64{100}, quant.I8, filled(100, 0)).info("ik", []uint64{256}, 144, 128).bytes())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		n   int
		off int64
		ok  bool
	}{{0, 0, true}, {100, 0, true}, {0, 100, true}, {1, 99, true}, {1, 100, false}, {101, 0, false}, {1, -1, false}, {0, 101, false}, {1, math.MaxInt64, false}} {
		if err := f.ReadTensorAt("t", make([]byte, c.n), c.off); (err == nil) != c.ok {
			t.Errorf("%d bytes at %d: %v", c.n, c.off, err)
		}
	}
	if err := f.ReadTensorAt("ik", make([]byte, 1), 0); !errors.Is(err, ErrUnsupported) {
		t.Errorf("a tensor of unknown size: %v", err)
	}
}
