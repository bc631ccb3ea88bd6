package inspect

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"straw/gguf"
)

const corpus = "../../testdata/corpus"

func open(t testing.TB, name string) (*gguf.File, error) {
	t.Helper()
	f, err := gguf.OpenFS(os.DirFS(filepath.Dir(name)), filepath.Base(name))
	if f == nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f, err
}

// Values are written exactly as the command line's contract says.
func TestValuesAreExact(t *testing.T) {
	for file, want := range map[string][]string{
		"good/all_scalar_types_extremes.gguf": {
			`{"key":"s.u8","type":"u8","value":255}`,
			`{"key":"s.i32","type":"i32","value":-2147483648}`,
			`{"key":"s.f32","type":"f32","value":1.5}`,
			`{"key":"s.bool_t","type":"bool","value":true}`,
			`{"key":"s.u64","type":"u64","value":"18446744073709551615"}`,
			`{"key":"s.i64","type":"i64","value":"-9223372036854775808"}`,
		},
		"good/float_nan_inf_negzero.gguf": {
			`{"key":"f.nan","type":"f32","value":"NaN"}`,
			`{"key":"f.inf","type":"f32","value":"Infinity"}`,
			`{"key":"f.ninf","type":"f64","value":"-Infinity"}`,
			`{"key":"f.nz","type":"f32","value":-0}`,
		},
		"good/mmproj_clip.gguf": {
			`{"key":"clip.vision.image_mean","type":"arr","elem":"f32","n":3,"value":[0.48145467,0.4578275,0.40821072]}`,
			`"kind":"mmproj"`,
		},
		"good/string_invalid_utf8.gguf": {
			`{"key":"general.name","type":"str","value":{"hex":"fffe2062616420c3"}}`,
			`{"key":"tokenizer.ggml.tokens","type":"arr","elem":"str","n":2,"value":[{"hex":"e296"},{"hex":"81"}]}`,
		},
		"good/all_array_types.gguf": {
			`{"key":"a.u64","type":"arr","elem":"u64","n":2,"value":["18446744073709551615","0"]}`,
			`{"key":"a.i64","type":"arr","elem":"i64","n":1,"value":["-9223372036854775808"]}`,
			`{"key":"a.bool","type":"arr","elem":"bool","n":3,"value":[true,false,true]}`,
			`{"key":"a.str","type":"arr","elem":"str","n":3,"value":["","é","zz"]}`,
			`"data_offset":null`,
		},
		"good/empty_arrays_of_each_type.gguf": {`"elem":"str","n":0,"value":[]}`, `"elem":"f64","n":0,"value":[]}`},
		"good/key_js_object_names.gguf":       {`{"key":"__proto__","type":"arr","elem":"i32","n":2,"value":[1,2]}`},
		"good/minimal_v3_24_bytes.gguf":       {`"version":3,"endian":"little","alignment":32,"file_size":24,"data_offset":null`, `"metadata":[],"tensors":[]`},
		"either/nested_array_depth_2.gguf":    {`{"key":"m","type":"arr","elem":"arr","n":2,"value":[[1,2],[3]]}`},
		"either/big_endian_v3.gguf":           {`"endian":"big"`},
		"either/tensor_type_144.gguf":         {`{"name":"w","dims":[256],"type":"IQ4_KS (ik_llama.cpp)","type_code":144,"n_elements":256,"offset":0,"abs_offset":128,"nbytes":null}`},
		"either/zero_dim_times_huge_dim.gguf": {`"dims":[0,"4611686018427387904","4611686018427387904"]`, `"n_elements":0`},
		"bad/offset_u64_max.gguf":             {`"error":{"kind":"format","field":"tensor \"w\" offset","offset":24,`, `"offset":"18446744073709551615","abs_offset":null`},
		"bad/data_cut_by_one_byte.gguf":       {`"error":{"kind":"truncated"`, `"name":"output_norm.weight"`, `"abs_offset":704`},
		"bad/value_type_13.gguf":              {`"error":{"kind":"format","field":"k type"`, `"metadata":[]`},
		"good/split_3/m-00002-of-00003.gguf":  {`"n_shards":3`, `"shard":2}`},
	} {
		f, err := open(t, filepath.Join(corpus, file))
		var b bytes.Buffer
		if werr := Write(&b, f, true, err); werr != nil {
			t.Errorf("%s: %v", file, werr)
		}
		for _, w := range want {
			if !strings.Contains(b.String(), w) {
				t.Errorf("%s: no %s in\n%s", file, w, b.String())
			}
		}
	}
}

