package run

import (
	"slices"
	"testing"

	"straw/wasm/protocol"
)

func TestTrace(t *testing.T) {
	p := newPage(t)
	ask := protocol.Trace{Text: "Once upon a time", At: 1}
	ids := result[protocol.Tokens](t, p.ask("tokenize", protocol.Tokenize{Text: ask.Text})).IDs
	got := result[protocol.Traced](t, p.ask("trace", ask))
	if got.How != "merged" || got.First != 1 || !slices.Equal(got.IDs, ids[1:1+len(got.IDs)]) || len(got.Pieces) != len(got.IDs) {
		t.Errorf("traced %+v, ids %v", got, ids)
	}
	if len(got.Parts)-len(got.Merges) != len(got.IDs) || len(got.Merges) == 0 || got.Merges[0].Rank == nil && got.Merges[0].Score == nil {
		t.Errorf("%d parts, merges %+v, %d tokens", len(got.Parts), got.Merges, len(got.IDs))
	}
	off := false
	bare := result[protocol.Traced](t, p.ask("trace", protocol.Trace{Text: ask.Text, AddSpecial: &off}))
	if bare.First != 0 || !slices.Equal(bare.IDs, got.IDs) {
		t.Errorf("without BOS: %+v", bare)
	}
	ask.At = 1 << 62
	if e := p.ask("trace", ask).Error; e == nil || e.Field != "at" {
		t.Errorf("a token that is not there: %+v", e)
	}
}
