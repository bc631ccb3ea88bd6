// Package blobfs is a read-only file system of the files that were dropped on a page: one folder, nothing else.
//
// Their bytes stay where they are. A read asks the browser for a slice of the Blob: small reads that go on where the
// last one ended share windows of 1 MiB, large ones go straight to their destination.
package blobfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"straw/internal/readahead"
)

// SliceReader reads a part of one blob: it fills p from off, all of which lies within the blob, or says why not.
type SliceReader interface {
	ReadSlice(p []byte, off int64) (int, error)
}

// Blob is one dropped file.
type Blob struct {
	Name     string // the last element of a path counts
	Size     int64
	Modified time.Time // zero when not known
	Slices   SliceReader
}

// FS is the folder of some blobs. It implements io/fs.FS, StatFS and ReadDirFS, and so is one of hackpadfs.
type FS struct {
	names   []string // sorted
	nodes   map[string]*node
	windows readahead.Pool
}

// node is a blob as a file; all its handles share a window.
type node struct {
	Blob
	bytes *readahead.Reader
}

// New makes a file system. The names must differ: shards find each other by them.
func New(blobs ...Blob) (*FS, error) {
	f := &FS{nodes: map[string]*node{}}
	for _, b := range blobs {
		b.Name = b.Name[strings.LastIndexAny(b.Name, `/\`)+1:]
		if !fs.ValidPath(b.Name) || b.Name == "." {
			return nil, &Error{Op: "open", Name: b.Name, Err: errors.New("this is no name of a file")}
		}
		if f.nodes[b.Name] != nil {
			return nil, &Error{Op: "open", Name: b.Name, Err: errors.New("two of the files have this name; open one of them at a time")}
		}
		if b.Size < 0 {
			return nil, &Error{Op: "open", Name: b.Name, Err: fmt.Errorf("its size is given as %d", b.Size)}
		}
		n := &node{Blob: b}
		n.bytes = f.windows.New(b.Size, readahead.Window, n.slice)
		f.nodes[b.Name] = n
		f.names = append(f.names, b.Name)
	}
	slices.Sort(f.names)
	return f, nil
}

// Names are the files' names in order.
func (f *FS) Names() []string { return slices.Clone(f.names) }

// slice fills p or names the file that fails. A browser may answer with less once the file shrank.
func (n *node) slice(p []byte, off int64) (int, error) {
	got, err := n.Slices.ReadSlice(p, off)
	if err == nil && got != len(p) {
		err = ErrChanged
	}
	if err != nil {
		return got, &Error{Op: "read", Name: n.Name, Err: err}
	}
	return got, nil
}

// Open implements fs.FS. Files implement io.ReaderAt, safely for concurrent use, and io.Seeker.
func (f *FS) Open(name string) (fs.File, error) {
	if name == "." {
		return &folder{fs: f}, nil
	}
	n, err := f.find("open", name)
	if err != nil {
		return nil, err
	}
	return &file{SectionReader: io.NewSectionReader(n.bytes, 0, n.Size), node: n}, nil
}

// Stat implements fs.StatFS.
func (f *FS) Stat(name string) (fs.FileInfo, error) {
	if name == "." {
		return folderInfo{}, nil
	}
	n, err := f.find("stat", name)
	if err != nil {
		return nil, err
	}
	return info{n}, nil
}

func (f *FS) find(op, name string) (*node, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	if n := f.nodes[name]; n != nil {
		return n, nil
	}
	return nil, &Error{Op: op, Name: name, Err: fs.ErrNotExist}
}

type file struct {
	*io.SectionReader
	node   *node
	closed atomic.Bool
}

func (f *file) ReadAt(p []byte, off int64) (int, error) {
	if f.closed.Load() {
		return 0, &Error{Op: "read", Name: f.node.Name, Err: fs.ErrClosed}
	}
	return f.node.bytes.ReadAt(p, off)
}

func (f *file) Read(p []byte) (int, error) {
	if f.closed.Load() {
		return 0, &Error{Op: "read", Name: f.node.Name, Err: fs.ErrClosed}
	}
	return f.SectionReader.Read(p)
}

func (f *file) Stat() (fs.FileInfo, error) { return info{f.node}, nil }

func (f *file) Close() error {
	if f.closed.Swap(true) {
		return &Error{Op: "close", Name: f.node.Name, Err: fs.ErrClosed}
	}
	return nil
}

type info struct{ n *node }

func (i info) Name() string       { return i.n.Name }
func (i info) Size() int64        { return i.n.Size }
func (i info) Mode() fs.FileMode  { return 0o444 }
func (i info) ModTime() time.Time { return i.n.Modified }
func (i info) IsDir() bool        { return false }
func (i info) Sys() any           { return nil }
