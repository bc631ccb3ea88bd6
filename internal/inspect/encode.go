package inspect

import (
	"encoding/hex"
	"math"
	"strconv"
	"unicode/utf8"

	"straw/gguf"
)

// exact is the largest number up to which a JSON reader with float64 numbers has every integer.
const exact = 1 << 53

// appendCount writes a dimension, offset or size: above 2^53 as a decimal string.
func appendCount(b []byte, n uint64) []byte {
	if n <= exact {
		return strconv.AppendUint(b, n, 10)
	}
	b = append(b, '"')
	b = strconv.AppendUint(b, n, 10)
	return append(b, '"')
}

// appendInt and appendUint write an integer of a type: those of 64 bits are decimal strings, whatever their value.
func appendInt(b []byte, n int64, t gguf.ValueType) []byte {
	if t.Size() < 8 {
		return strconv.AppendInt(b, n, 10)
	}
	b = append(b, '"')
	b = strconv.AppendInt(b, n, 10)
	return append(b, '"')
}

func appendUint(b []byte, n uint64, t gguf.ValueType) []byte {
	if t.Size() < 8 {
		return strconv.AppendUint(b, n, 10)
	}
	b = append(b, '"')
	b = strconv.AppendUint(b, n, 10)
	return append(b, '"')
}

// appendFloat writes the shortest decimal that gives x back in its type; JSON has no NaN and no infinities.
func appendFloat(b []byte, x float64, t gguf.ValueType) []byte {
	switch {
	case math.IsNaN(x):
		return append(b, `"NaN"`...)
	case math.IsInf(x, 1):
		return append(b, `"Infinity"`...)
	case math.IsInf(x, -1):
		return append(b, `"-Infinity"`...)
	case t == gguf.Float32:
		return strconv.AppendFloat(b, x, 'g', -1, 32)
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}

// appendText writes bytes of a file: a string, or {"hex": ...} if they are not UTF-8.
func appendText(b []byte, s string) []byte {
	if utf8.ValidString(s) {
		return appendString(b, s)
	}
	b = append(b, `{"hex":"`...)
	b = hex.AppendEncode(b, []byte(s))
	return append(b, `"}`...)
}

// appendString writes a JSON string. Whatever does not print, escapes and bidirectional marks among it, is written as
// \u, so that the document can go to a terminal.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		r, n := rune(c), 1
		if c >= utf8.RuneSelf {
			if r, n = utf8.DecodeRuneInString(s[i:]); strconv.IsPrint(r) && (r != utf8.RuneError || n > 1) {
				i += n
				continue
			}
		}
		b = append(b, s[from:i]...)
		b = appendEscape(b, r)
		i += n
		from = i
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}

func appendEscape(b []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(b, '\\', byte(r))
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	const digits = "0123456789abcdef"
	unit := func(u rune) {
		b = append(b, '\\', 'u', digits[u>>12&15], digits[u>>8&15], digits[u>>4&15], digits[u&15])
	}
	if r < 0x10000 {
		unit(r)
		return b
	}
	r -= 0x10000 // a surrogate pair
	unit(0xd800 + r>>10)
	unit(0xdc00 + r&0x3ff)
	return b
}
