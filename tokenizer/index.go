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

// tableSize is a power of two that n entries fill by two thirds at most.
func tableSize(n int) int {
	return 1 << bits.Len(uint(n+n/2+2))
}
