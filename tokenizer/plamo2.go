package tokenizer

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// plamo2 cuts text into the tokens whose scores add up to the most, from its
// end to its beginning (PLaMo 2). A character that is no token becomes byte
// tokens, at a price.
//
// It is an Aho-Corasick automaton over the tokens written backwards: a node is
// the end of some token, and the text from any place on begins with the strings
// of the current node and of those its shorter links lead to, the longest first.
type plamo2 struct {
	v     *vocab
	nodes []plamoNode      // the first is the empty string
	next  map[uint64]int32 // by plamoEdge
	bytes [256]int32
}

type plamoNode struct {
	score   int32 // scores times 10^4, plamoNone: no token
	id      int32
	length  int32 // characters
	shorter int32 // the longest node that this one begins with, but itself
}

// plamoEdge leads from a node to the one with a character before it.
func plamoEdge(node int32, char rune) uint64 { return uint64(node)<<32 | uint64(char) }

const (
	plamoNone = math.MinInt32
	// plamoByte is the price of a character as bytes. A token of that very score
	// hides the shorter ones at its place, as in llama.cpp: its table of strings
	// has this score where a list ends.
	plamoByte = -10_000_000
	// plamoLeast is the score from which down a token is not used.
	plamoLeast = -20_000_000
	// plamoMaxText keeps a file from taking all memory: a node is some 60 bytes.
	plamoMaxText = 1 << 22
)

func loadPLaMo2(m Metadata) (*Tokenizer, error) {
	v, err := loadVocab(m, rules{bos: 1, eos: 2, unk: 0, sep: -1})
	if err != nil {
		return nil, err
	}
	v.addBOS, v.addEOS = false, false // whatever the file says
	t := &plamo2{v: v, nodes: []plamoNode{{score: plamoByte, id: -1, length: 1}}, next: map[uint64]int32{}}
	size := 0
	for id, text := range v.texts {
		if size += len(text); size > plamoMaxText {
			return nil, &Error{prefix + "tokens", fmt.Errorf("the first %d have more than %d bytes, which this model is not made for", id+1, plamoMaxText)}
		}
		if v.attrs[id]&attrByte == 0 {
			t.add(id, sanitize(text))
		} else if b, ok := byteOf(text); ok {
			t.bytes[b] = int32(id)
		}
	}
	for b, id := range t.bytes {
		if id == 0 {
			return nil, &Error{prefix + "tokens", fmt.Errorf("byte token %s is missing", byteText(byte(b)))}
		}
	}
	t.link()
	return &Tokenizer{v, t}, nil
}

// add makes nodes of a token and all that it ends with.
func (t *plamo2) add(id int, text string) {
	node := int32(0)
	for end := len(text); end > 0; {
		r, n := lastRune(text[:end])
		end -= n
		edge := plamoEdge(node, r)
		next, ok := t.next[edge]
		if !ok {
			next = int32(len(t.nodes))
			length := t.nodes[node].length + 1
			if node == 0 {
				length = 1
			}
			t.next[edge] = next
			t.nodes = append(t.nodes, plamoNode{score: plamoNone, id: -1, length: length})
		}
		node = next
	}
	t.nodes[node].id, t.nodes[node].score = int32(id), plamoScore(t.v.scores, id)
}

// plamoScore is a score as llama.cpp rounds it; one that no int32 holds is none.
func plamoScore(scores []float32, id int) int32 {
	if scores == nil {
		return 0
	}
	s := math.Round(float64(scores[id]) * 1e4)
	if !(s > math.MinInt32 && s <= math.MaxInt32) {
		return plamoNone
	}
	return int32(s)
}

// link sets the shorter links, of short strings before long ones.
func (t *plamo2) link() {
	var order [][]uint64
	for edge, node := range t.next {
		n := int(t.nodes[node].length)
		for len(order) <= n {
			order = append(order, nil)
		}
		order[n] = append(order[n], edge)
	}
	for _, edges := range order {
		for _, edge := range edges {
			shorter := int32(0)
			for at := int32(edge >> 32); at != 0 && shorter == 0; {
				at = t.nodes[at].shorter
				shorter = t.next[plamoEdge(at, rune(edge))]
			}
			t.nodes[t.next[edge]].shorter = shorter
		}
	}
}

// lastRune decodes the last character of s, which sanitize has seen.
func lastRune(s string) (r rune, n int) {
	n = 1
	for n < 4 && !utf8.RuneStart(s[len(s)-n]) {
		n++
	}
	r, _ = runeAt(s, len(s)-n)
	return r, n
}

// step is the longest node that c and the string of node begin with.
func (t *plamo2) step(node int32, c rune) int32 {
	for {
		if next, ok := t.next[plamoEdge(node, c)]; ok {
			return next
		}
		if t.nodes[node].score == plamoByte {
			return 0
		}
		node = t.nodes[node].shorter
	}
}

// plamoCell is the best way from a character to the end of the text.
type plamoCell struct {
	price int64
	id    int32 // -1: byte tokens
	chars int32
}

func (t *plamo2) encode(e *encoder, text string, _ bool) {
	text = strings.TrimPrefix(sanitizeBy(text, decodeAny), "\uFEFF")
	chars := 0
	for _, b := range []byte(text) {
		if utf8.RuneStart(b) {
			chars++
		}
	}
	cells := make([]plamoCell, chars+1)
	node, at := int32(0), len(cells)-1
	for end := len(text); end > 0; {
		c, n := lastRune(text[:end])
		end, at = end-n, at-1
		node = t.step(node, c)
		best := plamoCell{price: 1 << 60}
		for way := node; ; way = t.nodes[way].shorter {
			w := &t.nodes[way]
			if w.score > plamoLeast {
				if p := cells[at+int(w.length)].price - int64(w.score); p < best.price {
					best = plamoCell{p, w.id, w.length}
				}
			}
			if w.score == plamoByte {
				break
			}
		}
		cells[at] = best
	}
	for at := 0; text != ""; {
		c := cells[at]
		at += int(c.chars)
		part, first := text, len(e.ids)
		for i := range c.chars {
			_, n := runeAt(text, 0)
			if c.id < 0 && i == 0 {
				for _, b := range []byte(text[:n]) {
					e.ids = append(e.ids, int(t.bytes[b]))
				}
			}
			text = text[n:]
		}
		if c.id >= 0 {
			e.ids = append(e.ids, int(c.id))
		}
		e.note(part[:len(part)-len(text)], first)
	}
}

func (t *plamo2) trace(w *Word) {
	w.How = Best
	for _, id := range w.IDs {
		p := Part{Text: t.piece(id), ID: id}
		if t.v.scores != nil {
			p.Score = float64(t.v.scores[id])
		}
		w.Parts = append(w.Parts, p)
	}
}

// piece is a token's text as it is, with spaces.
func (t *plamo2) piece(id int) string {
	text := t.v.texts[id]
	if b, ok := byteOf(text); ok && t.v.attrs[id]&attrByte != 0 {
		return string([]byte{b})
	}
	return text
}
