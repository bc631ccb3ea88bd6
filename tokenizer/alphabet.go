package tokenizer

import "fmt"

// Byte-level BPE writes each byte as a printable character: '!' to '~', '¡' to
// '¬' and '®' to 'ÿ' are themselves, the 68 others are U+0100 and on in order
// (from GPT-2's encoder.py, bytes_to_unicode).

// alphabetSize is one more than the last character of the alphabet, U+0143.
const alphabetSize = 0x144

// alphabet has the byte of each character, -1 for characters that are not in it.
var alphabet = func() (a [alphabetSize]int16) {
	for i := range a {
		a[i] = -1
	}
	next := 0x100
	for b := range 256 {
		if printsAsItself(b) {
			a[b] = int16(b)
		} else {
			a[next] = int16(b)
			next++
		}
	}
	return a
}()

func printsAsItself(b int) bool {
	return b >= '!' && b <= '~' || b >= 0xA1 && b <= 0xAC || b >= 0xAE
}

// appendBytes appends the bytes that text stands for in the alphabet. It stops
// with ok false at the first character that is not in it.
func appendBytes(dst []byte, text string) (_ []byte, ok bool) {
	for i := 0; i < len(text); {
		c := text[i]
		if c >= '!' && c <= '~' {
			dst = append(dst, c)
			i++
			continue
		}
		r, n, ok := decodeLax(text[i:])
		if !ok || r >= alphabetSize || alphabet[r] < 0 {
			return dst, false
		}
		dst = append(dst, byte(alphabet[r]))
		i += n
	}
	return dst, true
}

// spell appends the bytes of text as appendBytes does; a character outside the
// alphabet is spelt as llama.cpp spells it.
func spell(dst []byte, text string) []byte {
	for i := 0; i < len(text); {
		r, n, ok := decodeLax(text[i:])
		char := text[i : i+n]
		if !ok {
			r, char = '\uFFFD', "\uFFFD"
		}
		if r < alphabetSize && alphabet[r] >= 0 {
			dst = append(dst, byte(alphabet[r]))
		} else {
			dst = fmt.Appendf(dst, "[UNK_BYTE_0x%x%s]", char, text)
		}
		i += n
	}
	return dst
}
