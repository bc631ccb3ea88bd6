// Package doctor finds in a whole model what gives people trouble when they run it and what a look at the header alone does
// not show: a tokenizer that cuts text in another way than the model was trained with, ids that point at the wrong tokens,
// chat templates that fail. Every finding says what follows from it and what to do.
//
// The rules, with those of gguf's own lint, are in one table, see Rules. The doctor reports no errors: what it finds leaves
// a file that can be read.
package doctor

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"straw/gguf"
	"straw/tokenizer"
)

// Examine looks at a file that was opened without an error. What f.Findings says already is not said again. Templates are
// tried out under the limits of package chat, and tighter ones, so a hostile one costs seconds at most. The subjects of the
// findings are raw, as gguf's are; text of the file within a message is quoted.
//
// An error is that of a read, or ctx's; the findings are what came before it.
func Examine(ctx context.Context, f *gguf.File) ([]gguf.Finding, error) {
	e := &examination{f: f}
	e.types()
	e.keys()
	if k := f.Kind(); k != "model" && k != "vocabulary" {
		return e.found, e.err
	}
	if n, ok := e.integer("split.no"); ok && n > 0 {
		return e.found, e.err // a later shard has no keys of the model
	}
	e.vocabulary()
	e.templates(ctx)
	return e.found, e.err
}

// examination is one file and what was found so far.
type examination struct {
	f     *gguf.File
	found []gguf.Finding
	err   error // the first read that failed; nothing is reported after it

	tok   *tokenizer.Tokenizer // nil: the file's tokenizer cannot be built
	texts []string             // of the tokens; nil: there are none
	kinds []int64              // of the tokens; nil: the file does not say
}

// add reports a finding of a rule of the table, with the severity that it has there.
func (e *examination) add(rule, subject, message string) {
	if e.err != nil {
		return
	}
	e.found = append(e.found, gguf.Finding{Rule: rule, Severity: severityOf(rule), Subject: subject, Message: message})
}

// integer is a key's value, if it is a single integer.
func (e *examination) integer(key string) (int64, bool) {
	v, ok := e.f.Value(key)
	if !ok || v.Type() == gguf.Bool {
		return 0, false
	}
	return v.Int()
}

// text is a key's value, "" if it is no string.
func (e *examination) text(key string) string {
	v, ok := e.f.Value(key)
	if !ok || v.Type() != gguf.String {
		return ""
	}
	s, err := v.Text()
	e.failed(err)
	return s
}

// failed keeps the first error.
func (e *examination) failed(err error) bool {
	if e.err == nil {
		e.err = err
	}
	return err != nil
}

// array is a key's value as a T, nil if it is something else.
func array[T any](e *examination, key string) []T {
	v, err := e.f.Get(key)
	e.failed(err)
	list, _ := v.([]T)
	return list
}

// has tells whether the file has a key.
func (e *examination) has(key string) bool {
	_, ok := e.f.Value(key)
	return ok
}

// quoted is text of the file for a message: one line, nothing in it that a terminal acts on, not long.
func quoted(s string) string {
	const most = 200 // bytes
	if len(s) <= most {
		return strconv.Quote(s)
	}
	cut := most
	for cut > most-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strconv.Quote(s[:cut]) + "..."
}

// plural is n and the noun in its number.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// contains tells whether s has one of the parts.
func contains(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}
