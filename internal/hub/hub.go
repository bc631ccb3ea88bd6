// Package hub fetches models from where they are published: repositories of the Hugging Face Hub, registries that speak
// Ollama's protocol, and plain addresses; and keeps them in a folder.
//
// A name says where a model is (ParseName), a Client lists the files there (List), Choose picks one of them, and Fetch
// brings it: resumed where it was cut off, compared with the hash that its publisher gives, and under its final name only
// when it is complete. A Store is the folder.
package hub

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// File is one file that can be fetched.
type File struct {
	Name   string // path within the repository, with slashes
	Size   int64  // bytes, -1 if unknown
	SHA256 string // hexadecimal, as published; "" where nothing is

	url  string
	auth string // what to send as Authorization, to the host of url only
}

// Client talks to publishers. The zero value talks to the well-known ones without a token.
type Client struct {
	Hub      string // address of a Hugging Face Hub, "" is the public one
	Registry string // address of a registry that speaks Ollama's protocol, "" is the public one
	Token    string // access token of the Hub; sent to the Hub only, never along a redirect

	// wait sleeps before try n (1, 2, ...), or not; nil doubles from a second on.
	wait func(ctx context.Context, n int, least time.Duration) error
}

const (
	publicHub      = "https://huggingface.co"
	publicRegistry = "https://registry.ollama.ai"
)

func (c *Client) hub() string { return strings.TrimRight(orElse(c.Hub, publicHub), "/") }

func (c *Client) registry() string { return strings.TrimRight(orElse(c.Registry, publicRegistry), "/") }

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// List is the GGUF files that a name stands for: all of a repository's, or the one of an address.
func (c *Client) List(ctx context.Context, n Name) ([]File, error) {
	switch n.Kind {
	case Repository:
		return c.listRepository(ctx, n)
	case Registry:
		return c.listRegistry(ctx, n)
	default:
		return []File{{Name: n.file(), Size: -1, url: n.Address}}, nil
	}
}

// client sends no credentials to another host than the one they are for, and never leaves TLS.
var client = sync.OnceValue(func() *http.Client {
	return &http.Client{
		CheckRedirect: func(next *http.Request, via []*http.Request) error {
			first := via[0].URL
			if next.URL.Host != first.Host {
				next.Header.Del("Authorization")
			}
			if first.Scheme == "https" && next.URL.Scheme != "https" {
				return fmt.Errorf("it redirects from https to %s", next.URL.Scheme)
			}
			if len(via) >= 10 {
				return fmt.Errorf("it redirects more than %d times", len(via))
			}
			return nil
		},
		Transport: transport(),
	}
})

func transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = time.Minute
	t.DisableCompression = true // lengths and ranges are those of the file
	return t
}
