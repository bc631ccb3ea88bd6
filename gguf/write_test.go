package gguf

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"straw/quant"
)

// rewritten is f through a Draft, opened again.
func rewritten(t interface{ Fatal(...any) }, f *File) ([]byte, *File) {
	d := NewDraft(f)
	for i := range f.Tensors {
		if err := d.Copy(f, &f.Tensors[i]); err != nil {
			t.Fatal(err)
		}
	}
	return written(t, d)
}

func written(t interface{ Fatal(...any) }, d *Draft) ([]byte, *File) {
	var out bytes.Buffer
	size, err := d.Size()
	if err != nil {
		t.Fatal(err)
	}
	n, err := d.WriteTo(&out)
	if err != nil {
		t.Fatal(err)
	}
	if n != size || n != int64(out.Len()) {
		t.Fatal("size", size, "written", n, "there", out.Len())
	}
	f, err := openBytes(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), f
}

// sameContent compares keys with their types and values, and tensors with their bytes.
func sameContent(t interface{ Fatal(...any) }, a, b *File) {
	if len(a.Metadata) != len(b.Metadata) || len(a.Tensors) != len(b.Tensors) {
		t.Fatal("counts", len(a.Metadata), len(b.Metadata), len(a.Tensors), len(b.Tensors))
	}
	for i, kv := range a.Metadata {
		other := b.Metadata[i]
		x, errX := kv.Value.Decode()
		y, errY := other.Value.Decode()
		if kv.Key != other.Key || kv.Value.Type() != other.Value.Type() || kv.Value.Elem() != other.Value.Elem() || kv.Value.bits != other.Value.bits ||
			errX != nil || errY != nil || !sameValue(x, y) {
			t.Fatal("key", kv.Key, x, errX, other.Key, y, errY)
		}
	}
	for i, x := range a.Tensors {
		y := b.Tensors[i]
		if x.Name != y.Name || x.Type != y.Type || !reflect.DeepEqual(x.Dims, y.Dims) || x.Bytes != y.Bytes {
			t.Fatal("tensor", x, y)
		}
		p, q := make([]byte, x.Bytes), make([]byte, x.Bytes)
		if errX, errY := a.ReadTensorAt(x.Name, p, 0), b.ReadTensorAt(x.Name, q, 0); errX != nil || errY != nil || !bytes.Equal(p, q) {
			t.Fatal("tensor", x.Name, errX, errY)
		}
	}
}

// sameValue is equality, NaN being equal to NaN.
func sameValue(x, y any) bool {
	a, ok := x.([]float64)
	b, ok2 := y.([]float64)
	if ok && ok2 && len(a) == len(b) {
		for i := range a {
			if math.Float64bits(a[i]) != math.Float64bits(b[i]) && a[i] == a[i] {
				return false
			}
		}
		return true
	}
	if f, ok := x.(float64); ok && f != f {
		g, ok := y.(float64)
		return ok && g != g
	}
	return reflect.DeepEqual(x, y)
}

// Every good file of the corpus keeps all it says; one that was written as ggml writes keeps its bytes.
func TestDraftCorpus(t *testing.T) {
	identical := 0
	for _, dir := range corpora(t) {
		for _, name := range glob(t, dir) {
			if !strings.Contains(name, string(filepath.Separator)+"good"+string(filepath.Separator)) {
				continue
			}
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			f, err := openBytes(b)
			if err != nil {
				continue // a shard alone may be damaged to the rules of a whole
			}
			unknown := false
			for _, x := range f.Tensors {
				unknown = unknown || x.Bytes < 0 || f.BigEndian && x.Type.BlockElems() > 1
			}
			if unknown {
				continue
			}
			out, again := rewritten(t, f)
			sameContent(t, f, again)
			if again.Version != 3 || again.BigEndian {
				t.Errorf("%s: version %d, big-endian %v", name, again.Version, again.BigEndian)
			}
			if n := min(len(out), len(b)); bytes.Equal(out[:n], b[:n]) && len(out)+len(b)-2*n < int(f.Alignment) { // but for padding at the end
				identical++
			} else if f.Version == 3 && !f.BigEndian {
				t.Logf("%s: other bytes", filepath.Base(name))
			}
		}
	}
	if identical < 10 {
		t.Errorf("only %d files kept their bytes", identical)
	}
}

