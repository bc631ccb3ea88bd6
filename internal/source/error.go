package source

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"unicode"
)

// ErrChanged is reported when a file is no longer the one that was opened.
var ErrChanged = errors.New("the file changed while it was read; open it again")

// Error is a failure of a file of the operating system. It matches what it wraps: fs.ErrNotExist, fs.ErrPermission,
// ErrChanged, ErrStream and the like.
type Error struct {
	Op   string // what was tried: "open", "read", "map"
	Name string // the file, as the person named it
	Err  error
}

func (e *Error) Error() string { return e.Op + " " + printable(e.Name) + ": " + reason(e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// Kind is "io".
func (e *Error) Kind() string { return "io" }

// wrap drops the path that the operating system's error repeats; e.Name is the one a person knows.
func wrap(op, name string, err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	return &Error{Op: op, Name: name, Err: err}
}

func reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, fs.ErrClosed):
		return "the file is closed"
	default:
		return err.Error()
	}
}

// printable quotes a name that a terminal should not be given as it is.
func printable(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) {
		return strconv.Quote(name)
	}
	return name
}
