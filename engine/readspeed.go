package engine

import (
	"context"
	"time"
)

// ReadSpeed is how many bytes a second the session's readers bring in when nothing is computed: in the order of a pass,
// through the same ring and in the same chunks, for a whole pass or about as long as most. It is 0 if nothing is streamed.
// What it reads is counted in Stats.
func (s *Session) ReadSpeed(ctx context.Context, most time.Duration) (float64, error) {
	if s.closed {
		return 0, ErrClosed
	}
	begun := time.Now()
	before := s.weights.tally.total()
	if st := s.weights.stream; st != nil && st.again < len(st.chunks) {
		if err := st.drop(ctx); err != nil {
			return 0, err
		}
		begun, before = time.Now(), s.weights.tally.total()
		st.skip = false
		for i := st.again; i < len(st.chunks) && time.Since(begun) < most; i++ {
			if _, err := st.take(ctx, i); err != nil {
				return 0, err
			}
		}
		if err := st.drop(ctx); err != nil {
			return 0, err
		}
	} else if s.weights.experts != nil {
		if err := s.readExperts(ctx, begun.Add(most)); err != nil {
			return 0, err
		}
	}
	return float64(s.weights.tally.total()-before) / max(time.Since(begun).Seconds(), 1e-9), nil
}

// readExperts reads experts, layer after layer, until the time end.
func (s *Session) readExperts(ctx context.Context, end time.Time) error {
	x := s.weights.experts
	defer x.done()
	for i := range s.layers {
		for _, st := range s.layers[i].steps {
			for _, b := range st.branches {
				m, ok := b.op.(*moe)
				if !ok || m.networks.reader == nil {
					continue
				}
				for _, network := range m.networks.of {
					if !network[0].whole() {
						x.add(network, nil)
					}
				}
				x.start()
				for x.at < len(x.chunks) && time.Now().Before(end) {
					if _, _, err := x.rows(ctx); err != nil {
						return err
					}
				}
				x.done()
			}
		}
	}
	return nil
}
