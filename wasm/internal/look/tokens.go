package look

import (
	"context"
	"strings"

	"straw/tokenizer"
	"straw/wasm/internal/worker"
	"straw/wasm/protocol"
)

// Vocabulary is the open file's tokenizer.
func (v *Viewer) Vocabulary() (*tokenizer.Tokenizer, error) {
	if _, err := v.File(); err != nil {
		return nil, err
	}
	return v.tokenizer()
}

func (v *Viewer) tokenize(_ context.Context, c *worker.Call) (worker.Reply, error) {
	p := c.Params.(*protocol.Tokenize)
	t, err := v.Vocabulary()
	if err != nil {
		return worker.Reply{}, err
	}
	ids := t.Encode(p.Text, Special(p.AddSpecial, p.ParseSpecial))
	pieces := make([][]byte, len(ids))
	for i, id := range ids {
		pieces[i] = t.Piece(id, true)
	}
	r := protocol.Tokens{IDs: ids, Spans: spans(p.Text, pieces)}
	if ids == nil {
		r.IDs = []int{}
	}
	if p.Count != nil {
		start := min(p.Start, int64(len(ids)))
		end := start + min(*p.Count, int64(len(ids))-start)
		r.IDs, r.Spans, pieces = r.IDs[start:end], r.Spans[start:end], pieces[start:end]
		r.Total = new(len(ids))
		r.Types = make([]string, len(r.IDs))
		for i, id := range r.IDs {
			_, typ := t.Token(id)
			r.Types[i] = typ.String()
		}
	}
	r.Pieces = make([]protocol.Piece, len(pieces))
	for i, piece := range pieces {
		r.Pieces[i] = piece
	}
	return worker.Reply{Result: r}, nil
}

// Special is the tokenizer's options for two switches, which are on when absent.
func Special(add, parse *bool) tokenizer.Options {
	return tokenizer.Options{AddSpecial: add == nil || *add, ParseSpecial: parse == nil || *parse}
}

func (v *Viewer) detokenize(_ context.Context, c *worker.Call) (worker.Reply, error) {
	p := c.Params.(*protocol.Detokenize)
	t, err := v.Vocabulary()
	if err != nil {
		return worker.Reply{}, err
	}
	for _, id := range p.IDs {
		if id < 0 || id >= t.Size() {
			return worker.Reply{}, argument("ids", "the vocabulary has no id %d; it has %d tokens", id, t.Size())
		}
	}
	text := strings.ToValidUTF8(string(t.Decode(p.IDs, p.Special)), "\uFFFD")
	return worker.Reply{Result: protocol.Text{Text: text}}, nil
}
