package look

import (
	"context"
	"strings"

	"straw/tokenizer"
	"straw/wasm/internal/worker"
	"straw/wasm/protocol"
)

func (v *Viewer) vocabulary() (*tokenizer.Tokenizer, error) {
	if _, err := v.File(); err != nil {
		return nil, err
	}
	return v.tokenizer()
}

func (v *Viewer) tokenize(_ context.Context, c *worker.Call) (worker.Reply, error) {
	p := c.Params.(*protocol.Tokenize)
	t, err := v.vocabulary()
	if err != nil {
		return worker.Reply{}, err
	}
	ids := t.Encode(p.Text, tokenizer.Options{
		AddSpecial:   p.AddSpecial == nil || *p.AddSpecial,
		ParseSpecial: p.ParseSpecial == nil || *p.ParseSpecial,
	})
	r := protocol.Tokens{IDs: ids, Pieces: make([]protocol.Piece, len(ids))}
	if ids == nil {
		r.IDs = []int{}
	}
	pieces := make([][]byte, len(ids))
	for i, id := range ids {
		pieces[i] = t.Piece(id, true)
		r.Pieces[i] = pieces[i]
	}
	r.Spans = spans(p.Text, pieces)
	return worker.Reply{Result: r}, nil
}

func (v *Viewer) detokenize(_ context.Context, c *worker.Call) (worker.Reply, error) {
	p := c.Params.(*protocol.Detokenize)
	t, err := v.vocabulary()
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
