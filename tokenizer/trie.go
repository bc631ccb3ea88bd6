package tokenizer

import "bytes"

// trie finds the keys that a text begins with. Nodes are numbered level by
// level, so that the children of node n are first[n] to first[n+1]-1, in the
// order of their bytes. Node 0 is the root.
type trie struct {
	labels []byte  // the byte that leads to each node
	first  []int32 // one longer than labels
	ids    []int32 // the key that ends at each node, -1: none
	root   [256]int32
}

const noNode = -1

// newTrie holds the keys for which keep is true, by their index; of equal ones
// the last counts, and the empty ones are left out.
func newTrie(keys []string, keep func(id int) bool) *trie {
	var order []int32
	for id, key := range keys {
		if key != "" && keep(id) {
			order = append(order, int32(id))
		}
	}
	spare := make([]int32, len(order))
	n := 2*len(order) + 1 // a guess
	t := &trie{labels: make([]byte, 1, n), first: make([]int32, 0, n), ids: make([]int32, 1, n)}
	t.ids[0] = -1
	// A part of order is the keys that go through one node.
	type part struct{ lo, hi int32 }
	level := []part{{0, int32(len(order))}}
	for depth := 0; len(level) > 0; depth++ {
		var below []part
		for _, p := range level {
			node := len(t.first)
			t.first = append(t.first, int32(len(t.labels)))
			sortByte(keys, order[p.lo:p.hi], spare, depth)
			for p.lo < p.hi && len(keys[order[p.lo]]) == depth {
				t.ids[node] = order[p.lo]
				p.lo++
			}
			for p.lo < p.hi {
				b := keys[order[p.lo]][depth]
				child := part{p.lo, p.lo}
				for child.hi < p.hi && keys[order[child.hi]][depth] == b {
					child.hi++
				}
				p.lo = child.hi
				t.labels, t.ids = append(t.labels, b), append(t.ids, -1)
				below = append(below, child)
			}
		}
		level = below
	}
	t.first = append(t.first, int32(len(t.labels)))
	for b := range t.root {
		t.root[b] = t.child(0, byte(b))
	}
	return t
}

// sortByte sorts order by the byte at depth of the keys, those that end there
// first. Equal ones stay in order. spare is as long as order or longer.
func sortByte(keys []string, order, spare []int32, depth int) {
	byteAt := func(id int32) int {
		if key := keys[id]; len(key) > depth {
			return 1 + int(key[depth])
		}
		return 0
	}
	if len(order) <= 32 {
		for i := 1; i < len(order); i++ {
			id, b := order[i], byteAt(order[i])
			j := i
			for ; j > 0 && byteAt(order[j-1]) > b; j-- {
				order[j] = order[j-1]
			}
			order[j] = id
		}
		return
	}
	var next [258]int
	for _, id := range order {
		next[byteAt(id)+1]++
	}
	for b := range 257 {
		next[b+1] += next[b]
	}
	copy(spare, order)
	for _, id := range spare[:len(order)] {
		b := byteAt(id)
		order[next[b]] = id
		next[b]++
	}
}

// child is where byte b leads from node, or noNode.
func (t *trie) child(node int32, b byte) int32 {
	first, end := t.first[node], t.first[node+1]
	if end-first > 8 {
		if i := bytes.IndexByte(t.labels[first:end], b); i >= 0 {
			return first + int32(i)
		}
		return noNode
	}
	for ; first < end; first++ {
		if t.labels[first] == b {
			return first
		}
	}
	return noNode
}

// longest is the longest key that text begins with, and its length; -1, 0 if
// there is none.
func (t *trie) longest(text string) (id int32, n int) {
	id = -1
	if text == "" {
		return id, n
	}
	for i, node := 1, t.root[text[0]]; node >= 0; i++ {
		if t.ids[node] >= 0 {
			id, n = t.ids[node], i
		}
		if i == len(text) {
			break
		}
		node = t.child(node, text[i])
	}
	return id, n
}

// shared is how many bytes text has in common with the beginning of some key.
func (t *trie) shared(text string) int {
	if text == "" {
		return 0
	}
	n := 0
	for node := t.root[text[0]]; node >= 0; node = t.child(node, text[n]) {
		if n++; n == len(text) {
			break
		}
	}
	return n
}
