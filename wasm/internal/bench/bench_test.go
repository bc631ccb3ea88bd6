package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"straw/gguf"
	"straw/internal/demo"
	"straw/wasm/internal/look"
	"straw/wasm/internal/worker"
	"straw/wasm/protocol"
)

// paper is what the tests save to.
type paper struct {
	bytes.Buffer
	closed, aborted bool
	over            bool
	room            int // bytes it takes; 0: any
}

func (p *paper) Write(b []byte) (int, error) {
	if p.room > 0 && p.Len()+len(b) > p.room {
		return 0, errors.New("the disk is full")
	}
	return p.Buffer.Write(b)
}

func (p *paper) Close() error { p.closed = true; return nil }
func (p *paper) Abort()       { p.aborted = true }

// bench gives a function that asks a bench on the demo model. Every model that is opened is the demo, or what other holds.
func bench(t *testing.T, other []byte) func(method string, params any, objects ...any) protocol.Response {
	t.Helper()
	first := true
	open := func(context.Context, protocol.Source, []any, func(done, total int64)) (*gguf.File, error) {
		if other != nil && !first {
			return gguf.Open(bytes.NewReader(other), int64(len(other)))
		}
		first = false
		return gguf.Open(demo.Open())
	}
	v := look.New(open)
	methods := New(v, open, func(_ context.Context, object any, over bool) (worker.Output, error) {
		out := object.(*paper)
		out.over = over
		return out, nil
	}).Methods()
	methods["open"] = v.Methods()["open"]
	came := make(chan protocol.Response, 1)
	w := worker.New(t.Context(), methods, func(text []byte, _ []float32) {
		r, err := protocol.DecodeResponse(text)
		if err != nil {
			t.Errorf("%.300s: %v", text, err)
		}
		if r.Event == "" {
			came <- r
		}
	})
	id := int64(0)
	ask := func(method string, params any, objects ...any) protocol.Response {
		t.Helper()
		id++
		text, err := json.Marshal(protocol.Request{ID: id, Method: method, Params: params})
		if err != nil {
			t.Fatal(err)
		}
		w.Receive(text, objects)
		select {
		case r := <-came:
			return r
		case <-time.After(time.Minute):
			t.Fatalf("no answer to %s", text)
			return protocol.Response{}
		}
	}
	ask("open", protocol.Open{Source: protocol.Source{Files: []string{"m.gguf"}}})
	return ask
}

