package engine

import (
	"context"
	"fmt"
)

// encoded is a text as the encoder of an encoder-decoder model has read it.
type encoded struct {
	rows []float32 // [n, embd], normalized
	n    int       // tokens; 0 if there is no text
	seen []bool    // by slot of a cache: its attention has the keys and values of the text
}

// Encode reads ids as the whole input of an encoder-decoder model and empties the timeline, which is the decoder's. After
// an error there is no input.
func (s *Session) Encode(ctx context.Context, ids []int) error {
	if s.model.Encoder.Layers == 0 {
		return fmt.Errorf("model %s has no encoder beside its decoder", s.model.Name)
	}
	if s.closed {
		return ErrClosed
	}
	s.Truncate(0)
	s.encoded.n = 0
	if err := s.check(ids); err != nil || len(ids) == 0 {
		return err
	}
	return s.pass.encode(ctx, &s.timeline, ids)
}

// encode runs ids through the encoder's layers.
func (p *pass) encode(ctx context.Context, t *timeline, ids []int) (err error) {
	s := p.s
	m := s.model
	defer s.weights.mapped.leave(s.weights.mapped.enter(), &err)
	p.begin([]lane{{timeline: t, ids: ids}})
	s.weights.begin(false)
	if err := p.input(); err != nil {
		return err
	}
	if err := p.through(ctx, s.layers[:m.Encoder.Layers], 0, 0); err != nil {
		return err
	}
	norm := s.weights.global.norm(m.Encoder.Norm)
	e := &t.encoded
	e.rows = append(e.rows[:0], p.x[:p.n*m.Embd]...)
	for row := e.rows; len(row) > 0; row = row[m.Embd:] {
		norm.apply(row[:m.Embd], row[:m.Embd])
	}
	e.n = p.n
	clear(e.seen)
	p.tokens += int64(p.n)
	return nil
}
