package tokenizer

import (
	"encoding/binary"
	"sync"
)

//go:generate go run fold_gen.go

// bases has, in pages of 256, the first character of each one's canonical
// decomposition (NFD), 0 where that is itself; nil pages have none. Filled by
// loadBases.
var bases [0x300][]rune

var loadBases = sync.OnceFunc(func() {
	r, base := rune(0), rune(0)
	for b := []byte(foldTable); len(b) > 0; {
		up, n := binary.Uvarint(b)
		by, m := binary.Varint(b[n:])
		b = b[n+m:]
		r, base = r+rune(up), base+rune(by)
		page := &bases[r>>8]
		if *page == nil {
			*page = make([]rune, 256)
		}
		(*page)[r&0xFF] = base
	}
})

// baseOf is the first character of the canonical decomposition of r: a letter
// without its accents.
func baseOf(r rune) rune {
	const (
		hangul, hangulEnd = 0xAC00, 0xD7A4
		leading           = 0x1100 // the first consonants
		each              = 588    // syllables that begin with the same
	)
	switch {
	case r < 0xC0:
		return r
	case r >= hangul && r < hangulEnd:
		return leading + (r-hangul)/each
	case int(r>>8) >= len(bases):
		return r
	}
	if page := bases[r>>8]; page != nil && page[r&0xFF] != 0 {
		return page[r&0xFF]
	}
	return r
}
