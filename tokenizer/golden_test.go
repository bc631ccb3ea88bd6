package tokenizer_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"straw/gguf"
	"straw/tokenizer"
)

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
			checkCases(t, newTokenizer(t, openVocab(t, filepath.Join(shared, "golden", "vocab", g.Vocab))), g.Cases)
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

// TestGoldenPretokenizers is TestPretokenizers with special tokens too.
func TestGoldenPretokenizers(t *testing.T) {
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