// Files of random keys and tensors, of every version and byte order, come back.
func TestDraftRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := encode(uint32(rapid.IntRange(1, 3).Draw(t, "version")))
		if rapid.Bool().Draw(t, "big-endian") {
			e.bigEndian()
		}
		text := rapid.StringN(0, 200, 600)
		values := []*rapid.Generator[any]{
			rapid.Uint8().AsAny(), rapid.Int8().AsAny(), rapid.Uint16().AsAny(), rapid.Int16().AsAny(), rapid.Uint32().AsAny(), rapid.Int32().AsAny(),
			rapid.Uint64().AsAny(), rapid.Int64().AsAny(), rapid.Float32().AsAny(), rapid.Float64().AsAny(), rapid.Bool().AsAny(), text.AsAny(),
		}
		for i := range rapid.IntRange(1, 8).Draw(t, "keys") {
			key := "k." + string(rune('a'+i))
			gen := values[rapid.IntRange(0, len(values)-1).Draw(t, "type")]
			switch rapid.IntRange(0, 3).Draw(t, "shape") {
			case 0:
				e.kv(key, rapid.SliceOfN(gen, 0, 700).Draw(t, "array"))
			case 1:
				e.kv(key, []any{rapid.SliceOfN(gen, 0, 5).Draw(t, "inner"), rapid.SliceOfN(text.AsAny(), 1, 5).Draw(t, "other")})
			default:
				e.kv(key, gen.Draw(t, "value"))
			}
		}
		for i := range rapid.IntRange(0, 4).Draw(t, "tensors") {
			n := rapid.Uint64Range(0, 40).Draw(t, "n")
			e.tensor("t."+string(rune('a'+i)), []uint64{n, 2}, quant.F32, filled(int(8*n), i))
		}
		f, err := openBytes(e.bytes())
		if err != nil {
			t.Fatal(err)
		}
		_, again := rewritten(t, f)
		sameContent(t, f, again)
	})
}

func value(t *testing.T, v any) Value {
	t.Helper()
	x, ok := ValueOf(v)
	if !ok {
		t.Fatalf("no value of a %T", v)
	}
	return x
}

