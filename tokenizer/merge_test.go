package tokenizer

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// table merges by the text of the result, with ties.
type table map[string]uint32

func (p table) pair(word string, left, right *symbol) (uint32, int32) {
	if rank, ok := p[word[left.start:right.end]]; ok {
		return rank, int32(rank)
	}
	return noMerge, -1
}

func bytesOf(word string) []symbol {
	var s []symbol
	for i := range len(word) {
		s = append(s, symbol{start: int32(i), end: int32(i + 1)})
	}
	return s
}

// textbook merges the leftmost pair of the lowest rank until there is none.
func textbook(word string, p pairer) (parts []string) {
	s := bytesOf(word)
	for {
		best, at := uint32(noMerge), -1
		for i := range len(s) - 1 {
			if rank, _ := p.pair(word, &s[i], &s[i+1]); rank < best {
				best, at = rank, i
			}
		}
		if at < 0 {
			break
		}
		s[at].end = s[at+1].end
		s = slices.Delete(s, at+1, at+2)
	}
	for _, x := range s {
		parts = append(parts, word[x.start:x.end])
	}
	return parts
}

func randomWord(rng *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "aaab c"[rng.IntN(6)]
	}
	return string(b)
}

// TestMerge compares the scan and the heap with the textbook.
func TestMerge(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		p := table{}
		for range rng.IntN(30) {
			p[randomWord(rng, 2+rng.IntN(5))] = uint32(rng.IntN(20))
		}
		word := randomWord(rng, 1+rng.IntN(40))
		want := textbook(word, p)
		for name, merge := range map[string]func(m *merger){
			"short": func(m *merger) { m.mergeShort(word, p) },
			"long":  func(m *merger) { m.mergeLong(word, p) },
		} {
			m := &merger{symbols: bytesOf(word)}
			merge(m)
			var got []string
			for _, s := range m.symbols {
				got = append(got, word[s.start:s.end])
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s %q %v: %q, want %q", name, word, p, got, want)
			}
		}
	}
}

// everywhere is an SPM tokenizer that does not cut its text.
func everywhere(t *spm) *spm {
	whole := *t
	whole.within.bits = make([]uint64, len(t.within.bits))
	for i := range whole.within.bits {
		whole.within.bits[i] = ^uint64(0)
	}
	return &whole
}

// TestCut checks that SPM text may be cut where no token has two neighbours.
func TestCut(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		v := &vocab{texts: []string{"?"}}
		for range 40 {
			v.texts = append(v.texts, strings.ReplaceAll(randomWord(rng, 1+rng.IntN(5))+[]string{"", "", "é", "\x80", "中\xE4"}[rng.IntN(5)], " ", blank))
		}
		v.attrs = make([]attr, len(v.texts))
		for range v.texts {
			v.scores = append(v.scores, -float32(rng.IntN(10)))
		}
		cut := newSPM(v)
		whole := everywhere(cut)
		for range 20 {
			text := randomWord(rng, rng.IntN(60)) + []string{"", "é\x80a", "\xE4中"}[rng.IntN(3)] + randomWord(rng, rng.IntN(60))
			a, b := newEncoder(0), newEncoder(0)
			cut.encode(a, text, true)
			whole.encode(b, text, true)
			if !slices.Equal(a.ids, b.ids) {
				t.Fatalf("%q in %q:\n got %v\nwant %v", text, v.texts, a.ids, b.ids)
			}
		}
	}
}

// TestRecent checks that the cache of words changes nothing.
func TestRecent(t *testing.T) {
	v := &vocab{texts: []string{"?", "a", "b", "aa", "ab", "aab", blank, blank + "a", blank + blank}}
	v.attrs = make([]attr, len(v.texts))
	tok := newSPM(v)
	rng := rand.New(rand.NewPCG(9, 10))
	text := randomWord(rng, 10*recentText)
	with, without := newEncoder(len(text)), newEncoder(0)
	tok.encode(with, text, true)
	tok.encode(without, text, true)
	if with.recent == nil || without.recent != nil || !slices.Equal(with.ids, without.ids) {
		t.Error("ids differ")
	}
}

// TestRank checks that ranks are scores upside down.
func TestRank(t *testing.T) {
	scores := []float32{1e30, 2, 1, 0.5, 0, -0.5, -1, -2, -1e30}
	for i := 1; i < len(scores); i++ {
		if rankOf(scores[i-1]) >= rankOf(scores[i]) {
			t.Errorf("%g and %g", scores[i-1], scores[i])
		}
	}
	if zero := float32(0); rankOf(zero) != rankOf(-zero) || rankOf(-1e38) == noMerge {
		t.Error("zeros differ")
	}
}
