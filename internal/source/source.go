// Package source turns what a person names (a path, an http(s) URL) into a file system to read models from.
//
// Every source is an io/fs file system whose files implement io.ReaderAt, safely for concurrent use, so that the
// shards of one model are opened by name from the same place, whatever the place is. A file that changes, shrinks or
// vanishes while it is read is an error, never a wrong result and never a crash.
package source

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"unicode"
)

// Source is one named file and the place that holds it.
type Source struct {
	FS   fs.FS  // the folder; its files implement io.ReaderAt
	Name string // the file within FS
	Size int64  // bytes of the file when it was opened

	// Label names the file for people: the path as given, or the URL without its secrets.
	Label string

	// Path is the absolute path of a file of the operating system, for those who map it or read it past the page
	// cache; empty for URLs.
	Path string
}

// Options says how to read. The zero value reads files by pread and URLs without credentials.
type Options struct {
	Mapped bool   // files through a memory mapping, for random access; no effect on URLs
	Direct bool   // files past the system's page cache, where it has a way: they are read anew each time; not with Mapped
	Token  string // bearer token for gated hosts; sent to the host of the URL only, never along a redirect
}

// ErrStream is reported for standard input, pipes and devices: the format's tables point all over the file.
var ErrStream = errors.New("a model needs random access, which a pipe or a device has not; save it to a file first")

// Open finds the file that arg names: an http:// or https:// URL, else a path. It is known to exist and to be
// readable on return; errors are *Error or *httprange.Error, both of Kind "io". ctx bounds all reads of a URL's bytes
// for as long as the source is used.
func Open(ctx context.Context, arg string, o Options) (*Source, error) {
	switch scheme, _, found := strings.Cut(arg, "://"); {
	case arg == "":
		return nil, &Error{Op: "open", Name: `""`, Err: errors.New("no file is named")}
	case arg == "-":
		return nil, &Error{Op: "open", Name: "standard input", Err: ErrStream}
	case found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")):
		return openURL(ctx, arg, o)
	case found && isWord(scheme):
		return nil, &Error{Op: "open", Name: arg, Err: errors.New("of addresses only http and https can be read; else give a path")}
	default:
		return openPath(arg, o)
	}
}

func isWord(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
