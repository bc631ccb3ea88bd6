package tokenizer

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// fragment is a part of the input: a special token, or text between them.
type fragment struct {
	id   int // -1: text
	text string
}

// partitioner finds special tokens in text: the longest first wherever they
// are, of one the leftmost, then the next longest in what is left.
type partitioner struct {
	v      *vocab
	sorted []int      // special tokens by text, for walking
	begins [257]int32 // begins[b]: the first of sorted whose text begins with b or above
}

func newPartitioner(v *vocab) *partitioner {
	p := &partitioner{v: v}
	for id, a := range v.attrs {
		if a&attrSpecial != 0 {
			p.sorted = append(p.sorted, id)
		}
	}
	slices.SortFunc(p.sorted, func(a, b int) int {
		return cmp.Or(strings.Compare(v.texts[a], v.texts[b]), a-b)
	})
	for b := range p.begins {
		p.begins[b] = int32(sort.Search(len(p.sorted), func(i int) bool {
			return int(v.texts[p.sorted[i]][0]) >= b
		}))
	}
	return p
}

// split cuts text at its special tokens; control and unknown ones only if
// special is set, user-defined ones always.
func (p *partitioner) split(text string, special bool) []fragment {
	parts := []fragment{{-1, text}}
	if text == "" {
		return nil
	}
	present := p.present(text, special)
	var next []fragment
	for _, id := range present {
		next = next[:0]
		for _, part := range parts {
			if part.id >= 0 {
				next = append(next, part)
			} else {
				next = p.cut(next, part.text, id)
			}
		}
		parts, next = next, parts
	}
	return parts
}

// present lists the special tokens that occur in text, the longest first. This
// one walk spares a search for each of what may be thousands of tokens.
func (p *partitioner) present(text string, special bool) []int {
	var found []int
	seen := make([]bool, len(p.sorted))
	for i := range len(text) {
		lo, hi := int(p.begins[text[i]]), int(p.begins[int(text[i])+1])
		for depth := 1; lo < hi; depth++ {
			// sorted[lo:hi] are those that begin with text[i:i+depth].
			for lo < hi && len(p.v.texts[p.sorted[lo]]) == depth {
				if !seen[lo] {
					seen[lo] = true
					if id := p.sorted[lo]; special || p.v.attrs[id]&attrHidden == 0 {
						found = append(found, id)
					}
				}
				lo++
			}
			if i+depth >= len(text) {
				break
			}
			c, rest := text[i+depth], p.sorted[lo:hi]
			lo, hi = lo+sort.Search(len(rest), func(j int) bool { return p.v.texts[rest[j]][depth] >= c }),
				lo+sort.Search(len(rest), func(j int) bool { return p.v.texts[rest[j]][depth] > c })
		}
	}
	slices.SortFunc(found, func(a, b int) int {
		return cmp.Or(len(p.v.texts[b])-len(p.v.texts[a]), a-b)
	})
	return found
}

// cut appends text cut at every occurrence of one token.
func (p *partitioner) cut(dst []fragment, text string, id int) []fragment {
	token, a := p.v.texts[id], p.v.attrs[id]
	for text != "" {
		at := strings.Index(text, token)
		if at < 0 {
			return append(dst, fragment{-1, text})
		}
		left := text[:at]
		text = text[at+len(token):]
		if a&attrLStrip != 0 {
			left = strings.TrimRight(left, asciiSpace)
		}
		if a&attrRStrip != 0 {
			text = strings.TrimLeft(text, asciiSpace)
		}
		if left != "" {
			dst = append(dst, fragment{-1, left})
		}
		dst = append(dst, fragment{id, ""})
	}
	return dst
}

// asciiSpace is what isspace accepts in the C locale.
const asciiSpace = " \t\n\v\f\r"
