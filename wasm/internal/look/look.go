// Package look answers what a page asks of a file that it looks at: the document, values, tensors, tokens. How a source is opened is given to it.
package look

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"straw/gguf"
	"straw/internal/inspect"
	"straw/tokenizer"
	"straw/wasm/internal/worker"
	"straw/wasm/protocol"
)

// Opener opens a source; objects are the host's files that belong to it. progress hears of bytes read. As gguf.Open, it may return both a file and an error.
type Opener func(ctx context.Context, s protocol.Source, objects []any, progress func(done, total int64)) (*gguf.File, error)

// Viewer is the one model of a worker.
type Viewer struct {
	open Opener

	mu     sync.Mutex
	opened bool // or being opened
	file   *gguf.File
	info   json.RawMessage

	tokenizer func() (*tokenizer.Tokenizer, error)
}

// New makes a viewer without a model.
func New(open Opener) *Viewer { return &Viewer{open: open} }

// Methods are what the viewer answers, by name.
func (v *Viewer) Methods() map[string]worker.Method {
	return map[string]worker.Method{
		"open":       v.openModel,
		"info":       v.infoAgain,
		"value":      v.value,
		"tensor":     v.tensor,
		"tokenize":   v.tokenize,
		"detokenize": v.detokenize,
	}
}

// File is the open model.
func (v *Viewer) File() (*gguf.File, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.file == nil {
		return nil, errors.New("no model is open in this worker")
	}
	return v.file, nil
}

func (v *Viewer) openModel(ctx context.Context, c *worker.Call) (worker.Reply, error) {
	v.mu.Lock()
	if v.opened {
		v.mu.Unlock()
		return worker.Reply{}, errors.New("this worker has opened a model already; it takes one")
	}
	v.opened = true
	v.mu.Unlock()

	file, err := v.open(ctx, c.Params.(*protocol.Open).Source, c.Objects, c.Progress("open", "bytes"))
	var document json.RawMessage
	if file != nil && file.Version != 0 {
		text, derr := inspect.Document(file, false)
		if err == nil {
			err = derr
		}
		document = text
	}
	if err != nil {
		if file != nil {
			file.Close()
		}
		v.mu.Lock()
		v.opened = false
		v.mu.Unlock()
		return worker.Reply{}, &worker.Damaged{Err: err, Info: document}
	}
	info := wrap("info", document)
	v.mu.Lock()
	v.file, v.info = file, info
	v.tokenizer = sync.OnceValues(func() (*tokenizer.Tokenizer, error) { return tokenizer.New(file) })
	v.mu.Unlock()
	return worker.Reply{Result: info}, nil
}

// wrap writes a result with one member that is JSON already: documents and values are large, and package protocol would read them again to write them.
func wrap(name string, text []byte) json.RawMessage {
	b := make(json.RawMessage, 0, len(text)+len(name)+5)
	b = append(append(append(b, `{"`...), name...), `":`...)
	return append(append(b, text...), '}')
}

func (v *Viewer) infoAgain(context.Context, *worker.Call) (worker.Reply, error) {
	if _, err := v.File(); err != nil {
		return worker.Reply{}, err
	}
	return worker.Reply{Result: v.info}, nil
}
