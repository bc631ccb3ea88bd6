//go:build !js

package source

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"straw/internal/source/sourcetest"
)

// site serves files at the root of a server.
func site(t *testing.T, files map[string][]byte) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, ok := files[strings.TrimPrefix(r.URL.Path, "/")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, "m.bin", time.Time{}, bytes.NewReader(data))
	}))
	t.Cleanup(server.Close)
	return server
}

func overHTTP(t *testing.T, files map[string][]byte) fs.FS {
	return opened(t, site(t, files).URL+"/"+first(files)+"?sig=1", Options{})
}

func TestURLs(t *testing.T) { sourcetest.Test(t, overHTTP) }

func TestOpenURL(t *testing.T) {
	server := site(t, map[string][]byte{"m.gguf": []byte("GGUF")})
	s, err := Open(context.Background(), strings.Replace(server.URL, "http", "HTTP", 1)+"/m.gguf?key=secret", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := server.URL + "/m.gguf?..."; s.Name != "m.gguf" || s.Size != 4 || s.Label != want || s.Path != "" {
		t.Errorf("got %+v", s)
	}
	if _, err := Open(context.Background(), server.URL+"/x.gguf", Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestShardsOfURL(t *testing.T) {
	testShards(t, overHTTP)
	testMissingShard(t, overHTTP)
}
