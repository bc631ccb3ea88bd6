package tokenizer

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// charsmap is the normalization of a SentencePiece model: strings and what
// replaces each, of several at a place the longest.
//
// The strings are in a double array, one 32-bit unit a node (the darts-clone
// library's form). A node's number XOR its base is its block; block XOR c is the
// number of its child by byte c, if that one's label is c. A unit has the label in
// bits 0-7, bit 8 if a string ends there, the base in bits 10-30 (times 256 if
// bit 9 is set). Where a string ends, the unit at the block itself is a value,
// told by bit 31: where in texts the replacement begins.
type charsmap struct {
	units []uint32
	texts string // replacements, each to a zero byte
}

const (
	unitLabel = 1<<31 | 0xFF
	unitEnds  = 1 << 8
	unitValue = 1<<31 - 1
)

// unitBlock is the block of the node at i.
func (c *charsmap) unitBlock(i uint32) uint32 {
	u := c.units[i]
	return i ^ u>>10<<(u&(1<<9)>>6)
}

// loadCharsmap reads precompiled_charsmap: the length of the double array in
// bytes, the array, the replacements. Absent, it is nil. A child outside the
// array counts as none.
func loadCharsmap(m Metadata) (*charsmap, error) {
	const key = prefix + "precompiled_charsmap"
	ints, err := getInts(m, key)
	if err != nil || ints == nil {
		return nil, err
	}
	blob := make([]byte, len(ints))
	for i, x := range ints {
		if x < -128 || x > 255 {
			return nil, &Error{key, fmt.Errorf("element %d is %d, not a byte", i, x)}
		}
		blob[i] = byte(x)
	}
	if len(blob) < 4 {
		return nil, &Error{key, fmt.Errorf("%d bytes, want at least 4 for the length of its array", len(blob))}
	}
	size, blob := binary.LittleEndian.Uint32(blob), blob[4:]
	if uint64(size) >= uint64(len(blob)) {
		return nil, &Error{key, fmt.Errorf("its array has %d bytes, but there are %d after the length", size, len(blob))}
	}
	c := &charsmap{units: make([]uint32, size/4), texts: string(blob[size:])}
	for i := range c.units {
		c.units[i] = binary.LittleEndian.Uint32(blob[4*i:])
	}
	if err := c.check(); err != nil {
		return nil, &Error{key, err}
	}
	return c, nil
}

// check walks the whole array: no way in it is endless, and every string that
// ends has a replacement that ends.
func (c *charsmap) check() error {
	if len(c.units) == 0 {
		return nil
	}
	ended := strings.LastIndexByte(c.texts, 0) // replacements that begin after it do not end
	const onTheWay, done = 1, 2
	state := make([]uint8, len(c.units)|0xFF+1) // of each block
	type place struct {
		block uint32
		next  uint32 // byte to try
	}
	way := []place{{c.unitBlock(0), 1}}
	for len(way) > 0 {
		p := &way[len(way)-1]
		if int64(p.block) >= int64(len(state)) { // it has no children
			way = way[:len(way)-1]
			continue
		}
		if state[p.block] = onTheWay; p.next == 256 {
			state[p.block] = done
			way = way[:len(way)-1]
			continue
		}
		node, b := p.block^p.next, p.next
		p.next++
		if int64(node) >= int64(len(c.units)) || c.units[node]&unitLabel != b {
			continue
		}
		below := c.unitBlock(node)
		if c.units[node]&unitEnds != 0 {
			if int64(below) >= int64(len(c.units)) {
				return fmt.Errorf("unit %d has its value at %d of %d units", node, below, len(c.units))
			}
			if value := c.units[below] & unitValue; int64(value) > int64(ended) {
				return fmt.Errorf("unit %d has a replacement at %d, which has no end in the %d bytes of them", node, value, len(c.texts))
			}
		}
		switch {
		case int64(below) >= int64(len(state)) || state[below] == done:
		case state[below] == onTheWay:
			return fmt.Errorf("unit %d leads back to one before it", node)
		default:
			way = append(way, place{below, 1})
		}
	}
	return nil
}

// replace gives the replacement for the longest string that text begins with,
// and that string's length; 0 if there is none.
func (c *charsmap) replace(text string) (replacement string, n int) {
	if c == nil || len(c.units) == 0 {
		return "", 0
	}
	var value uint32
	block := c.unitBlock(0)
	for i := 0; i < len(text) && text[i] != 0; i++ {
		node := block ^ uint32(text[i])
		if int64(node) >= int64(len(c.units)) || c.units[node]&unitLabel != uint32(text[i]) {
			break
		}
		block = c.unitBlock(node)
		if c.units[node]&unitEnds != 0 {
			value, n = c.units[block]&unitValue, i+1
		}
	}
	if n == 0 {
		return "", 0
	}
	replacement = c.texts[value:]
	return replacement[:strings.IndexByte(replacement, 0)], n
}
