package main

import (
	"context"
	"strings"

	"straw/gguf"
	"straw/internal/demo"
	"straw/internal/source"
)

// input is a file as a person named it, opened.
type input struct {
	*gguf.File
	label string // for messages
}

// open opens FILE: a path, any shard of a set, a URL, or the name of a pulled model; "" is the demo model. As gguf.OpenFS it
// returns what was read together with an error about the file's content; input.File is nil when
// there is no file to speak of.
func (a *app) open(ctx context.Context, arg string, mapped bool) (input, error) {
	return a.openAs(ctx, arg, source.Options{Mapped: mapped})
}

func (a *app) openAs(ctx context.Context, arg string, o source.Options) (input, error) {
	if arg == "" {
		f, err := gguf.Open(demo.Open())
		return input{f, "the built-in demo model"}, err
	}
	path, err := pulled(arg)
	if err != nil {
		return input{label: arg}, err
	}
	s, err := source.Open(ctx, path, o)
	if err != nil {
		return input{label: arg}, about(arg, err)
	}
	in := input{label: s.Label}
	in.File, err = gguf.OpenFS(s.FS, s.Name)
	return in, about(in.label, err)
}

// openWhole is open for commands that have no use for half a file.
func (a *app) openWhole(ctx context.Context, arg string, mapped bool) (input, error) {
	return unbroken(a.open(ctx, arg, mapped))
}

// unbroken closes what is half a file.
func unbroken(in input, err error) (input, error) {
	if err != nil && in.File != nil {
		in.Close()
		in.File = nil
	}
	return in, err
}

// about names the file in err, unless the message does.
func about(label string, err error) error {
	if err == nil || strings.Contains(err.Error(), label) {
		return err
	}
	return &fileError{label, err}
}
