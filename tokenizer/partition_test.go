package tokenizer

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// partitionSlowly searches for one token after the other.
func partitionSlowly(v *vocab, text string, special bool) []fragment {
	var order []int
	for id, a := range v.attrs {
		if a&attrSpecial != 0 && (special || a&attrHidden == 0) {
			order = append(order, id)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(v.texts[b]) - len(v.texts[a]) })
	parts := []fragment{{-1, text}}
	for _, id := range order {
		var next []fragment
		for _, part := range parts {
			if part.id >= 0 {
				next = append(next, part)
				continue
			}
			pieces := strings.Split(part.text, v.texts[id])
			for i, piece := range pieces {
				if i > 0 {
					next = append(next, fragment{id, ""})
					if v.attrs[id]&attrRStrip != 0 {
						piece = strings.TrimLeft(piece, asciiSpace)
					}
				}
				if i < len(pieces)-1 && v.attrs[id]&attrLStrip != 0 {
					piece = strings.TrimRight(piece, asciiSpace)
				}
				if piece != "" {
					next = append(next, fragment{-1, piece})
				}
			}
		}
		parts = next
	}
	return parts
}

// TestPartition compares with the slow form. Tokens overlap and contain each
// other; none begins or ends with white space, where stripping would part them.
func TestPartition(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	word := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "<>a|"[rng.IntN(4)]
		}
		return string(b)
	}
	for range 2000 {
		v := &vocab{}
		for range 1 + rng.IntN(12) {
			v.texts = append(v.texts, word(1+rng.IntN(5)))
			v.attrs = append(v.attrs, []attr{attrNormal, attrControl, attrUserDefined, attrUnknown, attrControl | attrRStrip, attrUserDefined | attrLStrip}[rng.IntN(6)])
		}
		p := newPartitioner(v)
		text := word(1+rng.IntN(8)) + " \n" + word(rng.IntN(20)) + "  " + word(rng.IntN(5))
		for _, special := range []bool{false, true} {
			got, want := p.split(text, special), partitionSlowly(v, text, special)
			if !slices.Equal(got, want) {
				t.Fatalf("%q in %q: %v\n got %v\nwant %v", v.texts, text, special, got, want)
			}
		}
	}
}
