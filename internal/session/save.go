package session

import (
	"context"
	"io"
	"slices"
)

// Save writes the timeline, with note for whoever reads it, as docs/session-file.md says.
func (m *Model) Save(ctx context.Context, w io.Writer, note []byte) error {
	return m.turns.do(func() error { return m.session.Save(ctx, w, note) })
}

// SavedBytes is how much Save writes with a note of n bytes.
func (m *Model) SavedBytes(n int) int64 { return m.session.SnapshotBytes(n) }

// Restore makes the timeline one that was saved, of the same model, and returns the note. The error for a file that
// is none, or damaged, or of another model is an *engine.SnapshotError.
func (m *Model) Restore(r io.Reader) (note []byte, err error) {
	err = m.turns.do(func() (err error) {
		note, err = m.session.Restore(r)
		return err
	})
	m.cached = slices.Clone(m.session.IDs())
	return note, err
}