// Every document is JSON of the agreed shape, and safe on a terminal.
func TestDocuments(t *testing.T) {
	files, err := filepath.Glob(corpus + "/*/*.gguf")
	if err != nil || len(files) < 100 {
		t.Fatal("no corpus:", err)
	}
	for _, name := range files {
		f, err := open(t, name)
		var b bytes.Buffer
		if werr := Write(&b, f, true, err); werr != nil {
			t.Errorf("%s: %v", name, werr)
		}
		var doc struct {
			Version                     int
			Metadata, Tensors, Findings []map[string]any
			Summary                     map[string]any
			Error                       *Failure
		}
		if jerr := json.Unmarshal(b.Bytes(), &doc); jerr != nil {
			t.Fatalf("%s: %v in %s", name, jerr, b.String())
		}
		if (err != nil) != (doc.Error != nil) || doc.Error != nil && (doc.Error.Message != err.Error() || doc.Error.Kind == "io") {
			t.Errorf("%s: error %v, in the document %+v", name, err, doc.Error)
		}
		if f.Version != 0 && (doc.Metadata == nil || doc.Tensors == nil || doc.Findings == nil || doc.Summary == nil) {
			t.Errorf("%s: a list is missing", name)
		}
		for _, r := range b.String() {
			if r < ' ' && r != '\n' || r == 0x7f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
				t.Errorf("%s: %U is in the document", name, r)
				break
			}
		}
	}
}

func TestStrings(t *testing.T) {
	for _, s := range []string{"", "plain", `"quoted\"`, "a\nb\tc\rd\x00e\x1bf\x7f", "é€😀", "\u202e\u2066\u200d\ufeff\u2028", "\U000e0001 tag", "</script>", "\ufffd"} {
		b := appendText(nil, s)
		var got string
		if err := json.Unmarshal(b, &got); err != nil || got != s {
			t.Errorf("%q becomes %s: %q, %v", s, b, got, err)
		}
	}
	if b := appendText(nil, "\xed\xa0\x80"); string(b) != `{"hex":"eda080"}` {
		t.Errorf("half a surrogate pair: %s", b)
	}
}

