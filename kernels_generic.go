package kernels

import "encoding/binary"

// block32 is one unpacked block of 32 elements: y = d*q + m.
type block32 struct {
	q    [32]int8
	d, m float32
}

func genericMulQ4_0(dst []float32, stride int, w []byte, x *Q8) {
	mulBlocks32(dst, stride, w, x, 18, unpackQ4_0)
}

func genericMulQ4_1(dst []float32, stride int, w []byte, x *Q8) {
	mulBlocks32(dst, stride, w, x, 20, unpackQ4_1)
}

func genericMulQ5_0(dst []float32, stride int, w []byte, x *Q8) {
	mulBlocks32(dst, stride, w, x, 22, unpackQ5_0)
}

func genericMulQ5_1(dst []float32, stride int, w []byte, x *Q8) {
	mulBlocks32(dst, stride, w, x, 24, unpackQ5_1)
}

func genericMulQ8_0(dst []float32, stride int, w []byte, x *Q8) {
	mulBlocks32(dst, stride, w, x, 34, unpackQ8_0)
}

func genericMulIQ4_NL(dst []float32, stride int, w []byte, x *Q8) {
	mulBlocks32(dst, stride, w, x, 18, unpackIQ4_NL)
}

// mulBlocks32 multiplies rows of blocks of 32 elements.
func mulBlocks32(dst []float32, stride int, w []byte, x *Q8, blockBytes int, unpack func(b *block32, w []byte)) {
	mulGroups32(dst, stride, w, x, 1, blockBytes, func(b []block32, w []byte) { unpack(&b[0], w) })
}

// mulGroups32 multiplies rows of blocks of several times 32 elements. It unpacks each block once and adds its terms, one
// for each 32 elements, to the output of every column. An output is its own accumulator: it takes the row's blocks in
// order. The part with m is left out where no block has one: it would add +0, which changes nothing (an accumulator that
// starts at +0 never is -0).
func mulGroups32(dst []float32, stride int, w []byte, x *Q8, groups, blockBytes int, unpack func(b []block32, w []byte)) {
	n, columns := x.K/32, x.Columns()
	if n == 0 {
		return
	}
	var four [4]block32
	b := four[:groups]
	xp, done := pairedColumns(x.Q, columns)
	defer done()
	rows := len(w) / (n / groups * blockBytes)
	for r := range rows {
		for c := range columns {
			dst[c*stride+r] = 0
		}
		for i := 0; i < n; i += groups {
			unpack(b, w[:blockBytes])
			w = w[blockBytes:]
			for g := range b {
				b[g].addTerms(dst[r:], stride, x, xp, i+g)
			}
		}
	}
}

// addTerms adds to the output of every column the block's product with block i of x; xp is x in pairs or nil.
func (b *block32) addTerms(dst []float32, stride int, x *Q8, xp []int64, i int) {
	var w [16]int64
	if xp != nil {
		pairWeights(w[:], b.q[:])
	}
	n := x.K / 32
	for c := range x.Columns() {
		isum := int32(0)
		if xp != nil {
			x := (*[16]int64)(xp[(c*x.K+32*i)/2:])
			isum = pairSum(sumPairs((*[8]int64)(w[:]), (*[8]int64)(x[:])) + sumPairs((*[8]int64)(w[8:]), (*[8]int64)(x[8:])))
		} else {
			q := (*[32]int8)(x.Q[c*x.K+32*i:])
			for j := range q {
				isum += int32(b.q[j]) * int32(q[j])
			}
		}
		d := x.D[c*n+i]
		term := float32(float32(isum) * float32(b.d*d))
		if b.m != 0 {
			term += float32(float32(x.Sum[c*n+i]) * float32(b.m*d))
		}
		dst[c*stride] += term
	}
}

// half is the binary16 at the start of w.
func half(w []byte) float32 { return F16(binary.LittleEndian.Uint16(w)) }

func unpackQ4_0(b *block32, w []byte) {
	b.d = half(w)
	for i, q := range w[2:18] {
		b.q[i], b.q[i+16] = int8(q&15)-8, int8(q>>4)-8
	}
}

func unpackQ4_1(b *block32, w []byte) {
	b.d, b.m = half(w), half(w[2:])
	for i, q := range w[4:20] {
		b.q[i], b.q[i+16] = int8(q&15), int8(q>>4)
	}
}

func unpackQ5_0(b *block32, w []byte) {
	b.d = half(w)
	high := binary.LittleEndian.Uint32(w[2:])
	for i, q := range w[6:22] {
		b.q[i] = int8(q&15|byte(high>>i&1)<<4) - 16
		b.q[i+16] = int8(q>>4|byte(high>>(i+16)&1)<<4) - 16
	}
}

func unpackQ5_1(b *block32, w []byte) {
	b.d, b.m = half(w), half(w[2:])
	high := binary.LittleEndian.Uint32(w[4:])
	for i, q := range w[8:24] {
		b.q[i] = int8(q&15 | byte(high>>i&1)<<4)
		b.q[i+16] = int8(q>>4 | byte(high>>(i+16)&1)<<4)
	}
}

func unpackQ8_0(b *block32, w []byte) {
	b.d = half(w)
	for i, q := range w[2:34] {
		b.q[i] = int8(q)
	}
}

// iq4Values are the levels of IQ4_NL and IQ4_XS (ggml-common.h, kvalues_iq4nl).
var iq4Values = [16]int8{-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113}

func unpackIQ4_NL(b *block32, w []byte) {
	b.d = half(w)
	for i, q := range w[2:18] {
		b.q[i], b.q[i+16] = iq4Values[q&15], iq4Values[q>>4]
	}
}
