package kernels

import "encoding/binary"

// block256 is one unpacked block of 256 elements in 16 groups of 16: y = d*scale*q - dmin*min. Types with groups of 32
// have each scale and minimum twice.
type block256 struct {
	q       [256]int8
	scale   [16]int16
	min     [16]int16
	d, dmin float32
}

func genericMulQ2_K(dst []float32, stride int, w []byte, x *Q8K) {
	mulBlocks256(dst, stride, w, x, 84, unpackQ2_K)
}

func genericMulQ3_K(dst []float32, stride int, w []byte, x *Q8K) {
	mulBlocks256(dst, stride, w, x, 110, unpackQ3_K)
}

func genericMulQ4_K(dst []float32, stride int, w []byte, x *Q8K) {
	mulBlocks256(dst, stride, w, x, 144, unpackQ4_K)
}

func genericMulQ5_K(dst []float32, stride int, w []byte, x *Q8K) {
	mulBlocks256(dst, stride, w, x, 176, unpackQ5_K)
}

func genericMulQ6_K(dst []float32, stride int, w []byte, x *Q8K) {
	mulBlocks256(dst, stride, w, x, 210, unpackQ6_K)
}

func genericMulIQ4_XS(dst []float32, stride int, w []byte, x *Q8K) {
	mulBlocks256(dst, stride, w, x, 136, unpackIQ4_XS)
}

// mulBlocks256 unpacks each block once and adds its term to the output of every column, as mulBlocks32 does.
func mulBlocks256(dst []float32, stride int, w []byte, x *Q8K, blockBytes int, unpack func(b *block256, w []byte)) {
	n, columns := x.K/256, x.Columns()
	if n == 0 {
		return
	}
	var b block256
	var wp [128]int64
	xp, done := pairedColumns(x.Q, columns)
	defer done()
	rows := len(w) / (n * blockBytes)
	for r := range rows {
		for c := range columns {
			dst[c*stride+r] = 0
		}
		for i := range n {
			unpack(&b, w[:blockBytes])
			w = w[blockBytes:]
			if xp != nil {
				pairWeights(wp[:], b.q[:])
			}
			for c := range columns {
				q, sums := (*[256]int8)(x.Q[c*x.K+256*i:]), (*[16]int16)(x.Sums[c*n*16+16*i:])
				isum := int32(0)
				for g, scale := range b.scale {
					sum := int32(0)
					if xp != nil {
						sum = dotPairs((*[8]int64)(wp[8*g:]), (*[8]int64)(xp[(c*x.K+256*i)/2+8*g:]))
					} else {
						w, q := (*[16]int8)(b.q[16*g:]), (*[16]int8)(q[16*g:])
						for j := range q {
							sum += int32(w[j]) * int32(q[j])
						}
					}
					isum += int32(scale) * sum
				}
				d := x.D[c*n+i]
				term := float32(float32(isum) * float32(b.d*d))
				if b.dmin != 0 {
					msum := int32(0)
					for g, minimum := range b.min {
						msum += int32(minimum) * int32(sums[g])
					}
					term -= float32(float32(msum) * float32(b.dmin*d))
				}
				dst[c*stride+r] += term
			}
		}
	}
}

func unpackQ2_K(b *block256, w []byte) {
	b.d, b.dmin = half(w[80:]), half(w[82:])
	for g, s := range w[:16] {
		b.scale[g], b.min[g] = int16(s&15), int16(s>>4)
	}
	for i := range b.q {
		b.q[i] = int8(w[16+i/128*32+i%32] >> (i / 32 % 4 * 2) & 3)
	}
}

func unpackQ3_K(b *block256, w []byte) {
	b.d = half(w[108:])
	for g := range b.scale {
		low, high := w[96+g%8]>>(g/8*4)&15, w[104+g%4]>>(g/4*2)&3
		b.scale[g] = int16(low|high<<4) - 32
	}
	for i := range b.q {
		low, high := w[32+i/128*32+i%32]>>(i/32%4*2)&3, w[i%32]>>(i/32)&1
		b.q[i] = int8(low|high<<2) - 4
	}
}

// unpackScaleMin unpacks the 8 scales and minima of 6 bits that Q4_K and Q5_K have in 12 bytes.
func unpackScaleMin(b *block256, s []byte) {
	for g := range 8 {
		scale, minimum := s[g%4], s[g%4+4] // groups 0-3 have them in the low 6 bits
		if g < 4 {
			scale, minimum = scale&63, minimum&63
		} else { // groups 4-7: the high bits there, the low ones in the halves of a byte of their own
			scale, minimum = s[g+4]&15|scale>>6<<4, s[g+4]>>4|minimum>>6<<4
		}
		b.scale[2*g], b.scale[2*g+1] = int16(scale), int16(scale)
		b.min[2*g], b.min[2*g+1] = int16(minimum), int16(minimum)
	}
}

func unpackQ4_K(b *block256, w []byte) {
	b.d, b.dmin = half(w), half(w[2:])
	unpackScaleMin(b, w[4:16])
	for g := range 4 {
		q := (*[64]int8)(b.q[64*g:])
		for i, v := range w[16+32*g : 48+32*g] {
			q[i], q[i+32] = int8(v&15), int8(v>>4)
		}
	}
}

func unpackQ5_K(b *block256, w []byte) {
	b.d, b.dmin = half(w), half(w[2:])
	unpackScaleMin(b, w[4:16])
	for g := range 4 {
		q := (*[64]int8)(b.q[64*g:])
		for i, v := range w[48+32*g : 80+32*g] {
			high := w[16+i] >> (2 * g)
			q[i], q[i+32] = int8(v&15|high&1<<4), int8(v>>4|high>>1&1<<4)
		}
	}
}

func unpackQ6_K(b *block256, w []byte) {
	b.d = half(w[208:])
	for g, s := range w[192:208] {
		b.scale[g] = int16(int8(s))
	}
	for h := range 2 {
		q := (*[128]int8)(b.q[128*h:])
		low, high := w[64*h:64*h+64], w[128+32*h:160+32*h]
		for i, v := range high {
			q[i] = int8(low[i]&15|v&3<<4) - 32
			q[i+32] = int8(low[i+32]&15|v>>2&3<<4) - 32
			q[i+64] = int8(low[i]>>4|v>>4&3<<4) - 32
			q[i+96] = int8(low[i+32]>>4|v>>6<<4) - 32
		}
	}
}

func unpackIQ4_XS(b *block256, w []byte) {
	b.d = half(w)
	high := binary.LittleEndian.Uint16(w[2:])
	for g := range 8 {
		scale := int16(w[4+g/2]>>(g%2*4)&15|byte(high>>(2*g)&3)<<4) - 32
		b.scale[2*g], b.scale[2*g+1] = scale, scale
		q := (*[32]int8)(b.q[32*g:])
		for i, v := range w[8+16*g : 24+16*g] {
			q[i], q[i+16] = iq4Values[v&15], iq4Values[v>>4]
		}
	}
}
