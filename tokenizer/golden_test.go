package tokenizer_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"straw/gguf"
	"straw/tokenizer"
)

// goldenCase is a case of golden/tok/*.json: *_hex where a text is not UTF-8.
type goldenCase struct {
	Text, TextHex               *string
	AddSpecial, ParseSpecial    bool
	IDs                         []int
	Detok, DetokSpecial, Pieces *string
}

func (c *goldenCase) UnmarshalJSON(b []byte) error {
	var raw map[string]any
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	text := func(key string) *string {
		if s, ok := raw[key].(string); ok {
			return &s
		}
		if s, ok := raw[key+"_hex"].(string); ok {
			b, _ := hex.DecodeString(s)
			s = string(b)
			return &s
		}
		return nil
	}
	c.Text, c.Detok, c.DetokSpecial, c.Pieces = text("text"), text("detok"), text("detok_special"), text("pieces")
	c.AddSpecial, _ = raw["add_special"].(bool)
	c.ParseSpecial, _ = raw["parse_special"].(bool)
	ids, _ := raw["ids"].([]any)
	for _, id := range ids {
		c.IDs = append(c.IDs, int(id.(float64)))
	}
	return nil
}

type golden struct {
	Vocab string
	Model string
	Cases []goldenCase
}

// sharedDir is ../shared of the module root, "" where it is not there.
func sharedDir(t testing.TB) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			shared := filepath.Join(dir, "..", "shared")
			if _, err := os.Stat(shared); err != nil {
				t.Log("no ../shared: its vocabularies are not tested")
				return ""
			}
			return shared
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir = parent
			continue
		}
		t.Fatal("no go.mod above the test")
	}
}

func readJSON(t testing.TB, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func openVocab(t testing.TB, path string) *gguf.File {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := gguf.Open(strings.NewReader(string(b)), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func newTokenizer(t testing.TB, m tokenizer.Metadata) *tokenizer.Tokenizer {
	t.Helper()
	tok, err := tokenizer.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

func checkCases(t *testing.T, tok *tokenizer.Tokenizer, cases []goldenCase) {
	t.Helper()
	for _, c := range cases {
		o := tokenizer.Options{AddSpecial: c.AddSpecial, ParseSpecial: c.ParseSpecial}
		if got := tok.Encode(*c.Text, o); !slices.Equal(got, c.IDs) {
			t.Errorf("%q %+v:\n got %v\nwant %v", *c.Text, o, got, c.IDs)
			continue
		}
		if c.Detok != nil {
			if got := string(tok.Decode(c.IDs, false)); got != *c.Detok {
				t.Errorf("%v: detok %q, want %q", c.IDs, got, *c.Detok)
			}
			if got := string(tok.Decode(c.IDs, true)); got != *c.DetokSpecial {
				t.Errorf("%v: detok special %q, want %q", c.IDs, got, *c.DetokSpecial)
			}
		}
		if c.Pieces != nil {
			var pieces []byte
			d := tok.NewDecoder(true)
			var streamed string
			for _, id := range c.IDs {
				pieces = append(pieces, tok.Piece(id, true)...)
				streamed += d.Push(id)
			}
			streamed += d.Flush()
			if string(pieces) != *c.Pieces {
				t.Errorf("%v: pieces %q, want %q", c.IDs, pieces, *c.Pieces)
			}
			if want := string([]rune(*c.Pieces)); streamed != want {
				t.Errorf("%v: streamed %q, want %q", c.IDs, streamed, want)
			}
		}
	}
}

// TestGolden compares with the ids, texts and pieces of llama.cpp.
func TestGolden(t *testing.T) {
	shared := sharedDir(t)
	if shared == "" {
		return
	}
	paths, _ := filepath.Glob(filepath.Join(shared, "golden", "tok", "*.json"))
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json"), func(t *testing.T) {
			var g golden
			readJSON(t, path, &g)
			switch g.Model {
			case "llama", "gpt2", "gemma4":
				checkCases(t, newTokenizer(t, openVocab(t, filepath.Join(shared, "golden", "vocab", g.Vocab))), g.Cases)
			default:
				_, err := tokenizer.New(openVocab(t, filepath.Join(shared, "golden", "vocab", g.Vocab)))
				if k, ok := err.(interface{ Kind() string }); !ok || k.Kind() != "unsupported" {
					t.Errorf("model %s: %v", g.Model, err)
				}
			}
		})
	}
}

// TestUpstream reads the .inp and .out of llama.cpp's own test vocabularies:
// no special tokens are added, those in the text are not recognised.
func TestUpstream(t *testing.T) {
	shared := sharedDir(t)
	if shared == "" {
		return
	}
	paths, _ := filepath.Glob(filepath.Join(shared, "golden", "vocab", "*.gguf.inp"))
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			file := openVocab(t, strings.TrimSuffix(path, ".inp"))
			if model, _ := file.Get("tokenizer.ggml.model"); model == "bert" {
				return
			}
			tok := newTokenizer(t, file)
			in, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			out, err := os.ReadFile(strings.TrimSuffix(path, ".inp") + ".out")
			if err != nil {
				t.Fatal(err)
			}
			texts := strings.Split(string(in), "\n__ggml_vocab_test__\n")
			lines := strings.Split(string(out), "\n")
			for i, text := range texts {
				var want []int
				for field := range strings.FieldsSeq(lines[i]) {
					id, _ := strconv.Atoi(field)
					want = append(want, id)
				}
				if got := tok.Encode(text, tokenizer.Options{}); !slices.Equal(got, want) {
					t.Errorf("%q:\n got %v\nwant %v", text, got, want)
				}
			}
		})
	}
}

