package look

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"straw/gguf"
	"straw/internal/demo"
	"straw/wasm/internal/worker"
	"straw/wasm/protocol"
)

// answer is one request's outcome.
type answer struct {
	protocol.Response
	values []float32
}

// viewer is a worker whose opener reads path, or the demo model if that is empty.
func viewer(t *testing.T, path string) func(method string, params any) answer {
	t.Helper()
	open := func(context.Context, protocol.Source, []any, func(done, total int64)) (*gguf.File, error) {
		if path == "" {
			return gguf.Open(demo.Open())
		}
		return gguf.OpenFS(os.DirFS(filepath.Dir(path)), filepath.Base(path))
	}
	came := make(chan answer, 1)
	w := worker.New(t.Context(), New(open).Methods(), func(text []byte, values []float32) {
		r, err := protocol.DecodeResponse(text)
		if err != nil {
			t.Errorf("%.300s: %v", text, err)
		}
		if r.Event == "" {
			came <- answer{r, values}
		}
	})
	id := int64(0)
	return func(method string, params any) answer {
		t.Helper()
		id++
		text, err := json.Marshal(protocol.Request{ID: id, Method: method, Params: params})
		if err != nil {
			t.Fatal(err)
		}
		w.Receive(text, nil)
		select {
		case a := <-came:
			return a
		case <-time.After(20 * time.Second):
			t.Fatalf("no answer to %s", text)
			return answer{}
		}
	}
}

var anyFile = protocol.Open{Source: protocol.Source{Files: []string{"m.gguf"}}}

func result[T any](t *testing.T, a answer) (r T) {
	t.Helper()
	if a.Error != nil {
		t.Fatalf("error %+v", a.Error)
	}
	if err := json.Unmarshal(a.Result, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func refused(t *testing.T, a answer, kind, field, word string) {
	t.Helper()
	if a.Error == nil || a.Error.Kind != kind || a.Error.Field != field || !strings.Contains(a.Error.Message, word) {
		t.Errorf("got %+v (result %.100s), want an error of kind %s in %q about %q", a.Error, a.Result, kind, field, word)
	}
}

func TestOpen(t *testing.T) {
	ask := viewer(t, "")
	refused(t, ask("info", nil), "io", "", "no model")
	opened := result[protocol.Opened](t, ask("open", anyFile))
	var doc struct {
		Metadata []struct{ Key string }
		Summary  struct{ Architecture string }
	}
	if err := json.Unmarshal(opened.Info, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Summary.Architecture != "llama" || len(doc.Metadata) < 10 {
		t.Errorf("document %.300s", opened.Info)
	}
	if again := result[protocol.Opened](t, ask("info", nil)); string(again.Info) != string(opened.Info) {
		t.Error("info is not what open answered")
	}
	refused(t, ask("open", anyFile), "io", "", "takes one")
}

func TestOpenDamaged(t *testing.T) {
	whole, err := io.ReadAll(func() io.Reader { r, n := demo.Open(); return io.NewSectionReader(r, 0, n) }())
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text []byte
		kind string
		info bool
	}{
		"cut in the data":     {whole[:len(whole)-1000], "truncated", true},
		"cut in the metadata": {whole[:2000], "truncated", true},
		"not a model":         {[]byte("<!DOCTYPE html><html></html>" + strings.Repeat(" ", 100)), "format", false},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "m.gguf")
			if err := os.WriteFile(path, c.text, 0o600); err != nil {
				t.Fatal(err)
			}
			a := viewer(t, path)("open", anyFile)
			if a.Error == nil || a.Error.Kind != c.kind || (a.Error.Info != nil) != c.info {
				t.Errorf("got %+v", a.Error)
			}
		})
	}
}

func TestValue(t *testing.T) {
	ask := viewer(t, "")
	ask("open", anyFile)
	value := func(p protocol.Value) string {
		t.Helper()
		return string(result[protocol.ValueResult](t, ask("value", p)).Value)
	}
	if got := value(protocol.Value{Key: "general.architecture"}); got != `"llama"` {
		t.Errorf("architecture %s", got)
	}
	var all []string
	if err := json.Unmarshal([]byte(value(protocol.Value{Key: "tokenizer.ggml.tokens"})), &all); err != nil || len(all) != 1024 {
		t.Fatalf("%d tokens, %v", len(all), err)
	}
	for name, c := range map[string]struct {
		start, count int64
		want         []string
	}{
		"middle":       {1000, 3, all[1000:1003]},
		"past the end": {1022, 100, all[1022:]},
		"none":         {5, 0, []string{}},
		"far outside":  {1 << 40, 5, []string{}},
	} {
		var got []string
		text := value(protocol.Value{Key: "tokenizer.ggml.tokens", Start: c.start, Count: &c.count})
		if err := json.Unmarshal([]byte(text), &got); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %s, want %q", name, text, c.want)
		}
	}
	refused(t, ask("value", protocol.Value{Key: "__proto__"}), "unsupported", "key", "__proto__")
}

