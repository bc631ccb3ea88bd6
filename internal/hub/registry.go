package hub

import (
	"context"
	"fmt"
	"strings"
)

// manifest is what a registry says of a model: a Docker manifest with layers of Ollama's media types.
type manifest struct {
	Layers []struct {
		MediaType string `json:"mediaType"`
		Digest    string `json:"digest"` // sha256:...
		Size      int64  `json:"size"`
	} `json:"layers"`
}

const (
	manifestType = "application/vnd.docker.distribution.manifest.v2+json"
	modelLayer   = "application/vnd.ollama.image.model"
)

func (c *Client) listRegistry(ctx context.Context, n Name) ([]File, error) {
	base := c.registry() + "/v2/" + n.Owner + "/" + n.Repo
	var m manifest
	if _, err := c.getJSON(ctx, base+"/manifests/"+n.Revision, "", manifestType, &m); err != nil {
		return nil, err
	}
	for _, l := range m.Layers {
		digest, ok := strings.CutPrefix(l.Digest, "sha256:")
		if l.MediaType == modelLayer && ok && isHash(digest) {
			return []File{{Name: n.Repo + "-" + n.Revision + ".gguf", Size: l.Size, SHA256: digest, url: base + "/blobs/" + l.Digest}}, nil
		}
	}
	return nil, fmt.Errorf("%s: its manifest names no model", n)
}

// isHash reports whether s is a sha256 in hexadecimal.
func isHash(s string) bool {
	return len(s) == 64 && !strings.ContainsFunc(s, func(r rune) bool { return !strings.ContainsRune("0123456789abcdef", r) })
}
