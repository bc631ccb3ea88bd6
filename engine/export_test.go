package engine

import (
	"context"
	"hash/crc32"
)

// NewPartlyResident is NewSession with the tensors that keep says in memory and the others streamed through a ring of
// depth buffers of chunk bytes.
func (m *Model) NewPartlyResident(o Options, keep func(t *Tensor) bool, chunk, depth int) (*Session, error) {
	return m.newSession(context.Background(), o, keep, ringSize{chunk, depth})
}

// SnapshotSum is the checksum of a snapshot's parts.
func SnapshotSum(p []byte) uint32 { return crc32.Checksum(p, castagnoli) }
