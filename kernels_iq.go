package kernels

import "encoding/binary"

// The IQ types of 256 elements that take their magnitudes from grids. A scale of 2s+1 is an integer once d has the
// powers of two that the format divides by: 0.125 for (0.5+s)*0.25, 0.25 for (0.5+s)*0.5. Elements of IQ1_S and IQ1_M,
// q ± 0.125, are integers times 0.125.

func genericMulIQ1_S(dst []float32, stride int, w []byte, x *Q8K) {
	mulBlocks256(dst, stride, w, x, 50, unpackIQ1_S)
}

func genericMulIQ1_M(dst []float32, stride int, w []byte, x *Q8K) {
	mulBlocks256(dst, stride, w, x, 56, unpackIQ1_M)
}

func genericMulIQ2_XXS(dst []float32, stride int, w []byte, x *Q8K) {
	mulBlocks256(dst, stride, w, x, 66, unpackIQ2_XXS)
}

func genericMulIQ2_XS(dst []float32, stride int, w []byte, x *Q8K) {
	mulBlocks256(dst, stride, w, x, 74, unpackIQ2_XS)
}

func genericMulIQ2_S(dst []float32, stride int, w []byte, x *Q8K) {
	mulBlocks256(dst, stride, w, x, 82, unpackIQ2_S)
}

func genericMulIQ3_XXS(dst []float32, stride int, w []byte, x *Q8K) {
	mulBlocks256(dst, stride, w, x, 98, unpackIQ3_XXS)
}

func genericMulIQ3_S(dst []float32, stride int, w []byte, x *Q8K) {
	mulBlocks256(dst, stride, w, x, 110, unpackIQ3_S)
}

func unpackIQ1_S(b *block256, w []byte) {
	b.d = half(w) * 0.125
	for g := range 8 {
		word := binary.LittleEndian.Uint16(w[34+2*g:])
		scale := int16(2*(word>>12&7) + 1)
		b.scale[2*g], b.scale[2*g+1] = scale, scale
		for l := range 4 {
			index := int(w[2+4*g+l]) | int(word>>(3*l)&7)<<8
			unpackGrid1(b.q[32*g+8*l:], GridIQ1_S[index], word>>15 == 1)
		}
	}
}

func unpackIQ1_M(b *block256, w []byte) {
	var bits uint16
	for n := range 4 {
		word := binary.LittleEndian.Uint16(w[48+2*n:])
		bits |= word >> 12 << (4 * n)
		for j := range 4 {
			b.scale[4*n+j] = int16(2*(word>>(3*j)&7) + 1)
		}
	}
	b.d = F16(bits) * 0.125
	for l := range 32 {
		high := w[32+l/2] >> (l % 2 * 4)
		unpackGrid1(b.q[8*l:], GridIQ1_S[int(w[l])|int(high&7)<<8], high>>3&1 == 1)
	}
}

// unpackGrid1 unpacks 8 elements of IQ1_S or IQ1_M: eight times the grid's number less one, and one more or, if negative
// is set, less.
func unpackGrid1(q []int8, grid uint16, negative bool) {
	delta := int8(1)
	if negative {
		delta = -1
	}
	for j := range 8 {
		q[j] = 8*int8(grid>>(2*j)&3) - 8 + delta
	}
}

func unpackIQ2_XXS(b *block256, w []byte) {
	b.d = half(w) * 0.125
	for g := range 8 {
		indices, word := w[2+8*g:6+8*g], binary.LittleEndian.Uint32(w[6+8*g:])
		scale := int16(2*(word>>28) + 1)
		b.scale[2*g], b.scale[2*g+1] = scale, scale
		for l, index := range indices {
			unpackGrid2(b.q[32*g+8*l:], GridIQ2_XXS[index], eighthSign(word>>(7*l)))
		}
	}
}

func unpackIQ2_XS(b *block256, w []byte) {
	b.d = half(w) * 0.125
	unpackScales4(b, w[66:74])
	for l := range 32 {
		word := binary.LittleEndian.Uint16(w[2+2*l:])
		unpackGrid2(b.q[8*l:], GridIQ2_XS[word&511], eighthSign(uint32(word>>9)))
	}
}

func unpackIQ2_S(b *block256, w []byte) {
	b.d = half(w) * 0.125
	unpackScales4(b, w[74:82])
	for l := range 32 {
		index := int(w[2+l]) | int(w[66+l/4]>>(l%4*2)&3)<<8
		unpackGrid2(b.q[8*l:], GridIQ2_S[index], w[34+l])
	}
}

// unpackScales4 unpacks 16 scales from halves of bytes, the low one first.
func unpackScales4(b *block256, s []byte) {
	for g, v := range s {
		b.scale[2*g], b.scale[2*g+1] = int16(2*(v&15)+1), int16(2*(v>>4)+1)
	}
}

// unpackGrid2 unpacks 8 elements of the IQ2 types; a set bit of signs makes one negative.
func unpackGrid2(q []int8, grid uint16, signs byte) {
	for j := range 8 {
		q[j] = negateIf(magnitudesIQ2[grid>>(2*j)&3], signs>>j)
	}
}

// negateIf is q, or -q where the lowest bit of sign is set.
func negateIf(q int8, sign byte) int8 {
	mask := -int8(sign & 1)
	return q ^ mask - mask
}

// eighthSign completes 7 signs (the low bits of w) by an eighth that makes the number of negative ones even
// (ggml-common.h, ksigns_iq2xs).
func eighthSign(w uint32) byte {
	s := byte(w & 127)
	parity := s ^ s>>4
	parity ^= parity >> 2
	parity ^= parity >> 1
	return s | parity<<7
}

func unpackIQ3_XXS(b *block256, w []byte) {
	b.d = half(w) * 0.25
	for g := range 8 {
		word := binary.LittleEndian.Uint32(w[66+4*g:])
		scale := int16(2*(word>>28) + 1)
		b.scale[2*g], b.scale[2*g+1] = scale, scale
		for l := range 4 {
			signs := eighthSign(word >> (7 * l))
			unpackGrid3(b.q[32*g+8*l:], &magnitudesIQ3_XXS, GridIQ3_XXS[w[2+8*g+2*l]], signs)
			unpackGrid3(b.q[32*g+8*l+4:], &magnitudesIQ3_XXS, GridIQ3_XXS[w[3+8*g+2*l]], signs>>4)
		}
	}
}

func unpackIQ3_S(b *block256, w []byte) {
	b.d = half(w)
	for g := range 8 {
		scale := int16(2*(w[106+g/2]>>(g%2*4)&15) + 1)
		b.scale[2*g], b.scale[2*g+1] = scale, scale
	}
	for n := range 64 {
		index := int(w[2+n]) | int(w[66+n/8]>>(n%8)&1)<<8
		unpackGrid3(b.q[4*n:], &magnitudesIQ3_S, GridIQ3_S[index], w[74+n/2]>>(n%2*4))
	}
}

// unpackGrid3 unpacks 4 elements of the IQ3 types; a set bit of signs makes one negative.
func unpackGrid3(q []int8, magnitudes *[8]int8, grid uint16, signs byte) {
	for j := range 4 {
		q[j] = negateIf(magnitudes[grid>>(3*j)&7], signs>>j)
	}
}
