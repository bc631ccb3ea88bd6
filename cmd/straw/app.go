package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"straw/internal/inspect"
	"straw/internal/session"
	"straw/internal/term"
)

// Exit statuses of the contract; statusInterrupted is the shell's own for SIGINT.
const (
	statusDone        = 0
	statusBad         = 1
	statusUsage       = 2
	statusInterrupted = 130
)

// app is one run of the program: its three streams and how far it came.
type app struct {
	in     io.Reader
	out    *bufio.Writer // results; flushed at the end and before anything is waited for
	err    io.Writer     // all else
	stdout io.Writer     // what out writes to

	started bool // the command line was understood
	asJSON  bool // --json of the command
	told    bool // the failure is on standard output already
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *app {
	return &app{in: stdin, out: bufio.NewWriterSize(stdout, 64<<10), err: stderr, stdout: stdout}
}

// usageError is a wrong call that the flag parser cannot see.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

// Kind is as of the library's errors, for {"error": ...}.
func (e *usageError) Kind() string { return "usage" }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// fileError says which file an error is about.
type fileError struct {
	label string
	err   error
}

func (e *fileError) Error() string { return e.label + ": " + e.err.Error() }
func (e *fileError) Unwrap() error { return e.err }

// errFindings ends a command whose output has said it all.
var errFindings = errors.New("findings of severity error")

// finish reports err and returns the exit status.
func (a *app) finish(cmd *cobra.Command, err error) int {
	status := a.status(err)
	if err != nil && a.asJSON && a.started && !a.told && status != statusInterrupted {
		a.json(map[string]any{"error": inspect.FailureOf(err)})
	}
	if ferr := a.out.Flush(); ferr != nil && status == statusDone {
		err, status = fmt.Errorf("writing the results: %w", ferr), statusBad
	}
	switch {
	case err == nil, errors.Is(err, errFindings):
	case status == statusInterrupted:
		fmt.Fprintln(a.err, "straw: interrupted")
	case !a.started:
		fmt.Fprintf(a.err, "straw: %s; see '%s --help'\n", term.Safe(err.Error()), cmd.CommandPath())
	default:
		fmt.Fprintf(a.err, "straw: %s\n", term.Safe(err.Error()))
	}
	return status
}

func (a *app) status(err error) int {
	var usage *usageError
	var asked *session.UsageError
	switch {
	case err == nil:
		return statusDone
	case !a.started, errors.As(err, &usage), errors.As(err, &asked):
		return statusUsage
	case errors.Is(err, context.Canceled):
		return statusInterrupted
	}
	return statusBad
}

// json writes v as one line.
func (a *app) json(v any) error {
	b, err := marshal(v)
	if err != nil {
		return err
	}
	_, err = a.out.Write(append(b, '\n'))
	return err
}

// marshal is json.Marshal without HTML's escapes and with those of a terminal.
func marshal(v any) ([]byte, error) {
	var b jsonBuffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return term.SafeJSON(b[:len(b)-1]), nil
}

type jsonBuffer []byte

func (b *jsonBuffer) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}

// note writes a line for people to standard error.
func (a *app) note(format string, args ...any) {
	fmt.Fprintf(a.err, format+"\n", args...)
}

// interruptible is a context that the first SIGINT or SIGTERM ends; a second one ends the program.
func interruptible(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
