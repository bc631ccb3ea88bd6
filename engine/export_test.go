package engine

import (
	"context"
	"hash/crc32"

	"straw/engine/arch"
)

// Layout is where a session has its weights, as no budget may have it.
type Layout struct {
	Keep    func(t *Tensor) bool // all of a tensor; nil: none
	Part    float64              // of the other matrices' rows
	Chunk   int
	Ring    int // bytes
	Readers int
	Slots   int // experts of each layer that are kept
}

// NewLaidOut is NewSession with another layout.
func (m *Model) NewLaidOut(o Options, at Layout) (*Session, error) {
	size := ringSize{at.Chunk, at.Ring, at.Readers}
	l := &layout{ring: size, pieces: size, batch: o.batch()}
	l.bytes = func(t *Tensor) int64 {
		switch {
		case at.Keep != nil && at.Keep(t):
			return t.Bytes
		case t.Use == arch.Expert, len(t.Shape) != 2:
			return 0
		}
		return int64(at.Part*float64(t.Shape[0])) * rowBytes(t)
	}
	r := m.request(&o)
	l.slots = make([]map[int]int, len(m.Layers))
	for i, g := range r.groups {
		if l.slots[g.layer] == nil {
			l.slots[g.layer] = map[int]int{}
		}
		l.slots[g.layer][g.count] = at.Slots
		l.kept += int64(at.Slots) * r.Experts[i].Bytes
	}
	return m.newSession(context.Background(), o, l)
}

// NewPartlyResident is NewLaidOut with the tensors that keep says in memory and the others streamed through a ring of
// depth chunks.
func (m *Model) NewPartlyResident(o Options, keep func(t *Tensor) bool, chunk, depth int) (*Session, error) {
	readers := 2
	if depth == 1 || o.NoPrefetch {
		readers = 0
	}
	return m.NewLaidOut(o, Layout{Keep: keep, Chunk: chunk, Ring: depth * chunk, Readers: readers})
}

// SnapshotSum is the checksum of a snapshot's parts.
func SnapshotSum(p []byte) uint32 { return crc32.Checksum(p, castagnoli()) }

// ColumnBytes is what the activations of a column take in s, about: of the op that takes most.
func (s *Session) ColumnBytes() int64 {
	most := 0
	for i := range s.layers {
		for _, st := range s.layers[i].steps {
			for _, b := range st.branches {
				most = max(most, b.op.floats())
			}
		}
	}
	return 4 * int64(5*s.model.Embd+most)
}

// PlannedColumnBytes is what a plan counts for a column.
func (m *Model) PlannedColumnBytes() int64 { return m.columnBytes() }
