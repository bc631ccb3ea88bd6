package gguf

import (
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// What can be wrong with a file, by what one does about it.
var (
	ErrNotGGUF      = errors.New("not a GGUF file")
	ErrFormat       = errors.New("damaged or wrongly written GGUF file")
	ErrTruncated    = errors.New("the file ends too early")
	ErrUnsupported  = errors.New("not supported")
	ErrMissingShard = errors.New("a shard is missing")
)

// Error says what is wrong, and where. Err is or wraps one of the sentinels above, or is the error of a read.
type Error struct {
	Offset int64  // byte in the file (of the shard) at which the field stands; -1 if it has no place
	Field  string // in the specification's words; text of the file is quoted in it
	Value  string // what the file says, "" if that tells nothing
	Err    error
}

func (e *Error) Error() string {
	s := e.Field
	if e.Value != "" {
		s += " = " + e.Value
	}
	if s != "" {
		s += ": "
	}
	s += e.Err.Error()
	if e.Offset >= 0 {
		s += " (byte " + strconv.FormatInt(e.Offset, 10) + ")"
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// Kind is "format", "truncated", "unsupported" or "io".
func (e *Error) Kind() string {
	switch {
	case errors.Is(e.Err, ErrTruncated), errors.Is(e.Err, ErrMissingShard):
		return "truncated"
	case errors.Is(e.Err, ErrUnsupported):
		return "unsupported"
	case errors.Is(e.Err, ErrFormat), errors.Is(e.Err, ErrNotGGUF):
		return "format"
	}
	return "io"
}

// problem is one of the sentinels in the words of its place.
type problem struct {
	kind error
	text string
}

func (p *problem) Error() string { return p.text }
func (p *problem) Unwrap() error { return p.kind }

func problemf(kind error, format string, args ...any) error {
	return &problem{kind, fmt.Sprintf(format, args...)}
}

// quote makes text of a file safe to print: quoted, with controls, escapes, bidirectional marks and broken UTF-8
// escaped, and cut to what fits a line.
func quote(s string) string {
	const most = 80
	if len(s) <= most {
		return strconv.Quote(s)
	}
	cut := most
	for cut > most-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strconv.Quote(s[:cut]) + "... (" + strconv.Itoa(len(s)) + " bytes)"
}
