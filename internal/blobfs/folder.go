package blobfs

import (
	"io"
	"io/fs"
	"time"
)

// folder is the root, open for listing.
type folder struct {
	fs   *FS
	next int
}

func (d *folder) Stat() (fs.FileInfo, error) { return folderInfo{}, nil }
func (d *folder) Close() error               { return nil }

func (d *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: ".", Err: fs.ErrInvalid}
}

// ReadDir implements fs.ReadDirFile.
func (d *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	rest := d.fs.names[d.next:]
	if n > 0 {
		if len(rest) == 0 {
			return nil, io.EOF
		}
		rest = rest[:min(n, len(rest))]
	}
	d.next += len(rest)
	entries := make([]fs.DirEntry, len(rest))
	for i, name := range rest {
		entries[i] = fs.FileInfoToDirEntry(info{d.fs.nodes[name]})
	}
	return entries, nil
}

// ReadDir implements fs.ReadDirFS.
func (f *FS) ReadDir(name string) ([]fs.DirEntry, error) {
	if name != "." {
		if _, err := f.find("readdir", name); err != nil {
			return nil, err
		}
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	return (&folder{fs: f}).ReadDir(-1)
}

type folderInfo struct{}

func (folderInfo) Name() string       { return "." }
func (folderInfo) Size() int64        { return 0 }
func (folderInfo) Mode() fs.FileMode  { return fs.ModeDir | 0o555 }
func (folderInfo) ModTime() time.Time { return time.Time{} }
func (folderInfo) IsDir() bool        { return true }
func (folderInfo) Sys() any           { return nil }
