package engine

import (
	"context"
	"errors"
	"fmt"
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
	for i := range requests {
		if err := requests[i].Session.prepare(ctx, requests[i].IDs); err != nil {
			return err
		}
	}
	m.pending = m.pending[:0]
	for _, r := range requests {
		r.Session.history.mark(r.Session.n, len(r.IDs))
		m.pending = append(m.pending, pending{r, r.Session.n})
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
			for _, r := range m.pending {
				r.Session.n = r.begun
			}
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

// pending is a request and where its session was before.
type pending struct {
	Request
	begun int
}

// nextLanes are the columns of the next pass, none if all is done, and how many of them have rows.
func (m *machine) nextLanes() (lanes []lane, wanted int) {
	room := m.batch
	m.lanes = m.lanes[:0]
	for i := range m.pending {
		r := &m.pending[i]
		left := r.IDs[r.Session.n-r.begun:]
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

// prepare makes ready to append ids to the timeline.
func (s *Session) prepare(ctx context.Context, ids []int) error {
	if err := s.check(ids); err != nil || len(ids) == 0 {
		return err
	}
	if s.model.Encoder.Layers > 0 && s.encoded.n == 0 {
		return fmt.Errorf("model %s has an encoder: its decoder has nothing to look at before Encode", s.model.Name)
	}
	if s.model.Whole && s.n > 0 {
		return fmt.Errorf("model %s sees all tokens at once: none can be added to %d that are there", s.model.Name, s.n)
	}
	return s.history.resume(ctx, s)
}
