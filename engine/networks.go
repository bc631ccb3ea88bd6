package engine

import (
	"cmp"
	"slices"

	"straw/internal/pages"
)

// networks are the experts of a layer, each a list of matrices, as a pass runs them.
type networks struct {
	of     [][]*matrix
	reader *expertReader // nil if all experts are in memory
	cache  *expertCache  // nil if none is kept
	turn   []int         // experts in the order in which the pass runs them
	slot   []int         // of each expert: where the pass puts it to be kept, -1 if it does not
}

// newNetworks keeps so many of the experts, at most, that a reader reads.
func newNetworks(of [][]*matrix, reader *expertReader, keep int) networks {
	if of[0][0].whole() {
		reader = nil
	}
	n := networks{of: of, reader: reader, slot: make([]int, len(of))}
	if keep = min(keep, len(of)); keep > 0 && reader != nil {
		var memory [][]byte
		for range keep {
			memory = append(memory, reader.kept.Take(int(networkRoom(of[0]))))
		}
		n.cache = newExpertCache(len(of), memory)
	}
	return n
}

// networkRoom is the memory that an expert takes.
func networkRoom(network []*matrix) int64 {
	n := int64(0)
	for _, m := range network {
		n += pages.Room(int64(m.rows) * int64(m.rowBytes))
	}
	return n
}

// begin orders the experts that have uses, of so many tokens: those in memory first, while the others are read.
func (n *networks) begin(uses func(e int) int, tokens int) {
	n.turn = n.turn[:0]
	if n.cache != nil {
		n.cache.pass(uses, tokens)
	}
	hits := 0
	for e := range n.of {
		n.slot[e] = -1
		switch {
		case uses(e) == 0:
		case n.cache != nil && n.cache.slot[e] >= 0:
			n.turn = slices.Insert(n.turn, hits, e)
			hits++
		default:
			n.turn = append(n.turn, e)
		}
	}
	if n.reader == nil {
		return
	}
	misses := n.turn[hits:]
	n.reader.stats.Hits += int64(hits)
	n.reader.stats.Misses += int64(len(misses))
	if n.cache != nil { // the best come first: they may choose their places
		slices.SortStableFunc(misses, func(a, b int) int { return cmp.Compare(n.cache.worth[b], n.cache.worth[a]) })
	}
	for _, e := range misses {
		var to []byte
		if n.cache != nil {
			slot, was := n.cache.place(e)
			if was >= 0 {
				n.put(was, nil)
			}
			if n.slot[e] = slot; slot >= 0 {
				to = n.cache.slots[slot].data
			}
		}
		n.reader.add(n.of[e], to)
	}
	n.reader.start()
}

// ran says that expert e was run, and so all of it was read.
func (n *networks) ran(e int) {
	if slot := n.slot[e]; slot >= 0 {
		n.cache.settle(e, slot)
		n.put(e, n.cache.slots[slot].data)
	}
}

// done ends the pass.
func (n *networks) done() {
	if n.reader != nil {
		n.reader.done()
	}
}

// put says that expert e's matrices are in memory, one after the other, or no longer if that is nil.
func (n *networks) put(e int, memory []byte) {
	for _, m := range n.of[e] {
		m.data = nil
		if memory != nil {
			size := m.rows * m.rowBytes
			m.data = memory[:size:size]
			memory = memory[min(int(pages.Room(int64(size))), len(memory)):]
		}
	}
}