func TestTensor(t *testing.T) {
	ask := viewer(t, "")
	ask("open", anyFile)
	const embedding, norm, width, rows = "token_embd.weight", "output_norm.weight", 256, 1024
	all := ask("tensor", protocol.Tensor{Name: embedding}).values // Q8_0
	if len(all) != rows*width {
		t.Fatalf("%d values", len(all))
	}
	for name, c := range map[string]struct {
		p    protocol.Tensor
		want []float32
	}{
		"row":               {protocol.Tensor{Name: embedding, Row: new(int64(3))}, all[3*width : 4*width]},
		"rows":              {protocol.Tensor{Name: embedding, Row: new(int64(1000)), Count: new(int64(2 * width))}, all[1000*width : 1002*width]},
		"first few":         {protocol.Tensor{Name: embedding, Count: new(int64(5))}, all[:5]},
		"end inside block":  {protocol.Tensor{Name: embedding, Row: new(int64(1)), Count: new(int64(33))}, all[width : width+33]},
		"last row":          {protocol.Tensor{Name: embedding, Row: new(int64(rows - 1))}, all[(rows-1)*width:]},
		"none":              {protocol.Tensor{Name: embedding, Count: new(int64(0))}, all[:0]},
		"more than a chunk": {protocol.Tensor{Name: embedding, Count: new(int64(chunkValues + 7))}, all[:chunkValues+7]},
	} {
		a := ask("tensor", c.p)
		if r := result[protocol.Values](t, a); r.Count != len(c.want) || !slices.Equal(a.values, c.want) || a.values == nil {
			t.Errorf("%s: %d values, want %d; equal %v", name, r.Count, len(c.want), slices.Equal(a.values, c.want))
		}
	}
	if v := ask("tensor", protocol.Tensor{Name: norm}).values; len(v) != width {
		t.Errorf("%s has %d values", norm, len(v))
	}
	refused(t, ask("tensor", protocol.Tensor{Name: "x"}), "unsupported", "name", "no tensor")
	refused(t, ask("tensor", protocol.Tensor{Name: embedding, Row: new(int64(rows))}), "unsupported", "row", "no row 1024")
	refused(t, ask("tensor", protocol.Tensor{Name: embedding, Row: new(int64(rows - 1)), Count: new(int64(width + 1))}), "unsupported", "count", "256 values")
	refused(t, ask("tensor", protocol.Tensor{Name: embedding, Row: new(int64(1 << 62))}), "unsupported", "row", "no row")
}

func TestTooManyValues(t *testing.T) {
	huge := gguf.Tensor{Name: "t", Dims: []uint64{1 << 20, 1 << 20}, Elements: 1 << 40}
	if _, err := want(&huge, &protocol.Tensor{}); err == nil || err.(*tooMany).Kind() != "memory" {
		t.Errorf("error %v", err)
	}
	if s, err := want(&huge, &protocol.Tensor{Row: new(int64(1<<20 - 1))}); err != nil || s != (span{1<<40 - 1<<20, 1 << 20}) {
		t.Errorf("span %v, error %v", s, err)
	}
}

func TestTokens(t *testing.T) {
	ask := viewer(t, "")
	ask("open", anyFile)
	off := false
	const text = "Once upon a time, 😀 there was"
	r := result[protocol.Tokens](t, ask("tokenize", protocol.Tokenize{Text: text, AddSpecial: &off}))
	if len(r.IDs) == 0 || len(r.Pieces) != len(r.IDs) || len(r.Spans) != len(r.IDs) {
		t.Fatalf("%d ids, %d pieces, %d spans", len(r.IDs), len(r.Pieces), len(r.Spans))
	}
	if s := r.Spans[len(r.Spans)-1]; s[1] != 30 { // UTF-16 units: one more than characters
		t.Errorf("spans %v", r.Spans)
	}
	var joined strings.Builder
	for _, p := range r.Pieces {
		joined.WriteString(string(p))
	}
	if joined.String() != text {
		t.Errorf("pieces are %q", joined.String())
	}
	if back := result[protocol.Text](t, ask("detokenize", protocol.Detokenize{IDs: r.IDs})); back.Text != text {
		t.Errorf("detokenized %q", back.Text)
	}
	withBOS := result[protocol.Tokens](t, ask("tokenize", protocol.Tokenize{Text: text}))
	if withBOS.IDs[0] != 1021 || withBOS.Spans[0] != [2]int{0, 0} || !slices.Equal(withBOS.IDs[1:], r.IDs) {
		t.Errorf("with BOS: %v %v", withBOS.IDs, withBOS.Spans)
	}
	empty := result[protocol.Tokens](t, ask("tokenize", protocol.Tokenize{AddSpecial: &off}))
	if empty.IDs == nil || empty.Pieces == nil || empty.Spans == nil {
		t.Errorf("lists are null: %+v", empty)
	}
	some := func(start, count int64) protocol.Tokens {
		return result[protocol.Tokens](t, ask("tokenize", protocol.Tokenize{Text: text, AddSpecial: &off, Start: start, Count: &count}))
	}
	if s := some(2, 3); s.Total == nil || *s.Total != len(r.IDs) || !slices.Equal(s.IDs, r.IDs[2:5]) || !slices.Equal(s.Spans, r.Spans[2:5]) || len(s.Pieces) != 3 || !slices.Equal(s.Types, []string{"normal", "normal", "normal"}) {
		t.Errorf("three tokens: %+v", s)
	}
	if s := some(int64(len(r.IDs))-1, 1<<62); len(s.IDs) != 1 {
		t.Errorf("the last token: %+v", s)
	}
	if s := some(1<<62, 1); len(s.IDs) != 0 || *s.Total != len(r.IDs) {
		t.Errorf("tokens far behind the end: %+v", s)
	}
	refused(t, ask("detokenize", protocol.Detokenize{IDs: []int{1024}}), "unsupported", "ids", "1024")
}
