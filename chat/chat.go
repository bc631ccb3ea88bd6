// Package chat renders the chat templates that models carry: programs in the Jinja language that
// turn a conversation into the text a model continues.
//
// The authority is Python's jinja2 as transformers sets it up: the sandboxed environment with
// immutable values, trim_blocks and lstrip_blocks, break and continue, {% generation %}, a tojson
// that escapes no HTML, raise_exception and strftime_now. Values print as Python prints them.
//
// A template comes from a stranger's file. It can reach nothing but its variables, and it cannot
// hang, exhaust or end the process: Limits bound its steps, its memory, its depth and its output.
// A template that includes, imports or extends another is refused where it tries to.
package chat

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// maxSource bounds a template's source, in bytes; the largest in the wild have 280 KB.
const maxSource = 1 << 20

// Template is a parsed template. It is immutable: any number of goroutines may render it.
type Template struct {
	body []node
}

// Error is a fault of a template, or one it raised itself.
type Error struct {
	Line, Column int // from 1, in characters
	Message      string
}

func (e *Error) Error() string {
	return fmt.Sprintf("chat template, line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// Kind names the failure for messages to people and pages.
func (e *Error) Kind() string { return "template" }

// Place is where in the template, for messages to pages.
func (e *Error) Place() (line, column int) { return e.Line, e.Column }

// Limits bound what one rendering may take; a zero field stands for its default. The defaults grow
// with the variables, for an honest template's work does.
type Limits struct {
	Steps  int64 // evaluations of an expression or statement, and their like in work: 2 million, and 64 for each byte of the variables
	Bytes  int64 // all memory the values take that the template makes, freed or not: 64 MiB, and 1024 for each byte
	Value  int64 // one string or list, in bytes: 16 MiB, and 8 for each byte
	Output int64 // the text, in bytes: as Value
	Depth  int   // macros within macros, values within values: 200
}

// Options of one rendering.
type Options struct {
	Now    func() time.Time // what strftime_now tells, time.Now if nil
	Limits Limits
}

// Parse reads a template. Its errors are of type *Error.
func Parse(src string) (t *Template, err error) {
	if len(src) > maxSource {
		return nil, &Error{1, 1, fmt.Sprintf("a template of %d bytes: at most %d can be read", len(src), maxSource)}
	}
	if !utf8.ValidString(src) {
		src = strings.ToValidUTF8(src, "\uFFFD")
	}
	makeTables.Do(fillTables)
	p := newParser(src)
	defer func() {
		if f, ok := recovered(recover()); ok {
			t, err = nil, p.lex.error(f)
		}
	}()
	return &Template{body: p.template()}, nil
}

// Render renders the template with the variables vars. Its errors are of type *Error, except that a
// rendering that ctx ends returns ctx's error.
func (t *Template) Render(ctx context.Context, vars *Dict, o Options) (text string, err error) {
	m := newMachine(ctx, vars, o)
	defer func() {
		f, ok := recovered(recover())
		switch {
		case !ok:
		case m.stopped != nil:
			text, err = "", m.stopped
		default:
			text, err = "", &Error{m.at.line, m.at.column, f.message}
		}
	}()
	m.block(t.body, m.global)
	return m.out.String(), nil
}

// failure is what the parser and the evaluator panic with; it never leaves the package.
type failure struct {
	message string
	at      place // zero: where the parser or the evaluator is
}

// place is a position in the source, from 1, in characters.
type place struct{ line, column int }

func fail(format string, args ...any) {
	panic(failure{message: fmt.Sprintf(format, args...)})
}

// recovered sorts what recover returned: a failure, nothing, or somebody else's panic, which goes on.
func recovered(r any) (failure, bool) {
	switch r := r.(type) {
	case nil:
		return failure{}, false
	case failure:
		return r, true
	}
	panic(r)
}
