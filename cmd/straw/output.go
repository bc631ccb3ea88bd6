package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"straw/gguf"
	"straw/internal/durable"
	"straw/internal/term"
)

// canWrite refuses an OUT that is the input, or standard output where that is a terminal or has another use.
func (a *app) canWrite(out, in string, f *gguf.File, asJSON bool) error {
	switch {
	case out == "-" && asJSON:
		return usagef("the output and --json cannot both go to standard output")
	case out == "-" && term.IsTerminal(a.stdout):
		return usagef("the output is a terminal: give a file, or send standard output to one")
	case isPart(out, in, f):
		return usagef("%s is the input: give the output another name", out)
	}
	return nil
}

// write writes OUT, all at once; - is standard output.
func (a *app) write(out string, size int64, write func(w io.Writer) error) error {
	if out == "-" {
		return write(a.out)
	}
	return writeFile(out, size, write)
}

// writeFile makes the file path out of what write writes, size bytes, all at once: a file of another name in the same
// folder is renamed when it is complete and on the disk, and taken away after an error. What was there before is
// replaced then; a device or pipe is written to directly.
func writeFile(path string, size int64, write func(w io.Writer) error) error {
	s, err := stage(path, size, write)
	if err != nil {
		return err
	}
	return s.commit()
}

// staged is a file that is complete and on the disk, under another name as yet; none for a device, which has its bytes.
type staged struct{ temporary, path string }

// stage does what writeFile does, but for the renaming.
func stage(path string, size int64, write func(w io.Writer) error) (staged, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return staged{}, fmt.Errorf("%s: it is a folder; give the name of a file", path)
	} else if err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return staged{}, err
		}
		return staged{}, firstError(write(f), f.Close())
	} else if err == nil {
		// a name can be taken from a file that may not be written; nobody expects that
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return staged{}, fmt.Errorf("writing %s: %w", path, cause(err))
		}
		f.Close()
	}
	f, err := createBeside(path)
	if err != nil {
		return staged{}, fmt.Errorf("writing %s: %w", path, cause(err))
	}
	t := &outFile{f: f}
	if err = write(t); err == nil {
		err = f.Sync()
	}
	if err = firstError(err, f.Close()); err == nil {
		return staged{f.Name(), path}, nil
	}
	os.Remove(f.Name())
	if t.failed {
		return staged{}, fmt.Errorf("writing %s: %w after %d of %d bytes; nothing is left there", path, t.err, t.n, size)
	}
	return staged{}, err
}

// commit gives the file its name, for good.
func (s staged) commit() error {
	if s.path == "" {
		return nil
	}
	if err := durable.Rename(s.temporary, s.path); err != nil {
		os.Remove(s.temporary)
		return fmt.Errorf("writing %s: %w", s.path, cause(err))
	}
	return nil
}

// discard takes the file away.
func (s staged) discard() {
	if s.path != "" {
		os.Remove(s.temporary)
	}
}

// cause is what went wrong without the name of a temporary file, which tells nobody anything.
func cause(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
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
	mode := os.FileMode(0o666)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	for i := os.Getpid(); ; i++ {
		f, err := os.OpenFile(dir+"."+base+"."+strconv.Itoa(i)+".partial", os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err == nil || !os.IsExist(err) {
			return f, err
		}
	}
}

// outFile notes what a file could not take.
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
		o.failed, o.err = true, cause(err)
	}
	return n, err
}

// isPart tells whether name is f, which was opened as in, or one of its shards: what is not to be written over.
func isPart(name, in string, f *gguf.File) bool {
	file, err := os.Stat(name)
	if err != nil {
		return false
	}
	parts := []string{filepath.Base(in)}
	for _, s := range f.Shards {
		parts = append(parts, s.Name)
	}
	for _, part := range parts {
		if i, err := os.Stat(filepath.Join(filepath.Dir(in), part)); err == nil && os.SameFile(file, i) {
			return true
		}
	}
	return false
}
