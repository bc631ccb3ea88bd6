package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	hackos "github.com/hack-pad/hackpadfs/os"
)

func openPath(arg string, o Options) (*Source, error) {
	fsys, name, err := folderOf(arg, o)
	if err != nil {
		return nil, wrap("open", arg, err)
	}
	info, err := fsys.Stat(name)
	if err != nil {
		return nil, err
	}
	file, err := fsys.Open(name) // now, so that a missing permission shows here
	if err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	path, err := fsys.folder.ToOSPath(name)
	if err != nil {
		return nil, wrap("open", arg, err)
	}
	return &Source{FS: fsys, Name: name, Size: info.Size(), Label: arg, Path: path}, nil
}

// folderOf splits a path into the file system of its folder and the name in it.
func folderOf(arg string, o Options) (*osFS, string, error) {
	if !utf8.ValidString(arg) {
		return nil, "", errors.New("the path is not UTF-8; rename the file or link to it")
	}
	path := arg
	if slices.Contains(strings.Split(filepath.ToSlash(arg), "/"), "..") {
		// filepath.Abs drops "link/.." without following the link.
		dir, base := filepath.Split(arg)
		if base == ".." || dir == "" {
			dir, base = arg, ""
		}
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return nil, "", err
		}
		path = filepath.Join(real, base)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, "", err
	}
	volume, err := volumeOf(path)
	if err != nil {
		return nil, "", err
	}
	full, err := volume.FromOSPath(path)
	if err != nil {
		return nil, "", err
	}
	dir, name := ".", full
	if i := strings.LastIndexByte(full, '/'); i >= 0 {
		dir, name = full[:i], full[i+1:]
	}
	sub, err := volume.Sub(dir)
	if err != nil {
		return nil, "", err
	}
	prefix, _ := filepath.Split(arg)
	return &osFS{folder: sub.(*hackos.FS), name: name, arg: arg, prefix: prefix, options: o}, name, nil
}

// volumeOf is the file system of the whole volume: "/", a drive letter or a UNC share.
func volumeOf(path string) (*hackos.FS, error) {
	root := hackos.NewFS()
	name := filepath.VolumeName(path)
	if name == "" {
		return root, nil
	}
	volume, err := root.SubVolume(name)
	if err != nil {
		return nil, err
	}
	return volume.(*hackos.FS), nil
}

// osFS is one folder. It opens regular files only, and watches them.
type osFS struct {
	folder  *hackos.FS
	name    string // of the file that was asked for,
	arg     string // what the person wrote for it,
	prefix  string // and the part of that before its name: files are named so in messages
	options Options
}

func (s *osFS) label(name string) string {
	if name == s.name {
		return s.arg
	}
	return s.prefix + filepath.FromSlash(name)
}

// Stat implements fs.StatFS. What cannot be read at any position is refused here: opening a pipe would block.
func (s *osFS) Stat(name string) (fs.FileInfo, error) {
	info, err := s.folder.Stat(name)
	if err != nil {
		return nil, wrap("open", s.label(name), err)
	}
	if err := refuse(info); err != nil {
		return nil, wrap("open", s.label(name), err)
	}
	return info, nil
}

func refuse(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return errors.New("is a folder; name a model file in it")
	case !info.Mode().IsRegular():
		return ErrStream
	default:
		return nil
	}
}

// Open implements fs.FS. The file implements io.ReaderAt and io.Seeker.
func (s *osFS) Open(name string) (fs.File, error) {
	if _, err := s.Stat(name); err != nil {
		return nil, err
	}
	inner, err := s.folder.Open(name)
	if err != nil {
		return nil, wrap("open", s.label(name), err)
	}
	file, err := s.watch(name, inner)
	if err != nil {
		inner.Close()
		return nil, err
	}
	return file, nil
}

// ReadDir implements fs.ReadDirFS: which shards are there is seen by one look.
func (s *osFS) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := s.folder.ReadDir(name)
	if err != nil {
		return nil, wrap("list", s.label(name), err)
	}
	return entries, nil
}

func (s *osFS) watch(name string, inner fs.File) (fs.File, error) {
	label := s.label(name)
	info, err := inner.Stat()
	if err != nil {
		return nil, wrap("open", label, err)
	}
	at, ok := inner.(io.ReaderAt)
	if !ok {
		return nil, wrap("open", label, ErrStream)
	}
	w := &watched{File: inner, at: at, label: label, size: info.Size(), modified: info.ModTime()}
	if !s.options.Mapped && !s.options.Direct {
		return w, nil
	}
	path, err := s.folder.ToOSPath(name)
	if err != nil {
		return nil, wrap("open", label, err)
	}
	if !s.options.Mapped {
		d, err := openDirect(path)
		if err != nil {
			return nil, wrap("open", label, fmt.Errorf("direct reads: %w", err))
		}
		w.at, w.direct = d, d
		return w, nil
	}
	m, err := mapFile(path, info.Size())
	if err != nil {
		return nil, wrap("map", label, err)
	}
	w.at, w.mapping = m, m
	return w, nil
}
