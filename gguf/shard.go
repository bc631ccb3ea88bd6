package gguf

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// Part is one file of a set, wherever it lies.
type Part struct {
	Name string // file name, for the order in the set and for errors
	R    io.ReaderAt
	Size int64 // bytes
}

// ShardName is llama.cpp's name of shard no (from 0) of count.
func ShardName(base string, no, count int) string {
	return fmt.Sprintf("%s-%05d-of-%05d.gguf", base, no+1, count)
}

// ParseShardName takes a name of that form apart.
func ParseShardName(name string) (base string, no, count int, ok bool) {
	const tail = len("-00001-of-00002.gguf")
	if len(name) < tail || !strings.HasSuffix(name, ".gguf") {
		return "", 0, 0, false
	}
	base, s := name[:len(name)-tail], name[len(name)-tail:]
	a, errA := strconv.ParseUint(s[1:6], 10, 32)
	b, errB := strconv.ParseUint(s[10:15], 10, 32)
	if errA != nil || errB != nil || s[0] != '-' || s[6:10] != "-of-" || a == 0 || a > b {
		return "", 0, 0, false
	}
	return base, int(a) - 1, int(b), true
}

// OpenFS opens a file of a file system whose files implement io.ReaderAt. If it is a shard of a set, the others are
// opened from the same folder. Errors are as for Open, but the File is nil if the named file could not be opened at all.
// The File keeps the files open until Close.
func OpenFS(fsys fs.FS, name string) (*File, error) {
	o := folder{fsys: fsys, dir: path.Dir(name)}
	part, err := o.open(path.Base(name))
	if err != nil {
		for _, c := range o.closers {
			c.Close()
		}
		return nil, &Error{Offset: -1, Field: "file " + quote(name), Err: err}
	}
	f, err := openSet([]Part{part}, o.rest)
	f.closers = o.closers
	return f, err
}

// OpenParts opens a file, or the shards of a set in any order. Errors are as for Open.
func OpenParts(parts []Part) (*File, error) {
	if len(parts) == 0 {
		return nil, &Error{Offset: -1, Field: "files", Err: problemf(ErrNotGGUF, "no file was given")}
	}
	return openSet(parts, func(string, int, map[int]bool) ([]Part, error) { return nil, nil })
}

// folder opens files of one directory of a file system.
type folder struct {
	fsys    fs.FS
	dir     string
	closers []io.Closer
}

func (o *folder) open(name string) (Part, error) {
	file, err := o.fsys.Open(path.Join(o.dir, name))
	if err != nil {
		return Part{}, err
	}
	o.closers = append(o.closers, file)
	info, err := file.Stat()
	if err != nil {
		return Part{}, err
	}
	if info.IsDir() {
		return Part{}, problemf(ErrNotGGUF, "it is a folder")
	}
	r, ok := file.(io.ReaderAt)
	if !ok {
		return Part{}, problemf(ErrUnsupported, "this file system has no positional reads")
	}
	return Part{name, r, info.Size()}, nil
}

// rest opens the shards of a set that are not there yet. Where the folder can be listed, a set of which thousands are
// missing costs one listing; where not, it gives up after a few misses.
func (o *folder) rest(base string, count int, have map[int]bool) ([]Part, error) {
	var listed map[string]bool
	if dir, ok := o.fsys.(fs.ReadDirFS); ok {
		if entries, err := dir.ReadDir(o.dir); err == nil {
			listed = make(map[string]bool, len(entries))
			for _, e := range entries {
				listed[e.Name()] = true
			}
		}
	}
	var parts []Part
	misses := 0
	for no := 0; no < count && misses < 8; no++ {
		name := ShardName(base, no, count)
		if have[no] || listed != nil && !listed[name] {
			continue
		}
		part, err := o.open(name)
		switch {
		case err == nil:
			parts = append(parts, part)
		case errors.Is(err, fs.ErrNotExist):
			misses++
		default:
			return parts, &Error{Offset: -1, Field: "file " + quote(name), Err: err}
		}
	}
	return parts, nil
}
