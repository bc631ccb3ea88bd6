package engine

import "context"

// history is what it takes to bring recurrent layers back to an earlier point of the timeline: the tokens, and one copy
// of their state at the beginning of the last piece of text. From there, or from nothing, the tokens between are
// evaluated again. A session without recurrent layers has an empty history, whose methods do nothing.
type history struct {
	ops   []recurrent
	ids   []int // tokens that the state has seen, and what was cut off behind them
	state int   // tokens that the state has seen; -1 if a pass was broken off
	saved int   // tokens that the copy has seen
}

func (h *history) init(s *Session) {
	for o := range s.ops() {
		if r, ok := o.(recurrent); ok {
			r.reset()
			r.save()
			h.ops = append(h.ops, r)
		}
	}
}

// begin says that a batch of ids is about to change the state.
func (h *history) begin(ids []int) {
	if h.ops != nil {
		h.ids = append(h.ids[:h.state], ids...)
		h.state = -1
	}
}

// end says that the batch is done, and n tokens are on the timeline.
func (h *history) end(n int) {
	if h.ops != nil {
		h.state = n
	}
}

// cut forgets the tokens from n on, the copy too if it has seen them.
func (h *history) cut(n int) {
	if h.ops != nil && h.saved > n {
		for _, o := range h.ops {
			o.reset()
			o.save()
		}
		h.saved, h.state = 0, 0
	}
}

// mark copies the state before a piece of text; for single tokens that would cost more than it saves.
func (h *history) mark(s *Session, tokens int) {
	if h.ops != nil && tokens > 1 {
		for _, o := range h.ops {
			o.save()
		}
		h.saved = s.n
	}
}

// resume brings the state to the end of the timeline.
func (h *history) resume(ctx context.Context, s *Session) error {
	if h.ops == nil || h.state == s.n {
		return nil
	}
	for _, o := range h.ops {
		o.restore()
	}
	end := s.n
	again := append([]int(nil), h.ids[h.saved:end]...)
	h.state, s.n = h.saved, h.saved
	for len(again) > 0 {
		part := again[:min(len(again), s.batch)]
		if err := s.advance(ctx, part, 0, nil); err != nil {
			s.n = end
			h.ids = append(h.ids[:h.saved], again...)
			return err
		}
		again = again[len(part):]
	}
	return nil
}
