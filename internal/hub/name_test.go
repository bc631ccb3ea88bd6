package hub

import (
	"context"
	"slices"
	"strings"
	"testing"

	"straw/internal/hub/hubtest"
)

func TestParseName(t *testing.T) {
	for _, c := range []struct{ in, want, folder string }{
		{"hf:ann/tiny", "hf:ann/tiny", "hf/ann/tiny"},
		{"hf:ann/tiny:Q8_0", "hf:ann/tiny:Q8_0", "hf/ann/tiny"},
		{"hf:ann/tiny@v1:sub/m.gguf", "hf:ann/tiny@v1:sub/m.gguf", "hf/ann/tiny@v1"},
		{"hf:ann/tiny@refs/pr/1", "hf:ann/tiny@refs/pr/1", "hf/ann/tiny@refs%2Fpr%2F1"},
		{"hf.co/ann/tiny:Q4_0", "hf:ann/tiny:Q4_0", "hf/ann/tiny"},
		{"https://huggingface.co/ann/tiny", "hf:ann/tiny", "hf/ann/tiny"},
		{"https://huggingface.co/ann/tiny/blob/main/m.gguf", "hf:ann/tiny@main:m.gguf", "hf/ann/tiny@main"},
		{"ollama:tiny", "ollama:tiny:latest", "ollama/library/tiny/latest"},
		{"ollama:ann/tiny:3b", "ollama:ann/tiny:3b", "ollama/ann/tiny/3b"},
		{"https://user:pw@example.com:8080/a/m.gguf?key=1", "https://example.com:8080/a/m.gguf?...", "https/example.com%3A8080/a"},
	} {
		n, err := ParseName(c.in)
		if err != nil || n.String() != c.want || n.folder() != c.folder {
			t.Errorf("%s: %q in %q, %v; want %q in %q", c.in, n, n.folder(), err, c.want, c.folder)
		}
	}
	for _, bad := range []string{"", "tiny", "hf:tiny", "hf:/tiny", "hf:ann/", "hf:ann/..", "hf:../tiny", "hf:ann/tiny:", "hf:ann/tiny:../x",
		"hf:ann/tiny@", "hf:ann/tiny@../..", "hf:a/b/c", "hf:ann/ti ny", "hf:ann\\x/tiny", "ollama:", "ollama:a/b/c", "ollama:..:x", "ftp://x/y.gguf",
		"https://", "https://example.com", "https://example.com/a/", "https://example.com/../../m.gguf", "https://example.com/%2e%2e/m.gguf", "hf:ann/tiny\x1b"} {
		if n, err := ParseName(bad); err == nil {
			t.Errorf("%q is taken for %q", bad, n)
		}
	}
	if _, err := ParseName("https://u:hush@e.com/?key=hush"); err == nil || strings.Contains(err.Error(), "hush") {
		t.Errorf("the error tells a secret: %v", err)
	}
}

func TestChoose(t *testing.T) {
	of := func(names ...string) []File {
		var f []File
		for _, n := range names {
			f = append(f, File{Name: n})
		}
		return f
	}
	many := of("m-Q2_K.gguf", "m-Q4_K_M.gguf", "m-Q8_0.gguf", "mmproj-F16.gguf", "m.imatrix.gguf", "UD/m-UD-Q4_K_XL.gguf",
		"F16/m-00001-of-00002.gguf", "F16/m-00002-of-00002.gguf", "BF16/m-00001-of-00002.gguf")
	for _, c := range []struct {
		files      []File
		want, have string // names with commas; else the error
	}{
		{many, "", "m-Q4_K_M.gguf"},
		{many, "q8_0", "m-Q8_0.gguf"},
		{many, "Q4_K", "there is no Q4_K; there are Q2_K, Q4_K_M, Q8_0, UD-Q4_K_XL, F16, BF16"},
		{many, "UD-Q4_K_XL", "UD/m-UD-Q4_K_XL.gguf"},
		{many, "F16", "F16/m-00001-of-00002.gguf,F16/m-00002-of-00002.gguf"},
		{many, "BF16", "of the shards of m, m-00002-of-00002.gguf is missing"},
		{many, "mmproj-F16.gguf", "mmproj-F16.gguf"},
		{of("a.gguf"), "", "a.gguf"},
		{of("a.gguf", "b.gguf"), "", "there are several models, say which after a colon: a.gguf, b.gguf"},
		{of("a_q4_k_m.gguf", "b.Q4_K_M.gguf"), "Q4_K_M", "there are several of Q4_K_M, say which file: a_q4_k_m.gguf, b.Q4_K_M.gguf"},
		{nil, "", "there are no GGUF files"},
	} {
		got, err := Choose(c.files, c.want)
		var names []string
		for _, f := range got {
			names = append(names, f.Name)
		}
		have := strings.Join(names, ",")
		if err != nil {
			have = err.Error()
		}
		if have != c.have {
			t.Errorf("%q: got %q, want %q", c.want, have, c.have)
		}
	}
}

func TestList(t *testing.T) {
	s := hubtest.New(t, map[string][]byte{"a-Q4_0.gguf": hubtest.Model(8, 0), "b/c-Q8_0.gguf": hubtest.Model(9, 0), "d.gguf": hubtest.Model(10, 0)})
	n, _ := ParseName("hf:ann/tiny")
	files, err := clientOf(s).List(context.Background(), n)
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
		if f.SHA256 != hubtest.Sum(s.Files[f.Name]) || f.Size != int64(len(s.Files[f.Name])) {
			t.Errorf("%s: %d bytes, sha256 %s", f.Name, f.Size, f.SHA256)
		}
	}
	if want := []string{"a-Q4_0.gguf", "b/c-Q8_0.gguf", "d.gguf"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("got %q, %v", names, err)
	}
	for name, want := range map[string]string{"hf:ann/none": "there is no such model, or it is private", "ollama:none": "there is no such model"} {
		n, _ := ParseName(name)
		if _, err := clientOf(s).List(context.Background(), n); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	s.Token = "hush"
	c := clientOf(s)
	c.Token = "wrong"
	if _, err := c.List(context.Background(), n); err == nil || !strings.Contains(err.Error(), "the access token is not accepted") || strings.Contains(err.Error(), "wrong") {
		t.Errorf("got %v", err)
	}
}
