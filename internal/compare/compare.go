// Package compare says in what two models differ: keys, vocabulary, chat template, and tensors with the error measured
// where their shapes agree. How a file is divided into shards is no difference.
package compare

import (
	"context"

	"straw/gguf"
)

// Options of a comparison.
type Options struct {
	NoTensors bool                    // compare names, shapes and types of tensors only, and read none
	Threads   int                     // that compare tensors; below 1: one
	Progress  func(done, total int64) // bytes of A's tensors; may be nil; not called concurrently
}

// Report is what differs. Added is what only B has, removed what only A has.
type Report struct {
	Keys       []Key
	Vocabulary *Vocabulary // nil where it is the same
	Tensors    []Tensor    // those that differ: the largest relative error first, then what has none
	Same       int         // tensors that do not differ
}

// Equal tells whether nothing differs.
func (r *Report) Equal() bool {
	return len(r.Keys) == 0 && r.Vocabulary == nil && len(r.Tensors) == 0
}

// Change is how something differs.
type Change uint8

// Changed: both have it.
const (
	Changed Change = iota
	Added
	Removed
)

// String is "changed", "added" or "removed".
func (c Change) String() string { return [...]string{"changed", "added", "removed"}[c] }

// Files compares a with b, whose headers must be whole.
func Files(ctx context.Context, a, b *gguf.File, o Options) (*Report, error) {
	var r Report
	var err error
	if r.Keys, err = keys(ctx, a, b); err != nil {
		return nil, err
	}
	if r.Vocabulary, err = vocabulary(ctx, a, b); err != nil {
		return nil, err
	}
	if r.Tensors, err = tensors(ctx, a, b, o); err != nil {
		return nil, err
	}
	r.Same = len(a.Tensors)
	for i := range r.Tensors {
		if r.Tensors[i].Change != Added {
			r.Same--
		}
	}
	return &r, nil
}
