package tokenizer

import (
	"math"
	"slices"
)

// symbol is a part of a word: at first a character or a byte, then what was
// merged from them.
type symbol struct {
	start, end int32 // in the word
	id         int32 // -1: no token
	prev, next int32 // neighbours among the symbols of a long word, -1: none
}

// noMerge is the rank of two symbols that do not merge.
const noMerge = math.MaxUint32

// pairer knows which neighbours merge: the lowest rank goes first, of equal
// ranks the leftmost. id is the merged symbol's.
type pairer interface {
	pair(word string, left, right *symbol) (rank uint32, id int32)
}

// merger merges the symbols of one word after the other in reused memory.
type merger struct {
	symbols []symbol
	ranks   []uint32 // of symbol i and i+1, in a short word
	ids     []int32  // what they merge into
	heap    heap
	steps   *[]mergeStep // what mergeShort did, if somebody asks
}

// mergeStep is one merge: at is the place of the left symbol among those there are.
type mergeStep struct {
	at   int
	rank uint32
	id   int32
}

// short is the number of symbols up to which looking through all ranks for the
// lowest is faster than a heap. The result is the same.
const short = 48

// merge merges m.symbols, those of word, until no neighbours do.
func (m *merger) merge(word string, p pairer) {
	switch {
	case len(m.symbols) < 2:
	case len(m.symbols) <= short:
		m.mergeShort(word, p)
	default:
		m.mergeLong(word, p)
	}
}

func (m *merger) mergeShort(word string, p pairer) {
	s := m.symbols
	m.ranks, m.ids = m.ranks[:0], m.ids[:0]
	for i := range len(s) - 1 {
		rank, id := p.pair(word, &s[i], &s[i+1])
		m.ranks, m.ids = append(m.ranks, rank), append(m.ids, id)
	}
	ranks, ids := m.ranks, m.ids
	for {
		best, at := uint32(noMerge), 0
		for i, rank := range ranks {
			if rank < best {
				best, at = rank, i
			}
		}
		if best == noMerge {
			break
		}
		if m.steps != nil {
			*m.steps = append(*m.steps, mergeStep{at, best, ids[at]})
		}
		s[at].end, s[at].id = s[at+1].end, ids[at]
		copy(s[at+1:], s[at+2:])
		copy(ranks[at:], ranks[at+1:])
		copy(ids[at:], ids[at+1:])
		s, ranks, ids = s[:len(s)-1], ranks[:len(ranks)-1], ids[:len(ids)-1]
		if at < len(ranks) {
			ranks[at], ids[at] = p.pair(word, &s[at], &s[at+1])
		}
		if at > 0 {
			ranks[at-1], ids[at-1] = p.pair(word, &s[at-1], &s[at])
		}
	}
	m.symbols = s
}

func (m *merger) mergeLong(word string, p pairer) {
	s := m.symbols
	m.heap = slices.Grow(m.heap[:0], len(s))
	offer := func(left, right int32) {
		if left < 0 || right < 0 {
			return
		}
		if rank, id := p.pair(word, &s[left], &s[right]); rank != noMerge {
			m.heap = append(m.heap, candidate{uint64(rank)<<32 | uint64(left), s[right].end, id})
		}
	}
	for i := range s {
		s[i].prev, s[i].next = int32(i-1), int32(i+1)
	}
	s[len(s)-1].next = -1
	for i := range len(s) - 1 {
		offer(int32(i), int32(i+1))
	}
	m.heap.init()
	for len(m.heap) > 0 {
		c := m.heap.pop()
		left := int32(uint32(c.order))
		right := s[left].next
		// Out of date when either symbol has been merged since: then left is
		// gone, or what follows it ends elsewhere.
		if right < 0 || s[right].end != c.end {
			continue
		}
		s[left].end, s[left].id, s[left].next = s[right].end, c.id, s[right].next
		if next := s[right].next; next >= 0 {
			s[next].prev = left
		}
		s[right].end, s[right].next = -1, -1
		n := len(m.heap)
		offer(s[left].prev, left)
		offer(left, s[left].next)
		for ; n < len(m.heap); n++ {
			m.heap.up(n)
		}
	}
	kept := s[:0]
	for _, sym := range s {
		if sym.end >= 0 {
			kept = append(kept, sym)
		}
	}
	m.symbols = kept
}

// candidate is a merge that may be done.
type candidate struct {
	order uint64 // rank << 32 | left symbol
	end   int32  // of the right symbol when this was offered
	id    int32
}

// heap has the lowest order first. Each node has four children: half the levels
// of a binary heap, and the children share a cache line.
type heap []candidate

func (h heap) init() {
	for i := (len(h) + 2) / 4; i >= 0; i-- {
		h.down(i)
	}
}

func (h *heap) pop() candidate {
	s := *h
	top := s[0]
	s[0] = s[len(s)-1]
	*h = s[:len(s)-1]
	h.down(0)
	return top
}

func (h heap) up(i int) {
	c := h[i]
	for i > 0 {
		parent := (i - 1) / 4
		if h[parent].order <= c.order {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = c
}

func (h heap) down(i int) {
	if i >= len(h) {
		return
	}
	c := h[i]
	for {
		child := 4*i + 1
		if child >= len(h) {
			break
		}
		for j := child + 1; j < min(4*i+5, len(h)); j++ {
			if h[j].order < h[child].order {
				child = j
			}
		}
		if c.order <= h[child].order {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = c
}