func result[T any](t *testing.T, r protocol.Response) (v T) {
	t.Helper()
	if r.Error != nil {
		t.Fatalf("error %+v", r.Error)
	}
	if err := json.Unmarshal(r.Result, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func refused(t *testing.T, r protocol.Response, kind, word string) {
	t.Helper()
	if r.Error == nil || r.Error.Kind != kind || !strings.Contains(r.Error.Message, word) {
		t.Errorf("got %+v (result %.100s), want an error of kind %s about %q", r.Error, r.Result, kind, word)
	}
}

func TestStats(t *testing.T) {
	ask := bench(t, nil)
	bins := int64(16)
	s := result[protocol.Described](t, ask("stats", protocol.Stats{Name: "blk.0.attn_norm.weight", Bins: &bins}))
	counted := int64(0)
	for _, n := range s.Histogram.Counts {
		counted += n
	}
	if s.Elements == 0 || s.Sampled != s.Elements || counted != s.Elements || len(s.Histogram.Counts) > 16 || s.Min > s.Mean || s.Mean > s.Max {
		t.Errorf("%+v", s)
	}
	sample := int64(4096)
	if s := result[protocol.Described](t, ask("stats", protocol.Stats{Name: "token_embd.weight", Sample: &sample})); s.Sampled >= s.Elements || s.Sampled < 4096 {
		t.Errorf("read %d of %d for a sample of 4096", s.Sampled, s.Elements)
	}
	refused(t, ask("stats", protocol.Stats{Name: "nothing"}), "unsupported", `no tensor "nothing"`)
}

// TestMeasure: a type that the tensor has already costs nothing, a coarser one more than a finer one, and a copy of the file nothing.
func TestMeasure(t *testing.T) {
	const name = "blk.0.ffn_up.weight"
	ask := bench(t, nil)
	sample := int64(8192)
	as := func(typ string) protocol.Measured {
		return result[protocol.Measured](t, ask("measure", protocol.Measure{Name: name, Type: typ, Sample: &sample}))
	}
	q8, q4, f16 := as("Q8_0"), as("Q4_0"), as("F16")
	if q4.Sampled != sample || q4.Error.Relative < 0.02 || q4.Error.Relative > 0.2 || q8.Error.Relative >= q4.Error.Relative || f16.Bytes != 2*f16.Elements {
		t.Errorf("Q8_0 %+v, Q4_0 %+v, F16 %+v", q8, q4, f16)
	}
	there := protocol.Source{Files: []string{"b.gguf"}}
	if same := result[protocol.Measured](t, ask("measure", protocol.Measure{Name: name, Source: &there})); same.Error.Differing != 0 || same.Sampled != same.Elements {
		t.Errorf("a copy differs: %+v", same)
	}
	refused(t, ask("measure", protocol.Measure{Name: "nothing", Type: "Q8_0"}), "unsupported", "no tensor")
	refused(t, ask("measure", protocol.Measure{Name: name, Type: "Q9"}), "unsupported", "Q9")
	refused(t, ask("measure", protocol.Measure{Name: name, Type: "IQ1_S"}), "unsupported", "importance matrix")
}

func TestHash(t *testing.T) {
	s := result[protocol.Sums](t, bench(t, nil)("hash", protocol.Hash{}))
	if len(s.Files) != 1 || len(s.Files[0].SHA256) != 64 || len(s.Tensors) < 10 || len(s.All) != 64 || len(s.UUID) != 36 {
		t.Errorf("%+v", s)
	}
}

// TestSaveAndCompare saves a changed copy, reads it back and compares it with the original.
func TestSaveAndCompare(t *testing.T) {
	draft := protocol.Draft{
		Set: []protocol.Setting{
			{Key: "general.name", Value: protocol.JSON(`"Other"`)},
			{Key: "llama.context_length", Value: protocol.JSON(`1024`)}, // keeps its type
			{Key: "mine.list", Type: "f32[]", Value: protocol.JSON(`[1, 0.5]`)},
			{Key: "mine.flag", Value: protocol.JSON(`true`)},
			{Key: "mine.negative", Value: protocol.JSON(`-1`)},
		},
		Unset: []string{"general.license"},
	}
	var out paper
	ask := bench(t, nil)
	files := result[protocol.Planned](t, ask("save", protocol.Save{Draft: draft}, &out)).Files
	if len(files) != 1 || files[0].Bytes != int64(out.Len()) || !out.closed || out.aborted {
		t.Fatalf("%+v: %d bytes, %+v", files, out.Len(), out.closed)
	}
	f, err := gguf.Open(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"general.name": "str", "llama.context_length": "u32", "mine.list": "f32[]", "mine.flag": "bool", "mine.negative": "i32"} {
		if v, ok := f.Value(key); !ok || typeName(v) != want {
			t.Errorf("%s has type %s, want %s", key, typeName(v), want)
		}
	}
	d := result[protocol.Differences](t, bench(t, out.Bytes())("compare", protocol.Compare{Source: protocol.Source{Files: []string{"b.gguf"}}}))
	changes := map[string]string{}
	for _, k := range d.Keys {
		changes[string(k.Key)] = k.Change
	}
	if d.Equal || len(d.Tensors) != 0 || d.Same != len(f.Tensors) || changes["general.name"] != "changed" || changes["mine.flag"] != "added" || changes["general.license"] != "removed" {
		t.Errorf("%+v", d)
	}
}

// TestSaveInPlace writes the header alone, where it fits.
func TestSaveInPlace(t *testing.T) {
	ask := bench(t, nil)
	set := func(name string) protocol.Draft {
		return protocol.Draft{Set: []protocol.Setting{{Key: "general.name", Value: protocol.JSON(`"` + name + `"`)}}}
	}
	r, size := demo.Open()
	f, err := gguf.Open(r, size)
	if err != nil {
		t.Fatal(err)
	}
	fits := set("Sip Songs") // as long as the old name
	plan := result[protocol.Planned](t, ask("plan", protocol.Plan{Draft: fits})).Files[0]
	if !plan.InPlace || plan.Header != f.DataOffset || plan.Bytes != size {
		t.Errorf("%+v", plan)
	}
	var out, whole paper
	ask("save", protocol.Save{Draft: fits, InPlace: true}, &out)
	ask("save", protocol.Save{Draft: fits}, &whole)
	if !out.over || !out.closed || !bytes.Equal(out.Bytes(), whole.Bytes()[:f.DataOffset]) || whole.over {
		t.Errorf("%d bytes written over the file, header %d", out.Len(), f.DataOffset)
	}
	long := set(strings.Repeat("long ", 20))
	if plan := result[protocol.Planned](t, ask("plan", protocol.Plan{Draft: long})).Files[0]; plan.InPlace {
		t.Errorf("%+v", plan)
	}
	refused(t, ask("save", protocol.Save{Draft: long, InPlace: true}, &out), "unsupported", "does not fit")
}

func TestSplit(t *testing.T) {
	ask := bench(t, nil)
	draft := protocol.Draft{Split: &protocol.Limits{MaxTensors: 20}}
	files := result[protocol.Planned](t, ask("plan", protocol.Plan{Draft: draft})).Files
	if len(files) < 2 || !strings.HasSuffix(files[0].Name, "-00001-of-0000"+string(rune('0'+len(files)))+".gguf") {
		t.Fatalf("%+v", files)
	}
	var parts []gguf.Part
	for i, file := range files {
		var out paper
		result[protocol.Planned](t, ask("save", protocol.Save{Draft: draft, Shard: int64(i)}, &out))
		parts = append(parts, gguf.Part{Name: file.Name, R: bytes.NewReader(out.Bytes()), Size: int64(out.Len())})
	}
	if _, err := gguf.OpenParts(parts); err != nil {
		t.Error(err)
	}
	refused(t, ask("save", protocol.Save{Draft: draft, Shard: int64(len(files))}, &paper{}), "unsupported", "counted from 0")
}

func TestSaveFails(t *testing.T) {
	ask := bench(t, nil)
	out := paper{room: 1 << 20}
	refused(t, ask("save", protocol.Save{}, &out), "io", "disk is full")
	if !out.aborted || out.closed {
		t.Error("half a file was left")
	}
	refused(t, ask("save", protocol.Save{}), "unsupported", "handle")
	refused(t, ask("plan", protocol.Plan{Draft: protocol.Draft{Unset: []string{"nothing"}}}), "format", "nothing")
	refused(t, ask("plan", protocol.Plan{Draft: protocol.Draft{Set: []protocol.Setting{{Key: "llama.context_length", Value: protocol.JSON(`"many"`)}}}}), "format", "llama.context_length")
}
