package engine

import (
	"context"
	"slices"
)

// history is what it takes to bring states back to an earlier point of their timeline: copies of them at the beginning
// of the last long and of the last short piece of text. From the nearest, or from nothing, the tokens between are
// evaluated again. A timeline without states has an empty history, whose methods do nothing.
type history struct {
	states      [][]float32 // the timeline's
	state       int         // tokens that the states have seen; -1 if a pass was broken off
	long, short checkpoint
}

// historyCopies is how many copies of a state there may be.
const historyCopies = 2

// longPiece is the tokens from which on a piece of text is long: a turn of a conversation, which may be taken back as a
// whole. Short pieces are tokens on trial.
const longPiece = 32

// checkpoint is a copy of the states as they were after n tokens. After none they were 0, and there is no copy.
type checkpoint struct {
	n      int
	states [][]float32
}

func cloneStates(states [][]float32) [][]float32 {
	var c [][]float32
	for _, s := range states {
		c = append(c, slices.Clone(s))
	}
	return c
}

func (h *history) fork() history {
	return history{
		state: h.state,
		long:  checkpoint{h.long.n, cloneStates(h.long.states)},
		short: checkpoint{h.short.n, cloneStates(h.short.states)},
	}
}

// bytes is the memory of the states and the copies.
func (h *history) bytes() int64 {
	n := int64(0)
	for _, all := range [][][]float32{h.states, h.long.states, h.short.states} {
		for _, s := range all {
			n += 4 * int64(len(s))
		}
	}
	return n
}

// cut forgets the tokens from n on, and the copies that have seen them.
func (h *history) cut(n int) {
	for _, c := range []*checkpoint{&h.long, &h.short} {
		if c.n > n {
			c.n = 0
		}
	}
}

// mark copies the states before a piece of text; for single tokens that would cost more than it saves.
func (h *history) mark(n, tokens int) {
	if h.states == nil || tokens < 2 {
		return
	}
	c := &h.short
	if tokens >= longPiece {
		c = &h.long
	}
	if c.n = n; n == 0 {
		return
	}
	if c.states == nil {
		c.states = cloneStates(h.states)
		return
	}
	for i, s := range h.states {
		copy(c.states[i], s)
	}
}

// restore brings the states back to the nearest copy, and returns how many tokens that has seen.
func (h *history) restore() int {
	c := &h.long
	if h.short.n > c.n {
		c = &h.short
	}
	for i, s := range h.states {
		if c.n == 0 {
			clear(s)
		} else {
			copy(s, c.states[i])
		}
	}
	h.state = c.n
	return c.n
}

// resume brings the states to the end of s. If that takes no more than few tokens, it leaves them to the caller: s then ends
// before them.
func (h *history) resume(ctx context.Context, s *Session, few int) (again []int, err error) {
	if h.states == nil || h.state == s.n {
		return nil, nil
	}
	end := s.n
	s.n = h.restore()
	if end-s.n <= few {
		return s.ids[s.n:end], nil
	}
	for s.n < end {
		part := s.ids[s.n:min(end, s.n+s.batch)]
		if err := s.advance(ctx, []lane{{timeline: &s.timeline, ids: part}}, nil); err != nil {
			s.n = end
			return nil, err
		}
	}
	return nil, nil
}
