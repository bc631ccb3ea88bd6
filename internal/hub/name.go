package hub

import (
	"fmt"
	"net/url"
	"path"
	"strings"
)

// Kind is a kind of publisher.
type Kind uint8

// The kinds of publishers.
const (
	Address    Kind = iota // a file at an address
	Repository             // of the Hugging Face Hub
	Registry               // that speaks Ollama's protocol
)

// Name says where a model is published.
type Name struct {
	Kind     Kind
	Owner    string // of a repository; "library" for a registry's own models
	Repo     string // repository, or the model's name in a registry
	Revision string // branch, tag or commit of a repository, "" is its main branch; a registry's tag
	Want     string // of a repository: a quantization (Q4_K_M) or a file; "" lets Choose decide
	Address  string // http or https
}

// ParseName understands
//
//	hf:owner/repo[@revision][:quantization or file]    also with hf.co/ or huggingface.co/ in place of hf:
//	ollama:[owner/]name[:tag]
//	https://...                                        pages of a file on the Hub mean the file
func ParseName(s string) (Name, error) {
	if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f }) {
		return Name{}, fmt.Errorf("%q is no name of a model: it has spaces, control characters or backslashes", s)
	}
	for _, p := range []string{"hf:", "hf.co/", "huggingface.co/"} {
		if rest, ok := strings.CutPrefix(s, p); ok {
			return parseRepository(s, rest)
		}
	}
	if rest, ok := strings.CutPrefix(s, "ollama:"); ok {
		return parseRegistry(s, rest)
	}
	if scheme, _, ok := strings.Cut(s, "://"); ok && (scheme == "http" || scheme == "https") {
		return parseAddress(s)
	}
	return Name{}, fmt.Errorf("%q is no name of a model: hf:owner/repo[:quantization or file], ollama:name[:tag] or an http(s) address", s)
}

func parseRepository(s, rest string) (Name, error) {
	repo, want, named := strings.Cut(rest, ":")
	repo, revision, at := strings.Cut(repo, "@")
	owner, name, ok := strings.Cut(repo, "/")
	switch {
	case !ok || !plain(owner) || !plain(name):
		return Name{}, fmt.Errorf("%q: a repository is owner/repo", s)
	case at && !local(revision):
		return Name{}, fmt.Errorf("%q: %q is no revision", s, revision)
	case named && !local(want):
		return Name{}, fmt.Errorf("%q: after the colon comes a quantization (Q4_K_M) or the name of a file, not %q", s, want)
	}
	return Name{Kind: Repository, Owner: owner, Repo: name, Revision: revision, Want: want}, nil
}

func parseRegistry(s, rest string) (Name, error) {
	name, tag, tagged := strings.Cut(rest, ":")
	owner, model, ok := strings.Cut(name, "/")
	if !ok {
		owner, model = "library", name
	}
	if !tagged {
		tag = "latest"
	}
	if !plain(owner) || !plain(model) || !plain(tag) {
		return Name{}, fmt.Errorf("%q: a model of a registry is [owner/]name[:tag]", s)
	}
	return Name{Kind: Registry, Owner: owner, Repo: model, Revision: tag}, nil
}

// parseAddress takes an address. One of a file's page or bytes on the public Hub is the file's name there.
func parseAddress(s string) (Name, error) {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		return Name{}, fmt.Errorf("%q is no http or https address", redact(s))
	}
	if u.Host == "huggingface.co" || u.Host == "hf.co" {
		parts := strings.SplitN(strings.Trim(u.Path, "/"), "/", 5)
		switch {
		case len(parts) == 2:
			return parseRepository(s, parts[0]+"/"+parts[1])
		case len(parts) == 5 && (parts[2] == "blob" || parts[2] == "resolve"):
			return parseRepository(s, parts[0]+"/"+parts[1]+"@"+parts[3]+":"+parts[4])
		}
	}
	if !local(strings.TrimPrefix(u.Path, "/")) || !plain(strings.ReplaceAll(u.Host, ":", "_")) {
		return Name{}, fmt.Errorf("%s does not name a file", redact(s))
	}
	return Name{Kind: Address, Address: s}, nil
}

// file is the last part of an address.
func (n Name) file() string {
	u, err := url.Parse(n.Address)
	if err != nil {
		return ""
	}
	return path.Base(u.Path)
}

// String is the name as ParseName reads it, an address without its secrets.
func (n Name) String() string {
	switch n.Kind {
	case Repository:
		s := "hf:" + n.Owner + "/" + n.Repo
		if n.Revision != "" {
			s += "@" + n.Revision
		}
		if n.Want != "" {
			s += ":" + n.Want
		}
		return s
	case Registry:
		s := "ollama:"
		if n.Owner != "library" {
			s += n.Owner + "/"
		}
		return s + n.Repo + ":" + n.Revision
	}
	return redact(n.Address)
}

// folder is where a name's files are in a Store, with slashes; nameOf is its inverse.
func (n Name) folder() string {
	switch n.Kind {
	case Repository:
		repo := n.Repo
		if n.Revision != "" {
			repo += "@" + url.PathEscape(n.Revision)
		}
		return path.Join("hf", n.Owner, repo)
	case Registry:
		return path.Join("ollama", n.Owner, n.Repo, n.Revision)
	}
	u, err := url.Parse(n.Address)
	if err != nil {
		return ""
	}
	return path.Join(u.Scheme, strings.ReplaceAll(u.Host, ":", "%3A"), path.Dir(u.Path))
}

// nameOf is the name of a file in a Store, given by its place there, with slashes.
func nameOf(rel string) string {
	parts := strings.Split(rel, "/")
	switch {
	case parts[0] == "hf" && len(parts) >= 4:
		repo, revision, at := strings.Cut(parts[2], "@")
		if r, err := url.PathUnescape(revision); at && err == nil {
			revision = r
		}
		return Name{Kind: Repository, Owner: parts[1], Repo: repo, Revision: revision, Want: strings.Join(parts[3:], "/")}.String()
	case parts[0] == "ollama" && len(parts) == 5:
		return Name{Kind: Registry, Owner: parts[1], Repo: parts[2], Revision: parts[3]}.String()
	case (parts[0] == "http" || parts[0] == "https") && len(parts) >= 3:
		u := url.URL{Scheme: parts[0], Host: strings.ReplaceAll(parts[1], "%3A", ":"), Path: "/" + strings.Join(parts[2:], "/")}
		return u.String()
	}
	return rel
}

// plain reports whether s is one part of a path and means nothing else to any file system.
func plain(s string) bool {
	return s != "" && !strings.HasPrefix(s, ".") && !strings.HasSuffix(s, ".") &&
		!strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || strings.ContainsRune(`/\:*?"<>|`, r) })
}

// local reports whether s is a path of plain parts, that leads nowhere else.
func local(s string) bool {
	for part := range strings.SplitSeq(s, "/") {
		if !plain(part) {
			return false
		}
	}
	return true
}

// redact is an address for messages: without user, password, query and fragment.
func redact(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return "an address"
	}
	query := u.RawQuery != ""
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	if query {
		return u.String() + "?..."
	}
	return u.String()
}
