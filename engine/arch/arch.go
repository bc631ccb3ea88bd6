// Package arch describes transformer architectures as data. Each architecture is one small file that fills in plain
// values for every layer of a model, from the file's metadata; what runs those values is package engine's.
package arch

import (
	"slices"
	"strings"
)

// Source is what an architecture may look at to build its values: the typed metadata and the tensor directory of a
// file. Get is as gguf.File.Get: bool, int64 or uint64, float64, string or a slice of these, and nil where the key is
// absent. Dims has a tensor's dims as the file has them, the row length first.
type Source interface {
	Get(key string) (any, error)
	Dims(tensor string) (dims []int64, ok bool)
}

// builders has the known values of general.architecture and what makes a model's values for each.
var builders = make(map[string]func(b *Base), 200) // the number registered, about: growing it costs a part of the start

// register adds an architecture under its names; files of this package call it from init. build changes what Base read
// from the generic keys into what the architecture does with them, and adds the layers.
func register(build func(b *Base), names ...string) {
	for _, name := range names {
		if builders[name] != nil {
			panic("arch: " + name + " is registered twice")
		}
		builders[name] = build
	}
}

// Names is the sorted list of the known values of general.architecture.
func Names() []string {
	var names []string
	for name := range builders {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Build is the model that src describes. The error is an *UnsupportedError where the file asks for something that is
// not known here, a *FormatError where its metadata contradict themselves, or what
// src.Get said.
func Build(src Source) (*Model, error) {
	v, err := src.Get("general.architecture")
	if err != nil {
		return nil, err
	}
	name, ok := v.(string)
	if !ok || name == "" {
		return nil, &FormatError{Problems: []string{"general.architecture: missing, or not a string"}}
	}
	build := builders[name]
	if build == nil {
		return nil, &UnsupportedError{
			Field:  "general.architecture",
			Reason: "architecture " + quote(name) + " cannot be run; known are " + strings.Join(Names(), ", "),
		}
	}
	b := newBase(src, name)
	if b.failed() { // the generic keys are the ground that build stands on
		return nil, b.err()
	}
	build(b)
	b.check()
	if b.failed() {
		return nil, b.err()
	}
	b.findIgnored()
	return &b.Model, b.err()
}

// Finding is something to tell the user about a file.
type Finding struct {
	Rule    string // "unused-tensor", "ignored-key"
	Subject string // the tensor's or key's name
	Message string
}

// UnsupportedError says that a file is well formed but asks for something that is not known here.
type UnsupportedError struct {
	Field  string // metadata key or tensor name, "" if neither
	Reason string
}

func (e *UnsupportedError) Error() string {
	if e.Field == "" {
		return e.Reason
	}
	return e.Field + ": " + e.Reason
}

// Kind is the class of the failure.
func (e *UnsupportedError) Kind() string { return "unsupported" }

// FormatError lists everything in a file's metadata or tensor directory that keeps it from being a model.
type FormatError struct{ Problems []string }

func (e *FormatError) Error() string { return strings.Join(e.Problems, "; ") }

// Kind is the class of the failure.
func (e *FormatError) Kind() string { return "format" }
