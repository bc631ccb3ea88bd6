// Package quantize writes a model in other types: which tensor gets which (mix.go), and the stream from one file to the
// other, tensor by tensor in bounded memory.
package quantize

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"straw/gguf"
	"straw/quant"
)

// Options of a conversion.
type Options struct {
	Mix        Mix
	Threads    int                     // at least 1
	Requantize bool                    // take tensors that are quantized already
	Pure       bool                    // every matrix in the mix's base type
	Output     quant.Type              // of output.weight, unless it is F32, the zero value
	Embedding  quant.Type              // of token_embd.weight, likewise
	Progress   func(done, total int64) // may be nil; bytes of the input, from the goroutine of Write
}

// Error is a model that cannot be converted.
type Error struct {
	Field string // the tensor
	Err   error
	kind  string
}

func (e *Error) Error() string { return e.Field + ": " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Kind is "format" or "unsupported".
func (e *Error) Kind() string { return e.kind }

// Change is what becomes of one tensor.
type Change struct {
	Tensor *gguf.Tensor
	To     quant.Type
	Wanted quant.Type // what the mix asks for; differs from To where the rows do not fit its blocks
	Bytes  int64      // as To
}

// Job is a conversion that was planned.
type Job struct {
	Changes []Change // in the order of the file

	f     *gguf.File
	o     Options
	draft *gguf.Draft
	ctx   context.Context // of Write
	done  int64
	total int64
}

// Plan decides what becomes of every tensor of f, which must stay open as long as the Job is used.
func Plan(f *gguf.File, o Options) (*Job, error) {
	if len(f.Tensors) == 0 {
		return nil, &Error{"tensors", errors.New("the file has none: there is nothing to quantize"), "unsupported"}
	}
	j := &Job{f: f, o: o, draft: gguf.NewDraft(f)}
	for _, key := range []string{"split.no", "split.count", "split.tensors.count"} {
		j.draft.Unset(key)
	}
	j.set("general.quantization_version", 2)
	j.set("general.file_type", o.Mix.FileType)
	for i, want := range wanted(f, o) {
		t := &f.Tensors[i]
		c := Change{Tensor: t, To: fitting(t, want), Wanted: want}
		if !t.Type.Live() {
			return nil, &Error{field(t), fmt.Errorf("%s is not a type of today's ggml and its size is not known", t.Type), "unsupported"}
		}
		if c.To != t.Type && t.Type.BlockElems() > 1 && c.To.BlockElems() > 1 && !o.Requantize {
			return nil, &Error{field(t), fmt.Errorf("it is %s already and loses more as %s: start from an F32, F16 or BF16 file, or allow it with --allow-requantize", t.Type, c.To), "unsupported"}
		}
		if !c.To.Quantizable() && c.To != t.Type {
			return nil, &Error{field(t), fmt.Errorf("%s cannot be written", c.To), "unsupported"}
		}
		c.Bytes = int64(t.Elements) / int64(c.To.BlockElems()) * int64(c.To.BlockBytes())
		j.Changes = append(j.Changes, c)
		j.total += t.Bytes
		if err := j.draft.Add(t.Name, t.Dims, c.To, func(w io.Writer) error { return j.tensor(w, c) }); err != nil {
			return nil, err
		}
	}
	return j, nil
}

func (j *Job) set(key string, n uint32) {
	v, _ := gguf.ValueOf(n)
	j.draft.Set(key, v)
}

func field(t *gguf.Tensor) string { return "tensor " + strconv.Quote(t.Name) }

// Size is the number of bytes Write will write.
func (j *Job) Size() (int64, error) { return j.draft.Size() }

// Write writes the converted file. It may be called once.
func (j *Job) Write(ctx context.Context, w io.Writer) error {
	j.ctx = ctx
	_, err := j.draft.WriteTo(w)
	return err
}

// tensor writes one tensor, converted.
func (j *Job) tensor(w io.Writer, c Change) error {
	p := pipe{f: j.f, c: c, threads: j.o.Threads, wrote: func(bytes int64) {
		if j.done += bytes; j.o.Progress != nil {
			j.o.Progress(j.done, j.total)
		}
	}}
	return p.run(j.ctx, w)
}
