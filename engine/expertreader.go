package engine

import (
	"context"

	"straw/internal/pages"
)

// expertReader reads the experts that tokens were sent to. Which they are is known only when a pass comes to their layer,
// but then all at once: they are announced, and read several at a time while others are computed.
type expertReader struct {
	ring
	piece int           // bytes of a chunk at most, unless a row is longer
	kept  *pages.Memory // of the caches, or nil
	at    int           // chunk that is asked for next
	stats ExpertStats
}

// ExpertStats is how experts came into a pass: each counts once a layer and pass, however many tokens were sent to it.
type ExpertStats struct {
	Hits, Misses int64 // found in memory, and read
	KeptBytes    int64 // memory of those that are kept
}

func newExpertReader(src WeightSource, t tally, size ringSize, largest int) (*expertReader, error) {
	x := &expertReader{piece: size.chunk}
	x.after = func(i int) int {
		if i+1 < len(x.chunks) {
			return i + 1
		}
		return -1
	}
	return x, x.init(src, t, size, largest)
}

// add announces a network, to be read after what was announced before; with to it is kept there.
func (x *expertReader) add(network []*matrix, to []byte) {
	for _, m := range network {
		begin := len(x.chunks)
		x.chunks, _ = cut(x.chunks, m, 0, x.piece)
		if to == nil {
			continue
		}
		for i := begin; i < len(x.chunks); i++ {
			c := &x.chunks[i]
			c.to = to[c.lo*m.rowBytes : c.hi*m.rowBytes]
		}
		to = to[min(int(pages.Room(int64(m.rows*m.rowBytes))), len(to)):]
	}
}

// start begins to read what was announced.
func (x *expertReader) start() {
	if len(x.chunks) > 0 {
		x.next = 0
		x.fill()
	}
}

// expects tells whether the rows of m from lo on were announced as the next.
func (x *expertReader) expects(m *matrix, lo int) bool {
	return x.at < len(x.chunks) && x.chunks[x.at].m == m && x.chunks[x.at].lo == lo
}

// rows is the chunk that is expected.
func (x *expertReader) rows(ctx context.Context) (packed []byte, hi int, err error) {
	i := x.at
	x.at++
	packed, err = x.take(ctx, i)
	return packed, x.chunks[i].hi, err
}

// done ends what was announced, and waits for the reads at hand.
func (x *expertReader) done() {
	_ = x.drop(context.Background()) // which nothing ends
	x.chunks, x.at = x.chunks[:0], 0
}

func (x *expertReader) close() {
	x.ring.close()
	x.kept.Free()
}
