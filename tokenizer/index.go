package tokenizer

import (
	"hash/maphash"
	"math/bits"
)

// index finds the id of a string: an open-addressing table over keys, 8 bytes
// a slot.
type index struct {
	keys   []string
	slots  []indexSlot
	mask   uint32
	unique bool // no two keys are equal
}

type indexSlot struct {
	hash uint32
	id   int32 // -1: empty
}

var indexSeed = maphash.MakeSeed()

// newIndex indexes keys; of equal ones the last counts, and the empty ones are
// left out.
func newIndex(keys []string) *index {
	n := tableSize(len(keys))
	x := &index{keys: keys, slots: make([]indexSlot, n), mask: uint32(n - 1), unique: true}
	for i := range x.slots {
		x.slots[i].id = -1
	}
	for id, key := range keys {
		if key == "" {
			continue
		}
		h := uint32(maphash.String(indexSeed, key))
		i := h & x.mask
		for x.slots[i].id >= 0 && (x.slots[i].hash != h || keys[x.slots[i].id] != key) {
			i = (i + 1) & x.mask
		}
		x.unique = x.unique && x.slots[i].id < 0
		x.slots[i] = indexSlot{h, int32(id)}
	}
	return x
}

// find is the id of key, or -1.
func (x *index) find(key string) int32 {
	h := uint32(maphash.String(indexSeed, key))
	for i := h & x.mask; ; i = (i + 1) & x.mask {
		slot := x.slots[i]
		if slot.id < 0 || slot.hash == h && x.keys[slot.id] == key {
			return slot.id
		}
	}
}

// findBytes is find(string(key)).
func (x *index) findBytes(key []byte) int32 {
	h := uint32(maphash.Bytes(indexSeed, key))
	for i := h & x.mask; ; i = (i + 1) & x.mask {
		slot := x.slots[i]
		if slot.id < 0 || slot.hash == h && x.keys[slot.id] == string(key) {
			return slot.id
		}
	}
}

// pairs maps two neighbouring symbols to their merge: an open-addressing table,
// 16 bytes a slot.
type pairs struct {
	slots []pairSlot
	shift int
}

type pairSlot struct {
	key  uint64 // left id << 32 | right id
	rank uint32
	id   int32 // what they merge into
}

const noPair = ^uint64(0)

func newPairs(n int) *pairs {
	size := tableSize(n)
	p := &pairs{slots: make([]pairSlot, size), shift: 64 - bits.TrailingZeros(uint(size))}
	for i := range p.slots {
		p.slots[i].key = noPair
	}
	return p
}

// slot is where key is or would be. The multiplier is 2^64 over the golden
// ratio: Fibonacci hashing.
func (p *pairs) slot(key uint64) *pairSlot {
	mask := len(p.slots) - 1
	i := int(key * 0x9E3779B97F4A7C15 >> p.shift)
	for p.slots[i].key != key && p.slots[i].key != noPair {
		i = (i + 1) & mask
	}
	return &p.slots[i]
}

// add keeps the first merge of a pair: later ones have a lower rank.
func (p *pairs) add(left, right int32, rank uint32, id int32) {
	key := uint64(left)<<32 | uint64(right)
	if s := p.slot(key); s.key == noPair {
		*s = pairSlot{key, rank, id}
	}
}

// find gives noMerge where the pair has none.
func (p *pairs) find(left, right int32) (rank uint32, id int32) {
	if left < 0 || right < 0 {
		return noMerge, -1
	}
	s := p.slot(uint64(left)<<32 | uint64(right))
	if s.key == noPair {
		return noMerge, -1
	}
	return s.rank, s.id
}

// tableSize is a power of two that n entries fill by two thirds at most.
func tableSize(n int) int {
	return 1 << bits.Len(uint(n+n/2+2))
}
