package grammar

import (
	"os"
	"testing"
)

// words is a vocabulary of n texts that look like a model's: words of any length with and without a space before,
// digits, marks, bytes.
func words(n int) tokens {
	r := random(5)
	v := tokens{"$"}
	for b := range 256 {
		v = append(v, string([]byte{byte(b)}))
	}
	marks := []string{"\"", "\",", "\":", "{\"", "\"}", "[", "],", "\n", "\n\n", ",", ", \"", "):", "=="}
	for len(v) < n {
		switch r.n(12) {
		case 0:
			v = append(v, marks[r.n(len(marks))]+marks[r.n(len(marks))])
		case 1:
			v = append(v, string([]rune{rune(0x4e00 + r.n(9000)), rune(0x4e00 + r.n(9000))}))
		default:
			word := ""
			if r.n(2) == 0 {
				word = " "
			}
			for range 1 + r.n(9) {
				word += string(rune('a' + r.n(r.n(25)+1)))
			}
			v = append(v, word)
		}
	}
	return v
}

// The costs of one token: the mask of all, at a place where little is allowed and in a string, where nearly all is,
// with nothing remembered and again; and the trial of one.
func BenchmarkMatcher(b *testing.B) {
	text, err := os.ReadFile("testdata/json.gbnf")
	if err != nil {
		b.Fatal(err)
	}
	v := NewVocabulary(words(150000))
	g := parse(b, string(text))
	at := func(prefix string) *Matcher {
		m, err := g.Matcher(v)
		if err != nil {
			b.Fatal(err)
		}
		for i := range len(prefix) {
			m.Accept(1 + int(prefix[i]))
		}
		return m
	}
	for name, prefix := range map[string]string{"narrow": "{", "string": `{"a": ["b`} {
		b.Run("mask/"+name, func(b *testing.B) {
			for b.Loop() {
				at(prefix).Mask()
			}
		})
		b.Run("again/"+name, func(b *testing.B) {
			m := at(prefix)
			for b.Loop() {
				m.known = nil
				m.Mask()
			}
		})
		b.Run("one/"+name, func(b *testing.B) {
			m := at(prefix)
			for b.Loop() {
				m.Allows(1 + '"')
			}
		})
	}
	b.Run("vocabulary", func(b *testing.B) {
		for b.Loop() {
			NewVocabulary(v.tokens)
		}
	})
}
