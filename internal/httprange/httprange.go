// Package httprange is a read-only file system over HTTP: a URL's folder, whose files are read by Range requests.
//
// Only what is asked for is fetched, with a read-ahead of 1 MiB: the first request is for the first MiB, and its answer
// tells the size of the file. A server that answers with the whole file is refused. All answers for one file must be
// of the same version of it. Natively requests go through net/http, in a browser through fetch; everything else is
// shared.
package httprange

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"sync"
	"time"

	"straw/internal/readahead"
)

// Options of a file system.
type Options struct {
	// Token is a bearer token. It is sent to the origin of the URL only, never to where that redirects.
	Token string
}

// FS is the folder that a URL's file is in. Names are resolved against the URL, its query kept: shards of one model
// are beside each other, and a query often holds the right to read them.
type FS struct {
	ctx    context.Context
	base   *url.URL
	prefix string // the decoded path up to the last slash
	name   string
	auth   string // the Authorization header for the base's origin, or empty
	send   transport

	windows readahead.Pool

	pause time.Duration // before the first retry; doubles with each
	stall time.Duration // without a byte until a request is given up

	mu      sync.Mutex
	objects map[string]*object // opened files by name
}

// New makes the file system of a URL's folder; nothing is requested yet. ctx bounds all its requests, also those of
// files that are open: cancel it when the file system is not used any more.
func New(ctx context.Context, rawURL string, o Options) (*FS, error) {
	return newFS(ctx, rawURL, o, newTransport())
}

func newFS(ctx context.Context, rawURL string, o Options, send transport) (*FS, error) {
	base, err := url.Parse(rawURL)
	if err != nil {
		// url.Error repeats the address with all its secrets.
		if inner, ok := errors.AsType[*url.Error](err); ok {
			err = inner.Err
		}
		return nil, &Error{Op: "open", URL: "the address", Err: fmt.Errorf("is not a URL: %w", err)}
	}
	auth := ""
	if user := base.User; user != nil {
		password, _ := user.Password()
		auth = basic(user.Username(), password)
	}
	if o.Token != "" {
		auth = "Bearer " + o.Token
	}
	base.User, base.Fragment, base.RawFragment = nil, "", ""
	slash := strings.LastIndexByte(base.Path, '/') + 1
	f := &FS{
		ctx: ctx, base: base, prefix: base.Path[:slash], name: base.Path[slash:], auth: auth, send: send,
		pause: 250 * time.Millisecond, stall: time.Minute, objects: map[string]*object{},
	}
	if base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return nil, &Error{Op: "open", URL: redact(base), Err: errors.New("is not an http or https address")}
	}
	if !fs.ValidPath(f.name) || f.name == "." {
		return nil, &Error{Op: "open", URL: redact(base), Err: errors.New("the address names a folder, not a file")}
	}
	return f, nil
}

// Name is the name of the URL's own file.
func (f *FS) Name() string { return f.name }

// Label is the URL for people: without user, password and the query's values.
func (f *FS) Label() string { return redact(f.base) }

// Open implements fs.FS. The file implements io.ReaderAt, safely for concurrent use, and io.Seeker.
func (f *FS) Open(name string) (fs.File, error) {
	o, err := f.object("open", name)
	if err != nil {
		return nil, err
	}
	return newFile(o), nil
}

// Stat implements fs.StatFS. The size is known after the first request, which an Open after it does not repeat.
func (f *FS) Stat(name string) (fs.FileInfo, error) {
	o, err := f.object("stat", name)
	if err != nil {
		return nil, err
	}
	return info{o}, nil
}

func (f *FS) object(op, name string) (*object, error) {
	if !fs.ValidPath(name) || name == "." {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	f.mu.Lock()
	o := f.objects[name]
	f.mu.Unlock()
	if o != nil {
		return o, nil
	}
	o, err := f.probe(name)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if first := f.objects[name]; first != nil {
		return first, nil
	}
	f.objects[name] = o
	return o, nil
}

// resolve is the URL of a name in the folder.
func (f *FS) resolve(name string) *url.URL {
	if name == f.name {
		return f.base
	}
	u := *f.base
	escaped := u.EscapedPath()
	segments := strings.Split(name, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	u.Path = f.prefix + name
	u.RawPath = escaped[:strings.LastIndexByte(escaped, '/')+1] + strings.Join(segments, "/")
	return &u
}
