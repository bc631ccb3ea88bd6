package session

import "testing"

func TestWriterHoldsBackOnlyWhatMayStop(t *testing.T) {
	for _, c := range []struct {
		held string
		stop []string
		want int
	}{{"abc", []string{"cd"}, 1}, {"abc", []string{"bcd", "c!"}, 2}, {"abc", []string{"abc!"}, 3}, {"abc", []string{"x"}, 0}, {"aaa", []string{"aab"}, 2}, {"", []string{"x"}, 0}} {
		w := &writer{held: c.held, stop: c.stop}
		if got := w.pending(); got != c.want {
			t.Errorf("%q with %q: %d held back, want %d", c.held, c.stop, got, c.want)
		}
	}
}
