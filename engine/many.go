package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Request is tokens for the end of a session's timeline.
type Request struct {
	Session *Session
	IDs     []int
	Rows    int // so many of the last tokens have rows in the result
}

// errSharing is for callers of EvalMany.
var errSharing = errors.New("requests of one call must be of different sessions that share their weights")

// EvalMany is Eval for several sessions that share their weights: each pass over the weights serves all of them. It
// returns the rows of each request: the same bits as alone. Requests of more tokens together than Session.Batch take
// several passes, the first requests first. On an error all timelines are as they were before.
func EvalMany(ctx context.Context, requests []Request) ([][][]float32, error) {
	if len(requests) == 0 {
		return nil, nil
	}
	m := requests[0].Session.machine
	for i, r := range requests {
		if r.Session.machine != m {
			return nil, errSharing
		}
		for _, other := range requests[:i] {
			if other.Session == r.Session {
				return nil, errSharing
			}
		}
		if r.Rows < 0 || r.Rows > len(r.IDs) {
			return nil, fmt.Errorf("request %d wants rows of %d tokens and has %d", i, r.Rows, len(r.IDs))
		}
	}
	rows := make([][][]float32, len(requests))
	return rows, m.evalMany(ctx, requests, rows, m.model.Output.None)
}

// evalMany appends the rows of request i to rows[i]: logits, or rows of the residual stream if hidden.
func (m *machine) evalMany(ctx context.Context, requests []Request, rows [][][]float32, hidden bool) error {
	m.pending = m.pending[:0]
	for _, r := range requests {
		m.pending = append(m.pending, pending{Request: r, begun: r.Session.n})
		if err := m.pending[len(m.pending)-1].prepare(ctx); err != nil {
			m.giveUp()
			return err
		}
	}
	m.pass.rows = hidden
	for {
		lanes, wanted := m.nextLanes()
		if len(lanes) == 0 {
			return nil
		}
		width := m.model.Vocab
		if hidden {
			width = m.model.Embd
		}
		made := make([]float32, wanted*width)
		if err := m.advance(ctx, lanes, made); err != nil {
			m.giveUp()
			return err
		}
		for i := range lanes {
			to := &rows[lanes[i].request]
			for range lanes[i].wanted {
				*to = append(*to, made[:width:width])
				made = made[width:]
			}
		}
	}
}

// giveUp takes all timelines back to where they were.
func (m *machine) giveUp() {
	for _, r := range m.pending {
		r.Session.n = r.begun
	}
}

// pending is a request at work. Its IDs may have been lengthened by tokens that are evaluated again.
type pending struct {
	Request
	begun int // tokens on the timeline before
	base  int // tokens before IDs
}

// nextLanes are the columns of the next pass, none if all is done, and how many of them have rows.
func (m *machine) nextLanes() (lanes []lane, wanted int) {
	room := m.batch
	m.lanes = m.lanes[:0]
	for i := range m.pending {
		r := &m.pending[i]
		left := r.IDs[r.Session.n-r.base:]
		if len(left) == 0 || room == 0 {
			continue
		}
		n := min(len(left), room)
		if m.model.Whole {
			n = len(left)
		}
		room = max(room-n, 0)
		l := lane{timeline: &r.Session.timeline, request: i, ids: left[:n], wanted: max(0, r.Rows-(len(left)-n))}
		l.wanted = min(l.wanted, n)
		wanted += l.wanted
		m.lanes = append(m.lanes, l)
	}
	return m.lanes, wanted
}

// prepare makes ready to append the tokens to the timeline.
func (r *pending) prepare(ctx context.Context) error {
	s := r.Session
	r.base = s.n
	if err := s.check(r.IDs); err != nil || len(r.IDs) == 0 {
		return err
	}
	if s.model.Encoder.Layers > 0 && s.encoded.n == 0 {
		return fmt.Errorf("model %s has an encoder: its decoder has nothing to look at before Encode", s.model.Name)
	}
	if s.model.Whole && s.n > 0 {
		return fmt.Errorf("model %s sees all tokens at once: none can be added to %d that are there", s.model.Name, s.n)
	}
	again, err := s.history.resume(ctx, s, longPiece/2)
	if err != nil {
		return err
	}
	if len(again) > 0 { // in the same pass, from the copy that is there
		r.base = s.n
		r.IDs = slices.Concat(again, r.IDs)
		return nil
	}
	s.history.mark(s.n, len(r.IDs))
	return nil
}
