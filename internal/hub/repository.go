package hub

import (
	"context"
	"net/http"
	"net/url"
	"strings"
)

// treeEntry is a file or folder in the Hub's answer to GET /api/models/{repo}/tree/{revision}.
type treeEntry struct {
	Type string `json:"type"`
	Path string `json:"path"`
	Size int64  `json:"size"`
	LFS  *struct {
		OID  string `json:"oid"` // sha256
		Size int64  `json:"size"`
	} `json:"lfs"`
}

// maxPages bounds how long a listing may be; a page has a thousand entries.
const maxPages = 100

func (c *Client) listRepository(ctx context.Context, n Name) ([]File, error) {
	repo, revision := n.Owner+"/"+n.Repo, orElse(n.Revision, "main")
	auth := ""
	if c.Token != "" {
		auth = "Bearer " + c.Token
	}
	next := c.hub() + "/api/models/" + repo + "/tree/" + url.PathEscape(revision) + "?recursive=true"
	var files []File
	for page := 0; next != "" && page < maxPages; page++ {
		var entries []treeEntry
		header, err := c.getJSON(ctx, next, auth, "application/json", &entries)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.Type != "file" || !strings.HasSuffix(strings.ToLower(e.Path), ".gguf") || !local(e.Path) {
				continue
			}
			f := File{Name: e.Path, Size: e.Size, auth: auth,
				url: c.hub() + "/" + repo + "/resolve/" + url.PathEscape(revision) + "/" + escapePath(e.Path)}
			if e.LFS != nil {
				f.SHA256, f.Size = e.LFS.OID, e.LFS.Size
			}
			files = append(files, f)
		}
		next = nextPage(next, header)
	}
	return files, nil
}

// nextPage is the address of the next page that a Link header names, if it is of the same host.
func nextPage(current string, h http.Header) string {
	for link := range strings.SplitSeq(h.Get("Link"), ",") {
		target, rel, ok := strings.Cut(link, ";")
		if !ok || !strings.Contains(rel, `rel="next"`) {
			continue
		}
		base, err := url.Parse(current)
		if err != nil {
			return ""
		}
		u, err := base.Parse(strings.Trim(strings.TrimSpace(target), "<>"))
		if err != nil || u.Host != base.Host {
			return ""
		}
		return u.String()
	}
	return ""
}

func escapePath(p string) string {
	parts := strings.Split(p, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}
