package protocol

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// fixtures are shared with web/src/protocol.test.ts.
const fixtures = "../../testdata/protocol"

type fixture struct {
	Name      string          `json:"name"`
	Direction string          `json:"direction"`
	Valid     bool            `json:"valid"`
	Error     string          `json:"error,omitempty"`
	Message   json.RawMessage `json:"message"`
}

func TestFixtures(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(fixtures, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures in %s: %v", fixtures, err)
	}
	methods, events := map[string]bool{Cancel: true}, map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var f fixture
		if err := decode(text, &f); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if f.Name+".json" != filepath.Base(file) {
			t.Errorf("%s is named %q inside", file, f.Name)
		}
		t.Run(f.Name, func(t *testing.T) {
			var again any
			var err error
			if f.Direction == "request" {
				var r Request
				r, err = DecodeRequest(f.Message)
				methods[r.Method], again = true, r
			} else {
				var r Response
				r, err = DecodeResponse(f.Message)
				events[r.Event], again = true, r
			}
			if !f.Valid {
				if err == nil || !strings.Contains(err.Error(), f.Error) {
					t.Fatalf("error %v does not speak of %q", err, f.Error)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			sameJSON(t, again, f.Message)
		})
	}
	for name := range newParams {
		if !methods[name] {
			t.Errorf("no fixture for method %s", name)
		}
	}
	for name := range newData {
		if !events[name] {
			t.Errorf("no fixture for event %s", name)
		}
	}
}

func sameJSON(t *testing.T, v any, want []byte) {
	t.Helper()
	got, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var g, w any
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(want, &w); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(g, w) {
		t.Errorf("came back as %s, was %s", got, want)
	}
}

// TestResults holds the result types to what the page expects of them.
func TestResults(t *testing.T) {
	for name, dst := range map[string]any{
		"response-opened":    new(Opened),
		"response-value":     new(ValueResult),
		"response-values":    new(Values),
		"response-tokens":    new(Tokens),
		"response-text":      new(Text),
		"response-loaded":    new(Loaded),
		"response-generated": new(Last),

		"response-generated-calls": new(Last),
		"response-findings":        new(Findings),
		"response-tokens-some":     new(Tokens),
		"response-traced":          new(Traced),
	} {
		text, err := os.ReadFile(filepath.Join(fixtures, name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var f fixture
		if err := decode(text, &f); err != nil {
			t.Fatal(err)
		}
		r, err := DecodeResponse(f.Message)
		if err != nil {
			t.Fatal(err)
		}
		if err := decode(r.Result, dst); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		sameJSON(t, dst, r.Result)
	}
}

// TestFaultyRequestKeepsItsID: the error has to find its way back to the promise that waits for it.
func TestFaultyRequestKeepsItsID(t *testing.T) {
	r, err := DecodeRequest([]byte(`{"id": 7, "method": "value", "params": {"key": 1}}`))
	if err == nil || r.ID != 7 {
		t.Errorf("id %d, error %v; want id 7 and an error", r.ID, err)
	}
}

func FuzzDecodeRequest(f *testing.F) {
	f.Add([]byte(`{"id":1,"method":"generate","params":{"prompt":"a","stop":["b"]}}`))
	f.Add([]byte(`{"id":1,"method":"open","params":{"source":{"files":["a"]}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := DecodeRequest(text)
		if err != nil {
			return
		}
		again, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := DecodeRequest(again); err != nil || !reflect.DeepEqual(back, r) {
			t.Errorf("%s came back as %s: %v", text, again, err)
		}
	})
}
