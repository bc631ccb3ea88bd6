package blobfs

import (
	"errors"
	"io/fs"
	"strconv"
)

// What a browser's names of errors mean to a person.
var (
	// ErrChanged: a browser gives a file's bytes only as long as the file is as it was when it was chosen.
	ErrChanged = errors.New("the file changed since it was chosen, or cannot be read any more; choose it again")
	// ErrGone matches fs.ErrNotExist.
	ErrGone error = gone{}
)

type gone struct{}

func (gone) Error() string {
	return "the file was moved or deleted since it was chosen; choose it again"
}
func (gone) Is(target error) bool { return target == fs.ErrNotExist }

// Error is a failure of one dropped file.
type Error struct {
	Op   string
	Name string
	Err  error
}

func (e *Error) Error() string {
	reason := e.Err.Error()
	if e.Err == fs.ErrNotExist {
		reason = "it is not among the chosen files"
	}
	return e.Op + " " + strconv.Quote(e.Name) + ": " + reason
}

func (e *Error) Unwrap() error { return e.Err }

// Kind is "io".
func (e *Error) Kind() string { return "io" }

// explain turns the name and the message of a JavaScript error into one of ours.
func explain(name, message string) error {
	switch name {
	case "NotReadableError":
		return ErrChanged
	case "NotFoundError":
		return ErrGone
	case "SecurityError", "NotAllowedError":
		return &refused{message}
	}
	if message == "" {
		message = name
	}
	return errors.New("the browser cannot read it: " + message)
}

// refused matches fs.ErrPermission.
type refused struct{ message string }

func (r *refused) Error() string        { return "the browser does not let this page read it: " + r.message }
func (r *refused) Is(target error) bool { return target == fs.ErrPermission }
