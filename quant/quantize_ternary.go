package quant

import (
	"math"
	"slices"
)

// TQ1_0 and TQ2_0: 256 elements that are -d, 0 or d.

// fitTernary is the best d for x, exactly: if the n largest magnitudes become d, the best d is their mean, which accounts
// for n*mean² of Σ x², and the best n is one of 256. Weights trained as ternary come back unchanged.
func fitTernary(x []float32) float32 {
	var magnitudes [256]uint32
	for i, v := range x {
		magnitudes[i] = magnitude(v)
	}
	slices.Sort(magnitudes[:])
	var sum, best, d float32
	for n := 1; n <= 256; n++ {
		sum += math.Float32frombits(magnitudes[256-n])
		mean := sum / float32(n)
		if gain := float32(mean * sum); gain > best {
			best, d = gain, mean
		}
	}
	return d
}

func quantizeTQ1_0(dst []byte, src []float32) {
	var q [256]uint8
	for ; len(src) > 0; dst, src = dst[54:], src[256:] {
		ternaryLevels(&q, src[:256], putHalf(dst, 52, fitTernary(src[:256])))
		packTernary(dst[:32], q[:160])
		packTernary(dst[32:48], q[160:240])
		packTernary(dst[48:52], q[240:])
	}
}

func quantizeTQ2_0(dst []byte, src []float32) {
	var q [256]uint8
	for ; len(src) > 0; dst, src = dst[66:], src[256:] {
		ternaryLevels(&q, src[:256], putHalf(dst, 64, fitTernary(src[:256])))
		pack2(dst[:64], &q)
	}
}

// ternaryLevels are the elements as 0, 1, 2.
func ternaryLevels(q *[256]uint8, x []float32, d float32) {
	inv := inverse(d)
	for i, v := range x {
		q[i] = uint8(level(float32(v*inv), -1, 1) + 1)
	}
}

// packTernary is the inverse of ternary: the elements of a byte as a number of five digits in base 3, missing ones 0,
// times 256/243, rounded up.
func packTernary(dst []byte, q []uint8) {
	for m := range dst {
		n := 0
		for digit := range 5 {
			n *= 3
			if i := m + digit*len(dst); i < len(q) {
				n += int(q[i])
			}
		}
		dst[m] = byte((n*256 + 242) / 243)
	}
}
