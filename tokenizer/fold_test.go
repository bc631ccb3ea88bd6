package tokenizer

import (
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// TestBases compares with the whole of NFD.
func TestBases(t *testing.T) {
	loadBases()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unicode.Is(unicode.Cs, r) {
			continue
		}
		if want := []rune(norm.NFD.String(string(r)))[0]; baseOf(r) != want {
			t.Errorf("%U: %U, want %U", r, baseOf(r), want)
		}
	}
}
