package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"straw/gguf"
	"straw/internal/edit"
)

// backupSuffix makes the name under which the header lies while it is being changed.
const backupSuffix = ".header-backup"

// editInPlace changes a file itself: by writing the bytes of the header that differ, or, where the tensors would have to
// move, by a new file that takes the name.
func (a *app) editInPlace(ctx context.Context, path string, changes []edit.Change, asJSON bool) error {
	if err := a.undoCutOff(path); err != nil {
		return err
	}
	in, err := a.openWhole(ctx, path, false)
	if err != nil {
		return err
	}
	defer in.Close()
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return usagef("--in-place: %s is no file on this machine", in.label)
	}
	if len(in.Shards) > 1 {
		return usagef("--in-place: %s is a set of %d shards; write it as one file with -o OUT", in.label, len(in.Shards))
	}
	d, err := edit.Plan(in.File, changes)
	if err != nil {
		return about(in.label, err)
	}
	header, fits, err := d.Patch(in.File)
	switch {
	case err != nil:
		return about(in.label, err)
	case !fits:
		return a.replace(ctx, in, path, d, asJSON)
	}
	old := make([]byte, len(header))
	if _, err := in.Shards[0].ReadAt(old, 0); err != nil {
		return about(in.label, err)
	}
	from, to := differing(old, header)
	if from == to {
		return a.written(path, d, in.Size, 0, asJSON, "nothing changes")
	}
	if err := overwrite(path, old, header, from, to); err != nil {
		return err
	}
	return a.written(path, d, in.Size, int64(to-from), asJSON, plural(to-from, "byte")+" written in place")
}

// replace gives the name of a file to a new one. The old one is closed before: some systems want it so.
func (a *app) replace(ctx context.Context, in input, path string, d *gguf.Draft, asJSON bool) error {
	bytes, err := d.Size()
	if err != nil {
		return about(in.label, err)
	}
	s, err := stage(path, bytes, a.drawn(ctx, path, d, bytes))
	if err != nil {
		return err
	}
	in.Close()
	if err := s.commit(); err != nil {
		return err
	}
	return a.written(path, d, bytes, bytes, asJSON, size(bytes)+", written anew: the header has outgrown its room")
}

// differing is the range in which two headers of one length differ.
func differing(a, b []byte) (from, to int) {
	for to = len(a); to > 0 && a[to-1] == b[to-1]; to-- {
	}
	for from < to && a[from] == b[from] {
		from++
	}
	return from, to
}

// overwrite writes header[from:to] over what is in the file, the old header being safe on the disk before. After an error
// the old bytes are written back.
func overwrite(path string, old, header []byte, from, to int) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, cause(err))
	}
	defer f.Close()
	backup := path + backupSuffix
	err = writeFile(backup, int64(len(old)), func(w io.Writer) error { _, err := w.Write(old); return err })
	if err != nil {
		return err
	}
	if err := patch(f, header[from:to], int64(from)); err != nil {
		if back := patch(f, old[from:to], int64(from)); back != nil {
			return fmt.Errorf("writing %s: %w, and the header could not be written back: it is in %s, and the next edit puts it back", path, cause(err), backup)
		}
		os.Remove(backup)
		return fmt.Errorf("writing %s: %w; it is as it was", path, cause(err))
	}
	return os.Remove(backup)
}

// patch writes bytes into the middle of a file, and to the disk.
func patch(f *os.File, p []byte, off int64) error {
	if _, err := f.WriteAt(p, off); err != nil {
		return err
	}
	return f.Sync()
}

// undoCutOff puts back the header that an edit in place left when it was cut off, if that makes a whole file.
func (a *app) undoCutOff(path string) error {
	backup := path + backupSuffix
	old, err := os.ReadFile(backup)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, cause(err))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if _, err := gguf.Open(overlay{f, old}, info.Size()); err != nil {
		return fmt.Errorf("%s: %s is no header of it; take it away", path, backup)
	}
	if err := patch(f, old, 0); err != nil {
		return fmt.Errorf("writing %s: %w", path, cause(err))
	}
	a.note("%s: an edit that was cut off is undone", path)
	return os.Remove(backup)
}

// overlay is a file with other bytes at its start.
type overlay struct {
	io.ReaderAt
	start []byte
}

func (o overlay) ReadAt(p []byte, off int64) (int, error) {
	n, err := o.ReaderAt.ReadAt(p, off)
	if off < int64(len(o.start)) {
		copy(p[:n], o.start[off:])
	}
	return n, err
}
