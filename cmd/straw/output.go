package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// writeFile makes the file path out of what write writes, size bytes, all at once: a file of another name in the same
// folder is renamed when it is complete and on the disk, and taken away after an error. What was there before is
// replaced then; a device or pipe is written to directly.
func writeFile(path string, size int64, write func(w io.Writer) error) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s: it is a folder; give the name of a file", path)
	} else if err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return firstError(write(f), f.Close())
	}
	f, err := createBeside(path)
	if err != nil {
		return err
	}
	t := &outFile{f: f}
	if err = write(t); err == nil {
		err = f.Sync()
	}
	if err = firstError(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err == nil {
		return nil
	}
	os.Remove(f.Name())
	if t.failed {
		return fmt.Errorf("writing %s: %w after %d of %d bytes; nothing is left there", path, t.err, t.n, size)
	}
	return err
}

// firstError is the first error there is.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// createBeside creates a hidden file in path's folder, with the rights that path would get.
func createBeside(path string) (*os.File, error) {
	dir, base := filepath.Split(path)
	for i := os.Getpid(); ; i++ {
		f, err := os.OpenFile(dir+"."+base+"."+strconv.Itoa(i)+".partial", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil || !os.IsExist(err) {
			return f, err
		}
	}
}

// outFile notes what a file could not take: the path in an error of the temporary file tells nobody anything.
type outFile struct {
	f      *os.File
	n      int64
	failed bool
	err    error
}

func (o *outFile) Write(p []byte) (int, error) {
	n, err := o.f.Write(p)
	o.n += int64(n)
	if err != nil {
		o.failed, o.err = true, err
		if e, ok := err.(*fs.PathError); ok {
			o.err = e.Err
		}
	}
	return n, err
}

// overwrites reports whether writing to out would write over in or over one of the files beside it that shards names.
func overwrites(out, in string, shards []string) bool {
	o, err := os.Stat(out)
	if err != nil {
		return false
	}
	for _, name := range append([]string{filepath.Base(in)}, shards...) {
		if i, err := os.Stat(filepath.Join(filepath.Dir(in), name)); err == nil && os.SameFile(o, i) {
			return true
		}
	}
	return false
}
