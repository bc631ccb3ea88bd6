package tokenizer

import (
	"errors"
	"fmt"
	"strings"
)

// Error says which metadata key keeps the tokenizer from being built.
type Error struct {
	Key string
	Err error
}

func (e *Error) Error() string { return e.Key + ": " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Kind is "unsupported" for a tokenizer that is none of ours, else "format".
func (e *Error) Kind() string {
	if _, ok := errors.AsType[*unsupportedError](e.Err); ok {
		return "unsupported"
	}
	return "format"
}

// unsupportedError is a well-formed value that is not in our tables.
type unsupportedError struct {
	value string
	known []string // all that is
}

func (e *unsupportedError) Error() string {
	return fmt.Sprintf("%q is not supported (supported: %s)", e.value, strings.Join(e.known, ", "))
}

var errMissing = errors.New("key is missing")
