package session

import (
	"context"
	"fmt"
	"math"

	"straw/engine"
)

// Embed is the embedding of ids as a text of its own, as engine.Session.Embed; Arch.Output.Pooling is the
// file's pooling. The cache is empty afterwards.
func (m *Model) Embed(ctx context.Context, ids []int, pooling engine.Pooling) ([][]float32, error) {
	if err := m.checkIDs(ids); err != nil {
		return nil, err
	}
	if len(ids) > m.Context {
		return nil, &UsageError{fmt.Sprintf("%d tokens do not fit a context of %d, and an embedding is of the text as a whole: give less text, or ask for a larger context (--ctx)", len(ids), m.Context)}
	}
	m.Reset()
	var rows [][]float32
	err := m.turns.do(func() (err error) {
		rows, err = m.session.Embed(ctx, ids, pooling)
		return err
	})
	return rows, err
}

// Normalize scales an embedding to a Euclidean length of 1; zeros stay.
func Normalize(x []float32) {
	sum := 0.0
	for _, v := range x {
		sum += float64(v) * float64(v)
	}
	if sum == 0 {
		return
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range x {
		x[i] *= scale
	}
}

// writes tells why a model cannot write token after token, nil if it can.
func (m *Model) writes() error {
	switch {
	case m.Arch.Output.None:
		return &UnsupportedError{"model " + m.Arch.Name + " makes embeddings, not text: use straw embed"}
	case m.Arch.Whole:
		return &UnsupportedError{"model " + m.Arch.Name + " writes all tokens at once, by diffusion, which is not known here: straw logits has its figures"}
	}
	return nil
}

// begin makes ready to continue ids: it keeps what of them is in the cache and returns how many, and the tokens
// to evaluate. An encoder-decoder model reads ids with its encoder; then the decoder has its first token to
// evaluate.
func (m *Model) begin(ctx context.Context, ids []int) (kept int, rest []int, err error) {
	if m.Arch.Encoder.Layers > 0 {
		m.Reset()
		err := m.turns.do(func() error { return m.session.Encode(ctx, ids) })
		return 0, []int{m.Arch.Encoder.Start}, err
	}
	kept = m.keep(ids)
	return kept, ids[kept:], nil
}
