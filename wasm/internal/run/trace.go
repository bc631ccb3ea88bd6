package run

import (
	"context"
	"math"

	"straw/tokenizer"
	"straw/wasm/internal/look"
	"straw/wasm/internal/worker"
	"straw/wasm/protocol"
)

// trace needs no weights.
func (r *Runner) trace(_ context.Context, c *worker.Call) (worker.Reply, error) {
	p := c.Params.(*protocol.Trace)
	t, err := r.Vocabulary()
	if err != nil {
		return worker.Reply{}, err
	}
	w, ok := t.Trace(p.Text, look.Special(p.AddSpecial, p.ParseSpecial), int(min(p.At, math.MaxInt32)))
	if !ok {
		return worker.Reply{}, argument("at", "the text has no token %d", p.At)
	}
	return worker.Reply{Result: traced(t, w)}, nil
}

func traced(t *tokenizer.Tokenizer, w tokenizer.Word) protocol.Traced {
	told := protocol.Traced{
		How: string(w.How), Text: protocol.Piece(w.Text), First: w.First, IDs: w.IDs,
		Pieces: []protocol.Piece{}, Parts: []protocol.TracedPart{}, Merges: []protocol.TracedMerge{},
	}
	for _, id := range w.IDs {
		told.Pieces = append(told.Pieces, t.Piece(id, true))
	}
	for _, p := range w.Parts {
		part := protocol.TracedPart{Text: protocol.Piece(p.Text), ID: p.ID}
		if w.How == tokenizer.Best {
			part.Score = new(protocol.Real(p.Score))
		}
		told.Parts = append(told.Parts, part)
	}
	for _, m := range w.Merges {
		merge := protocol.TracedMerge{At: m.At, ID: m.ID}
		if m.Rank >= 0 {
			merge.Rank = new(m.Rank)
		} else {
			merge.Score = new(protocol.Real(m.Score))
		}
		told.Merges = append(told.Merges, merge)
	}
	return told
}
