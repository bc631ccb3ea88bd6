package hub

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"straw/internal/hub/hubtest"
)

// there checks that the file at path is data and that nothing else lies beside it.
func there(t *testing.T, path string, data []byte) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes came, %v; want %d", len(got), err, len(data))
	}
	if all, _ := os.ReadDir(filepath.Dir(path)); len(all) != 1 {
		t.Errorf("there are %v", all)
	}
}

// clientOf is one that does not wait.
func clientOf(s *hubtest.Site) *Client {
	return &Client{Hub: s.URL, Registry: s.URL, Token: s.Token,
		wait: func(ctx context.Context, _ int, _ time.Duration) error { return context.Cause(ctx) }}
}

func one(t *testing.T, c *Client, name string) File {
	t.Helper()
	n, err := ParseName(name)
	if err != nil {
		t.Fatal(err)
	}
	files, err := c.List(context.Background(), n)
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := Choose(files, n.Want)
	if err != nil || len(chosen) != 1 {
		t.Fatal(chosen, err)
	}
	return chosen[0]
}

func TestFetch(t *testing.T) {
	data := hubtest.Model(1<<20, 0)
	for _, name := range []string{"hf:ann/tiny", "ollama:tiny"} {
		s := hubtest.New(t, map[string][]byte{"tiny.gguf": data})
		s.Token = "hush"
		if name == "ollama:tiny" {
			s.Token = ""
		}
		path := filepath.Join(t.TempDir(), "a", "tiny.gguf")
		var last, total int64
		if err := clientOf(s).Fetch(context.Background(), one(t, clientOf(s), name), path, func(n, of int64) { last, total = n, of }); err != nil {
			t.Fatal(name, err)
		}
		there(t, path, data)
		if last != int64(len(data)) || total != last {
			t.Errorf("%s: the last progress is %d of %d", name, last, total)
		}
		if s.Leaked {
			t.Errorf("%s: the token went along the redirect", name)
		}
	}
}

// TestCuts ends connections in the middle: each goes on where the last one ended.
func TestCuts(t *testing.T) {
	data := hubtest.Model(3<<20, 0)
	s := hubtest.New(t, map[string][]byte{"tiny.gguf": data})
	s.Cut = []int{1 << 20, 0, 0, 1 << 19, 0}
	s.Statuses = []int{503, 429}
	path := filepath.Join(t.TempDir(), "tiny.gguf")
	if err := clientOf(s).Fetch(context.Background(), one(t, clientOf(s), "hf:ann/tiny"), path, nil); err != nil {
		t.Fatal(err)
	}
	there(t, path, data)
	if len(s.Ranges) != 6 || s.Ranges[0] != "" || !strings.HasPrefix(s.Ranges[1], "bytes=1048") {
		t.Errorf("the ranges asked for are %q", s.Ranges)
	}
}

func TestResume(t *testing.T) {
	data := hubtest.Model(1<<20, 0)
	for _, c := range []struct {
		name  string
		have  []byte // in the part
		first string // range asked for
		alter func(*hubtest.Site)
	}{
		{"goes on", data[:1000], "bytes=1000-", nil},
		{"complete already", data, "none", nil},
		{"of another file", hubtest.Model(1000, 9), "bytes=1000-", nil}, // the hash tells, and all is fetched anew
		{"longer than the file", hubtest.Model(2<<20, 9), "", nil},
		{"no ranges", data[:1000], "bytes=1000-", func(s *hubtest.Site) { s.NoRange = true }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := hubtest.New(t, map[string][]byte{"tiny.gguf": data})
			if c.alter != nil {
				c.alter(s)
			}
			path := filepath.Join(t.TempDir(), "tiny.gguf")
			if err := os.WriteFile(path+".part", c.have, 0o666); err != nil {
				t.Fatal(err)
			}
			if err := clientOf(s).Fetch(context.Background(), one(t, clientOf(s), "hf:ann/tiny"), path, nil); err != nil {
				t.Fatal(err)
			}
			there(t, path, data)
			first := "none"
			if len(s.Ranges) > 0 {
				first = s.Ranges[0]
			}
			if first != c.first {
				t.Errorf("asked for %q first, want %q", first, c.first)
			}
		})
	}
}

