package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"sync"

	"straw/engine/arch"
)

// A snapshot is a timeline as a file; docs/session-file.md has the format. It is written and read in the order of the file:
// a head of fixed size with a checksum, the caller's note, the tokens, the keys and values of each cache in groups of a
// page's positions, the states, and a checksum of everything after the head. All numbers are little-endian.
const (
	snapshotMagic   = "strawses"
	snapshotVersion = 1
	snapshotHead    = 72
)

// MaxNote is how many bytes of the caller's a snapshot may hold.
const MaxNote = 16 << 20

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

// Save writes the timeline and note, which is the caller's and comes back from Restore. States that were cut back are
// brought to the end of the timeline before, which ctx may end.
func (s *Session) Save(ctx context.Context, w io.Writer, note []byte) error {
	if err := s.savable(); err != nil {
		return err
	}
	if _, err := s.history.resume(ctx, s, 0); err != nil {
		return err
	}
	if len(note) > MaxNote {
		return fmt.Errorf("a session file holds at most %d bytes of the caller's, not %d", MaxNote, len(note))
	}
	sum, err := s.digest()
	if err != nil {
		return err
	}
	head := append(make([]byte, 0, snapshotHead), snapshotMagic...)
	for _, n := range []int{snapshotVersion, int(s.kv), s.context, s.n, len(note), len(s.caches), len(s.states)} {
		head = binary.LittleEndian.AppendUint32(head, uint32(n))
	}
	head = append(head, sum[:]...)
	head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(head, castagnoli()))
	if _, err := w.Write(head); err != nil {
		return err
	}
	out := &snapshotWriter{w: w, sum: crc32.New(castagnoli())}
	out.bytes(note)
	ids := make([]uint32, s.n)
	for i, id := range s.IDs() {
		ids[i] = uint32(id)
	}
	out.numbers(ids)
	for i := range s.caches {
		s.caches[i].each(s.n, out.bytes, func(x []float32) { out.numbers(x) })
	}
	for _, state := range s.states {
		out.numbers(state)
	}
	out.numbers(out.sum.Sum32())
	return out.err
}

// SnapshotBytes is the size of what Save writes with a note of n bytes.
func (s *Session) SnapshotBytes(n int) int64 {
	size := int64(snapshotHead+n) + 4*int64(s.n) + 4
	for i := range s.caches {
		size += s.caches[i].rowBytes() * int64(s.n)
	}
	for _, state := range s.states {
		size += 4 * int64(len(state))
	}
	return size
}

// savable tells why a timeline cannot be a file, nil if it can.
func (s *Session) savable() error {
	switch {
	case s.closed:
		return ErrClosed
	case s.model.Encoder.Layers > 0 || s.model.Whole:
		return &UnsupportedError{Reason: "a session of architecture " + s.model.Name + " cannot be saved: it sees its text as a whole"}
	}
	return nil
}

// longContext tells whether a context asks a model with two tables of rotations for the one of long contexts. Keys of the
// two have nothing to do with each other.
func (s *machine) longContext(context int) bool {
	for r := range s.rotations {
		if r.Factors == arch.LongShort {
			return longRope(&r, context)
		}
	}
	return false
}

// each calls packed or plain for the keys and values of positions below n, in the order of the file: for each page's
// positions the keys of each head, then the values of each head.
func (c *kvCache) each(n int, packed func([]byte), plain func([]float32)) {
	for page := range (n + kvPage - 1) / kvPage {
		p := &c.pages[page]
		rows := min(kvPage, n-page*kvPage)
		for h := range c.heads {
			if c.typ == KVF32 {
				plain(p.k[h*kvPage*c.keyDim:][:rows*c.keyDim])
				continue
			}
			size := c.typ.Bytes(c.keyDim)
			packed(p.kRow[h*kvPage*size:][:rows*size])
		}
		for h := range c.heads {
			if c.typ == KVF32 {
				plain(p.v[h*kvPage*c.valueDim:][:rows*c.valueDim])
				continue
			}
			size := c.typ.Bytes(c.valueDim)
			packed(p.vRow[h*kvPage*size:][:rows*size])
		}
	}
}

// snapshotWriter writes what follows the head, until an error.
type snapshotWriter struct {
	w   io.Writer
	sum hash.Hash32
	buf []byte
	err error
}

func (o *snapshotWriter) bytes(p []byte) {
	if o.err == nil {
		o.sum.Write(p)
		_, o.err = o.w.Write(p)
	}
}

// numbers writes a number or a slice of numbers.
func (o *snapshotWriter) numbers(v any) {
	if o.err == nil {
		if o.buf, o.err = binary.Append(o.buf[:0], binary.LittleEndian, v); o.err == nil {
			o.bytes(o.buf)
		}
	}
}