// named gives a file another tokenizer.ggml.pre.
type named struct {
	*gguf.File
	pre string
}

func (n named) Get(key string) (any, error) {
	if key == "tokenizer.ggml.pre" {
		return n.pre, nil
	}
	return n.File.Get(key)
}

// TestPretokenizers compares all names of pre-tokenizers.
func TestPretokenizers(t *testing.T) {
	shared := sharedDir(t)
	if shared == "" {
		return
	}
	var g struct {
		Texts  []string
		Groups []struct {
			IDs     [][]int
			Special [][]int `json:"ids_special"`
			Pre     []string
		}
	}
	readJSON(t, filepath.Join(shared, "golden", "tok_pre", "pre.json"), &g)
	file := openVocab(t, filepath.Join(shared, "golden", "tok_pre", "base.gguf"))
	for _, group := range g.Groups {
		for _, pre := range group.Pre {
			t.Run(pre, func(t *testing.T) {
				tok := newTokenizer(t, named{file, pre})
				for i, text := range g.Texts {
					if got := tok.Encode(text, tokenizer.Options{}); !slices.Equal(got, group.IDs[i]) {
						t.Errorf("%q:\n got %v\nwant %v", text, got, group.IDs[i])
					}
					if got := tok.Encode(text, tokenizer.Options{AddSpecial: true, ParseSpecial: true}); !slices.Equal(got, group.Special[i]) {
						t.Errorf("%q with special:\n got %v\nwant %v", text, got, group.Special[i])
					}
				}
			})
		}
	}
}

// TestDemo compares with the tokenizer the demo model was trained with.
func TestDemo(t *testing.T) {
	shared := sharedDir(t)
	if shared == "" {
		return
	}
	var g struct {
		Cases []goldenCase `json:"tokenizer_cases"`
	}
	readJSON(t, filepath.Join(shared, "demo", "golden.json"), &g)
	for i := range g.Cases {
		g.Cases[i].AddSpecial, g.Cases[i].ParseSpecial = true, true
	}
	files, _ := filepath.Glob(filepath.Join(shared, "demo", "*Q2_K.gguf"))
	for _, path := range files {
		checkCases(t, newTokenizer(t, openVocab(t, path)), g.Cases)
	}
}

func ExampleNew() {
	_, err := tokenizer.New(fake{"tokenizer.ggml.model": "gpt3"})
	fmt.Println(err)
	// Output: tokenizer.ggml.model: "gpt3" is not supported (supported: gemma4, gpt2, llama)
}

// fake is metadata without a file.
type fake map[string]any

func (f fake) Get(key string) (any, error) { return f[key], nil }
