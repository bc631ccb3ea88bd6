package look

import (
	"slices"
	"testing"
)

func TestSpans(t *testing.T) {
	for _, c := range []struct {
		name, text string
		pieces     []string
		want       [][2]int
	}{
		{"nothing", "", nil, nil},
		{"only bos", "", []string{"<s>"}, [][2]int{{0, 0}}},
		{"plain", "one two", []string{"one", " two"}, [][2]int{{0, 3}, {3, 7}}},
		{"bos and eos are no text", "one", []string{"<s>", "one", "</s>"}, [][2]int{{0, 0}, {0, 3}, {3, 3}}},
		{"special token in the text", "<s>one", []string{"<s>", "one"}, [][2]int{{0, 3}, {3, 6}}},
		{"space put in front", "one two", []string{"<s>", " one", " two"}, [][2]int{{0, 0}, {0, 3}, {3, 7}}},
		{"space put in front, as its own token", "xyz", []string{"<s>", " ", "xyz"}, [][2]int{{0, 0}, {0, 0}, {0, 3}}},
		{"surrogate pairs count two", "a😀b", []string{"a", "😀", "b"}, [][2]int{{0, 1}, {1, 3}, {3, 4}}},
		{"character cut over tokens", "é😀", []string{"\xc3", "\xa9", "\xf0\x9f", "\x98", "\x80"},
			[][2]int{{0, 0}, {0, 1}, {1, 1}, {1, 1}, {1, 3}}},
		{"unknown character", "a☃b", []string{"a", "<unk>", "b"}, [][2]int{{0, 1}, {1, 2}, {2, 3}}},
		{"lower-cased start", "Hello you", []string{"hello", " you"}, [][2]int{{0, 5}, {5, 9}}},
		{"changed to the end", "one ﬁ", []string{"one", " fi"}, [][2]int{{0, 5}, {5, 5}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			pieces := make([][]byte, len(c.pieces))
			for i, p := range c.pieces {
				pieces[i] = []byte(p)
			}
			if got := spans(c.text, pieces); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func FuzzSpans(f *testing.F) {
	f.Add("one two", " one", "two")
	f.Add("\xff😀", "\xf0\x9f", "\x98\x80")
	f.Fuzz(func(t *testing.T, text, a, b string) {
		got := spans(text, [][]byte{[]byte(a), []byte(b), []byte(a)})
		at := 0
		for _, s := range got {
			if s[0] != at || s[1] < s[0] {
				t.Fatalf("spans %v do not tile", got)
			}
			at = s[1]
		}
		if n := len([]rune(text)); at < n {
			t.Fatalf("spans %v end before the text of %d characters", got, n)
		}
	})
}