func TestDraftNew(t *testing.T) {
	var d Draft
	plain := []any{true, uint8(200), int8(-3), uint16(7), int16(-7), uint32(1 << 31), int32(-9), uint64(math.MaxUint64), int64(math.MinInt64), float32(1.5), 2.5, "text\x00\xff",
		[]bool{true, false}, []uint8{1, 2}, []int8{-1}, []uint16{3}, []int16{-3}, []uint32{4}, []int32{-4}, []uint64{math.MaxUint64}, []int64{-5}, []float32{0.5},
		[]float64{0.25}, []string{"", "a", strings.Repeat("b", 1000)}, []string{}}
	for i, v := range plain {
		d.Set("key."+string(rune('a'+i)), value(t, v))
	}
	d.Set("key.a", value(t, false)) // in its place
	many := make([]string, 1000)
	for i := range many {
		many[i] = strings.Repeat("x", i)
	}
	d.Set("many", value(t, many))
	d.Set("gone", value(t, uint8(1)))
	if !d.Unset("gone") || d.Unset("gone") || len(d.Keys()) != len(plain)+1 {
		t.Error("Unset")
	}
	d.Set("general.alignment", value(t, uint32(64)))
	data := filled(144, 3)
	for _, name := range []string{"one", "two"} {
		if err := d.Add(name, []uint64{256}, quant.Q4_K, func(w io.Writer) error {
			w.Write(data[:100]) // in pieces
			_, err := w.Write(data[100:])
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	out, f := written(t, &d)
	if f.Alignment != 64 || len(out)%64 != 0 || f.Tensors[1].Offset != 192 || f.Metadata[0].Value.bits != 0 {
		t.Errorf("alignment %d, %d bytes, second tensor at %d", f.Alignment, len(out), f.Tensors[1].Offset)
	}
	for i, kv := range d.Keys() {
		want, _ := kv.Value.Decode() // of the value that was made
		got, err := f.Metadata[i].Value.Decode()
		if err != nil || !reflect.DeepEqual(got, want) || f.Metadata[i].Value.Type() != kv.Value.Type() {
			t.Errorf("%s: %v, want %v", kv.Key, got, want)
		}
	}
	if part, err := d.Keys()[len(plain)].Value.Slice(700, 2); err != nil || len(part.([]string)[1]) != 701 {
		t.Error("part of an array that was made:", err)
	}
	p := make([]byte, 144)
	if err := f.ReadTensorAt("two", p, 0); err != nil || !bytes.Equal(p, data) {
		t.Error("tensor:", err)
	}
	if _, ok := ValueOf(1); ok {
		t.Error("an int has no width")
	}
}

func TestDraftFaults(t *testing.T) {
	nothing := func(io.Writer) error { return nil }
	some := func(n int) func(io.Writer) error {
		return func(w io.Writer) error { _, err := w.Write(make([]byte, n)); return err }
	}
	own := errors.New("own")
	for name, c := range map[string]struct {
		build func(d *Draft) error
		want  string
	}{
		"five dims": {func(d *Draft) error { return d.Add("t", make([]uint64, 5), quant.F32, nothing) }, "5 dimensions"},
		"not live":  {func(d *Draft) error { return d.Add("t", []uint64{4}, 31, nothing) }, "not a type of today's ggml"},
		"huge":      {func(d *Draft) error { return d.Add("t", []uint64{1 << 40, 1 << 40}, quant.F32, nothing) }, "more than 2^63-1 elements"},
		"bytes":     {func(d *Draft) error { return d.Add("t", []uint64{1 << 61, 2}, quant.F32, nothing) }, "more than 2^63-1 bytes"},
		"block":     {func(d *Draft) error { return d.Add("t", []uint64{16, 2}, quant.Q4_0, nothing) }, "no multiple of 32"},
		"scalar":    {func(d *Draft) error { return d.Add("t", nil, quant.Q4_0, nothing) }, "no multiple of 32"},
		"short":     {func(d *Draft) error { return d.Add("t", []uint64{4}, quant.F32, some(15)) }, "15 bytes were written, it has 16"},
		"long":      {func(d *Draft) error { return d.Add("t", []uint64{4}, quant.F32, some(17)) }, "17 bytes were written, it has 16"},
		"own error": {func(d *Draft) error { return d.Add("t", []uint64{4}, quant.F32, func(io.Writer) error { return own }) }, "own"},
		"name twice": {func(d *Draft) error {
			return errors.Join(d.Add("t", nil, quant.F32, some(4)), d.Add("t", nil, quant.F32, some(4)))
		}, "two tensors"},
		"no key":    {func(d *Draft) error { d.Set("", value(t, uint8(1))); return nil }, "empty or there twice"},
		"alignment": {func(d *Draft) error { d.Set("general.alignment", value(t, uint32(12))); return nil }, "power of two"},
		"sum": {func(d *Draft) error {
			return errors.Join(d.Add("t", []uint64{1 << 60}, quant.F32, nothing), d.Add("u", []uint64{1 << 60}, quant.F32, nothing))
		}, "more than 2^63-1 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			var d Draft
			err := c.build(&d)
			if err == nil {
				_, err = d.WriteTo(io.Discard)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

// A file that was cut since it was opened is an error of the read, and so is a writer's of the write.
func TestDraftBrokenEnds(t *testing.T) {
	big := make([]uint32, 1<<16)
	b := encode(3).kv("big", anys(big)).tensor("t", []uint64{64}, quant.F32, filled(256, 1)).bytes()
	r := &cutReader{b: b}
	f, err := Open(r, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	d := NewDraft(f)
	if err := d.Copy(f, &f.Tensors[0]); err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{len(b) - 1, 1000} {
		r.b = b[:cut]
		if _, err := d.WriteTo(io.Discard); !errors.Is(err, ErrTruncated) {
			t.Errorf("cut at %d: %v", cut, err)
		}
	}
	r.b = b
	full := errors.New("disk full")
	for _, room := range []int{0, 100, len(b) / 2, len(b) - 1} {
		if _, err := d.WriteTo(&tight{room, full}); !errors.Is(err, full) {
			t.Errorf("room for %d: %v", room, err)
		}
	}
}

func anys[E any](s []E) []any {
	out := make([]any, len(s))
	for i, x := range s {
		out[i] = x
	}
	return out
}

type cutReader struct{ b []byte }

func (r *cutReader) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(r.b).ReadAt(p, off)
}

// tight is a writer with room for so many bytes.
type tight struct {
	room int
	err  error
}

func (w *tight) Write(p []byte) (int, error) {
	n := min(len(p), w.room)
	w.room -= n
	if n < len(p) {
		return n, w.err
	}
	return n, nil
}
