package chat

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// rendered is the day on which jinja2 rendered the cases: templates that tell the date have it in their text.
func rendered() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }

type golden struct {
	Name     string          `json:"name"`
	Template string          `json:"template"`
	File     string          `json:"file"` // of the template, in place of Template
	Context  json.RawMessage `json:"context"`
	Jinja2   struct {
		Out   *string `json:"out"`
		Error string  `json:"error"`
	} `json:"jinja2"`
}

// TestGolden renders what Python's jinja2 has rendered, as transformers sets it up. testdata/chat is
// here; the templates of real models lie in the folder shared beside the repository, where that exists.
func TestGolden(t *testing.T) {
	for _, name := range []string{"../testdata/chat/cases.json", "../../shared/golden/chat/cases.json", "../../shared/templates_upstream/cases.json"} {
		data, err := os.ReadFile(name)
		if os.IsNotExist(err) {
			t.Logf("%s is not here", name)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var cases []golden
		if err := json.Unmarshal(data, &cases); err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			if c.File != "" {
				src, err := os.ReadFile(filepath.Join(filepath.Dir(name), c.File))
				if err != nil {
					t.Fatal(err)
				}
				c.Template = string(src)
			}
			t.Run(c.Name, func(t *testing.T) { c.check(t) })
		}
	}
}

func (c *golden) check(t *testing.T) {
	vars, err := DecodeJSON(c.Context)
	if err != nil {
		t.Fatal(err)
	}
	got, err := renderText(c.Template, vars.(*Dict), Options{Now: rendered})
	switch want := c.Jinja2.Out; {
	case want == nil && err == nil:
		t.Errorf("%q: jinja2 fails: %s", got, c.Jinja2.Error)
	case want == nil:
		t.Logf("%v; jinja2: %s", err, c.Jinja2.Error)
	case err != nil:
		t.Errorf("%v; want %q", err, *want)
	case got != *want:
		t.Errorf("got\n%q\nwant\n%q", got, *want)
	}
}

func renderText(src string, vars *Dict, o Options) (string, error) {
	t, err := Parse(src)
	if err != nil {
		return "", err
	}
	return t.Render(context.Background(), vars, o)
}
