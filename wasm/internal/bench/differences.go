package bench

import (
	"strings"

	"straw/gguf"
	"straw/internal/compare"
	"straw/internal/inspect"
	"straw/wasm/protocol"
)

const (
	shownElements = 64        // of an array in a difference
	shownTokens   = 10_000    // of a list of tokens in a difference
	shownText     = 1_000_000 // bytes of a text's difference
)

func differences(r *compare.Report) (*protocol.Differences, error) {
	d := &protocol.Differences{Equal: r.Equal(), Keys: []protocol.KeyDifference{}, Tensors: []protocol.TensorDifference{}, Same: r.Same}
	for _, k := range r.Keys {
		x := protocol.KeyDifference{
			Key: protocol.Piece(k.Name), Change: k.Change.String(),
			Diff:     strings.ToValidUTF8(k.Text[:min(len(k.Text), shownText)], "\uFFFD"),
			Elements: k.Elements, First: k.First,
		}
		var err error
		if k.Change != compare.Added {
			if x.A, err = shown(k.A); err != nil {
				return nil, err
			}
		}
		if k.Change != compare.Removed {
			if x.B, err = shown(k.B); err != nil {
				return nil, err
			}
		}
		d.Keys = append(d.Keys, x)
	}
	if r.Vocabulary != nil {
		d.Vocabulary = vocabulary(r.Vocabulary)
	}
	for _, t := range r.Tensors {
		x := protocol.TensorDifference{Name: protocol.Piece(t.Name), Change: t.Change.String(), A: side(t.A), B: side(t.B)}
		if e := t.Error; e != nil {
			x.Error = measuredError(*e)
		}
		d.Tensors = append(d.Tensors, x)
	}
	return d, nil
}

// shown is a value as the document has it.
func shown(v gguf.Value) (*protocol.Shown, error) {
	text, err := inspect.Value(v, 0, shownElements)
	return &protocol.Shown{Type: typeName(v), Value: protocol.JSON(text)}, err
}

func vocabulary(v *compare.Vocabulary) *protocol.VocabularyDifference {
	list := func(from []compare.Token) []protocol.Token {
		to := make([]protocol.Token, min(len(from), shownTokens))
		for i := range to {
			to[i] = protocol.Token{ID: from[i].ID, Text: protocol.Piece(from[i].Text)}
		}
		return to
	}
	d := &protocol.VocabularyDifference{
		A: v.A, B: v.B, NAdded: len(v.Added), NRemoved: len(v.Removed), NMoved: len(v.Moved),
		Added: list(v.Added), Removed: list(v.Removed), Moved: make([]protocol.Token, min(len(v.Moved), shownTokens)),
	}
	for i := range d.Moved {
		m := &v.Moved[i]
		d.Moved[i] = protocol.Token{ID: m.A, To: &m.B, Text: protocol.Piece(m.Text)}
	}
	return d
}

func side(t *gguf.Tensor) *protocol.TensorSide {
	if t == nil {
		return nil
	}
	return &protocol.TensorSide{Type: t.Type.String(), Dims: append([]uint64{}, t.Dims...)}
}
