// Package edit changes the metadata of a model: as a plan for a new file, whose tensors are the old one's.
package edit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"straw/gguf"
)

// Change is one key to be set, or to be taken away.
type Change struct {
	Key   string
	Unset bool
	Value gguf.Value // unless Unset
}

// Error is a change that cannot be made.
type Error struct {
	Key string
	Err error
}

func (e *Error) Error() string { return "key " + strconv.Quote(e.Key) + ": " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Kind is "format".
func (e *Error) Kind() string { return "format" }

// Plan is the file that f becomes by the changes, in their order. A set of shards becomes one file. f must stay open
// until the plan is written.
func Plan(f *gguf.File, changes []Change) (*gguf.Draft, error) {
	d := Whole(f)
	for _, c := range changes {
		switch {
		case c.Key == "":
			return nil, &Error{c.Key, errors.New("a key has a name")}
		case len(c.Key) > maxKey:
			return nil, &Error{c.Key[:32] + "...", fmt.Errorf("%d bytes; the specification allows %d", len(c.Key), maxKey)}
		case !c.Unset:
			d.Set(c.Key, c.Value)
		case !d.Unset(c.Key):
			return nil, &Error{c.Key, errors.New("the file does not have it, so it cannot be taken away")}
		}
	}
	return d, copyTensors(d, f, f.Tensors)
}

const maxKey = 1<<16 - 1

// Whole is a Draft with the keys of f but those that tell of its shards.
func Whole(f *gguf.File) *gguf.Draft {
	d := gguf.NewDraft(f)
	if len(f.Shards) > 1 {
		unsetSplit(d)
	}
	return d
}

// copyTensors adds tensors of f to d as they are.
func copyTensors(d *gguf.Draft, f *gguf.File, tensors []gguf.Tensor) error {
	for i := range tensors {
		if err := d.Copy(f, &tensors[i]); err != nil {
			return err
		}
	}
	return nil
}

// watched fails a write once ctx has ended.
type watched struct {
	ctx      context.Context
	w        io.Writer
	done     int64
	progress func(done int64)
}

// Write writes d to w, telling progress (which may be nil) the bytes written, until ctx ends.
func Write(ctx context.Context, w io.Writer, d *gguf.Draft, progress func(done int64)) error {
	_, err := d.WriteTo(&watched{ctx: ctx, w: w, progress: progress})
	return err
}

func (c *watched) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.w.Write(p)
	if c.done += int64(n); c.progress != nil {
		c.progress(c.done)
	}
	return n, err
}