// TestResumeAddress: without a published hash only a strong ETag tells that the rest is of the same file.
func TestResumeAddress(t *testing.T) {
	data := hubtest.Model(1<<20, 0)
	for _, c := range []struct{ name, had, has, first string }{
		{"the same", `"one"`, `"one"`, "bytes=1000-"},
		{"another", `"zero"`, `"one"`, "bytes=1000-"}, // If-Range makes it whole
		{"unknown", "", `"one"`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := hubtest.New(t, map[string][]byte{"tiny.gguf": data})
			s.ETag = c.has
			path := filepath.Join(t.TempDir(), "tiny.gguf")
			had := data[:1000]
			if c.had != c.has {
				had = hubtest.Model(1000, 7)
			}
			os.WriteFile(path+".part", had, 0o666)
			if c.had != "" {
				os.WriteFile(path+".part.etag", []byte(c.had), 0o666)
			}
			f := one(t, clientOf(s), s.CDN.URL+"/tiny.gguf?key=1")
			if err := clientOf(s).Fetch(context.Background(), f, path, nil); err != nil {
				t.Fatal(err)
			}
			there(t, path, data)
			if s.Ranges[0] != c.first {
				t.Errorf("asked for %q first, want %q", s.Ranges[0], c.first)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	data := hubtest.Model(1<<20, 0)
	for _, c := range []struct {
		name, want string
		kept       bool // what came stays for the next try
		alter      func(*hubtest.Site)
	}{
		{"hash", "its sha256 is not the published one", false, func(s *hubtest.Site) { s.Sums["tiny.gguf"] = strings.Repeat("0", 64) }},
		{"cut for good", "the connection ended after", true, func(s *hubtest.Site) { s.Cut = []int{1 << 19, 0, 0, 0, 0, 0, 0} }},
		{"no GGUF", "does not begin with the letters GGUF", false, func(s *hubtest.Site) {
			s.Files["tiny.gguf"] = bytes.Repeat([]byte("<html>"), len(data)/6+1)[:len(data)]
		}},
		{"other size", "not the 1048576 that were published", false, func(s *hubtest.Site) { s.Files["tiny.gguf"] = data[:len(data)-1] }},
		{"gone", "there is no such model or file", false, func(s *hubtest.Site) { delete(s.Files, "tiny.gguf") }},
		{"broken server", "the server answers 500", false, func(s *hubtest.Site) { s.Statuses = []int{500, 500, 500, 500, 500} }},
		{"gated", "accept its terms on its page and give a token", false, func(s *hubtest.Site) { s.Gated = true }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := hubtest.New(t, map[string][]byte{"tiny.gguf": data})
			if c.name == "hash" {
				c.alter(s)
			}
			f := one(t, clientOf(s), "hf:ann/tiny")
			c.alter(s)
			path := filepath.Join(t.TempDir(), "tiny.gguf")
			err := clientOf(s).Fetch(context.Background(), f, path, nil)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "hush") {
				t.Errorf("the error tells a secret: %v", err)
			}
			if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
				t.Error("half a file has the final name")
			}
			if info, err := os.Stat(path + ".part"); c.kept && (err != nil || info.Size() < 1<<18) {
				t.Errorf("what came was not kept: %v", err)
			}
		})
	}
}

func TestCancelAndBusy(t *testing.T) {
	data := hubtest.Model(8<<20, 0)
	s := hubtest.New(t, map[string][]byte{"tiny.gguf": data})
	f := one(t, clientOf(s), "hf:ann/tiny")
	path := filepath.Join(t.TempDir(), "tiny.gguf")
	ctx, cancel := context.WithCancel(context.Background())
	err := clientOf(s).Fetch(ctx, f, path, func(n, _ int64) {
		if n == 1<<20 {
			if err := clientOf(s).Fetch(context.Background(), f, path, nil); err == nil || !strings.Contains(err.Error(), "another program is fetching it") {
				t.Errorf("a second fetch: %v", err)
			}
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if err := clientOf(s).Fetch(context.Background(), f, path, nil); err != nil {
		t.Fatal(err)
	}
	there(t, path, data)
	if last := s.Ranges[len(s.Ranges)-1]; last == "" {
		t.Error("the second try began anew")
	}
}