func TestNumbers(t *testing.T) {
	for x, want := range map[float64]string{float64(float32(0.1)): "0.1", 1e6: "1e+06", math.MaxFloat32: "3.4028235e+38", float64(float32(1e-45)): "1e-45"} {
		if got := string(appendFloat(nil, x, gguf.Float32)); got != want {
			t.Errorf("%v as an f32: %s, want %s", x, got, want)
		}
	}
	if got := string(appendFloat(nil, 0.1, gguf.Float64)); got != "0.1" {
		t.Error(got)
	}
	for n, want := range map[uint64]string{1 << 53: "9007199254740992", 1<<53 + 1: `"9007199254740993"`, 0: "0"} {
		if got := string(appendCount(nil, n)); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

// list is a file with one array of n u32, 0, 1, 2...
func list(n int) []byte {
	b := []byte("GGUF\x03\x00\x00\x00")
	b = binary.LittleEndian.AppendUint64(b, 0)
	b = binary.LittleEndian.AppendUint64(b, 1)
	b = binary.LittleEndian.AppendUint64(b, 1)
	b = append(b, "k\x09\x00\x00\x00\x04\x00\x00\x00"...)
	b = binary.LittleEndian.AppendUint64(b, uint64(n))
	for i := range n {
		b = binary.LittleEndian.AppendUint32(b, uint32(i))
	}
	return b
}

func TestArraysAreCut(t *testing.T) {
	for _, c := range []struct {
		n    int
		full bool
		want int
	}{{64, false, 64}, {65, false, 64}, {65, true, 65}, {chunk, true, chunk}, {3*chunk + 7, true, 3*chunk + 7}} {
		b := list(c.n)
		f, err := gguf.Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		text, err := Document(f, c.full)
		if err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Metadata []struct {
				N         int
				Value     []int
				Truncated *bool
			}
		}
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		got := doc.Metadata[0]
		if got.N != c.n || len(got.Value) != c.want || got.Value[c.want-1] != c.want-1 || (got.Truncated != nil) != (c.want < c.n) || got.Truncated != nil && !*got.Truncated {
			t.Errorf("%+v: n %d, %d values, truncated %v", c, got.N, len(got.Value), got.Truncated)
		}
	}
}

func TestValue(t *testing.T) {
	b := list(10)
	f, err := gguf.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	v, _ := f.Value("k")
	for _, c := range []struct {
		start, count int64
		want         string
	}{
		{0, -1, "[0,1,2,3,4,5,6,7,8,9]"}, {0, 2, "[0,1]"}, {8, 5, "[8,9]"}, {10, 1, "[]"}, {100, 1, "[]"}, {-3, 1, "[0]"},
		{9, -1, "[9]"}, {math.MaxInt64, math.MaxInt64, "[]"}, {1, math.MaxInt64, "[1,2,3,4,5,6,7,8,9]"},
	} {
		if got, err := Value(v, c.start, c.count); err != nil || string(got) != c.want {
			t.Errorf("from %d, %d: %s, %v, want %s", c.start, c.count, got, err, c.want)
		}
	}
}

// A long array goes out piece by piece.
func TestLittleMemory(t *testing.T) {
	b := list(2 << 20)
	f, err := gguf.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	var before, during runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	most := uint64(0)
	n := 0
	err = Write(writerFunc(func(p []byte) (int, error) {
		if n++; n%64 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&during)
			most = max(most, during.HeapAlloc)
		}
		return len(p), nil
	}), f, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	if most > before.HeapAlloc+1<<20 {
		t.Errorf("%d bytes more than before in memory", most-before.HeapAlloc)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestWriteErrors(t *testing.T) {
	f, err := open(t, corpus+"/good/kv_5000.gguf")
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("disk full")
	if err := Write(writerFunc(func([]byte) (int, error) { return 0, full }), f, true, nil); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
}

// vanishing is a file whose bytes are gone after the header was read.
type vanishing struct {
	io.ReaderAt
	gone bool
}

func (v *vanishing) ReadAt(p []byte, off int64) (int, error) {
	if v.gone {
		return 0, fs.ErrNotExist
	}
	return v.ReaderAt.ReadAt(p, off)
}

func TestValuesThatCannotBeRead(t *testing.T) {
	b := list(100_000)
	v := &vanishing{ReaderAt: bytes.NewReader(b)}
	f, err := gguf.Open(v, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	v.gone = true
	text, err := Document(f, true)
	var doc struct{ Error Failure }
	if jerr := json.Unmarshal(text, &doc); jerr != nil || !errors.Is(err, fs.ErrNotExist) || doc.Error.Kind != "io" {
		t.Errorf("%v, %v, %+v", jerr, err, doc.Error)
	}
}

type tooBig struct{ error }

func (tooBig) Kind() string { return "memory" }

func TestFailureOf(t *testing.T) {
	b := []byte("GGUF\x09\x00\x00\x00")
	_, err := gguf.Open(bytes.NewReader(b), int64(len(b)))
	for _, c := range []struct {
		err    error
		kind   string
		field  string
		offset bool
	}{
		{io.ErrClosedPipe, "io", "", false},
		{fmt.Errorf("model: %w", tooBig{io.EOF}), "memory", "", false},
		{fmt.Errorf("m.gguf: %w", err), "unsupported", "version", true},
		{&gguf.Error{Offset: -1, Field: "shards", Err: gguf.ErrMissingShard}, "truncated", "shards", false},
	} {
		f := FailureOf(c.err)
		if f.Kind != c.kind || f.Field != c.field || (f.Offset != nil) != c.offset || f.Message != c.err.Error() {
			t.Errorf("%v: %+v", c.err, f)
		}
	}
}

func BenchmarkFullDocument(b *testing.B) {
	file := list(300_000)
	f, err := gguf.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := Write(io.Discard, f, true, nil); err != nil {
			b.Fatal(err)
		}
	}
}
