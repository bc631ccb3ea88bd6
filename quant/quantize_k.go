package quant

// Q2_K, Q4_K and Q5_K: blocks of 256 elements in groups of 16 or 32, each group with a scale and a minimum, both small
// integers times the block's d and dmin. y = (d*scale)*q - dmin*min.
//
// Each group is fitted by itself first; the largest scale and the largest minimum set d and dmin. Then each group
// chooses its integers again for the d and dmin there are, looking one scale to either side, and last d and dmin are
// fitted to the integers of the whole block.

// offsetGrid is the shape of a type: levels of an element 0..top, of a scale and minimum 0..scales, elements of a group.
type offsetGrid struct {
	top, scales int32
	group       int
}

// offsetBlock is one block before packing.
type offsetBlock struct {
	d, dmin    float32 // values of binary16
	scale, min [16]int32
	q          [256]uint8
}

// fit chooses the block's numbers for x, 256 of them.
func (b *offsetBlock) fit(x []float32, g offsetGrid) {
	var scale, minimum [16]float32
	var widest, deepest float32
	n := 256 / g.group
	for i := range n {
		s, m := fitOffset(x[i*g.group:][:g.group], g.top, false)
		scale[i], minimum[i] = s, -m
		widest, deepest = max(widest, s), max(deepest, -m)
	}
	b.d, b.dmin = toHalf(widest/float32(g.scales)), toHalf(deepest/float32(g.scales))
	for i := range n {
		ls := level(float32(scale[i]*inverse(b.d)), 0, g.scales)
		lm := level(float32(minimum[i]*inverse(b.dmin)), 0, g.scales)
		b.scale[i], b.min[i] = b.choose(x[i*g.group:][:g.group], ls, lm, g)
	}
	left := b.pack(x, g)
	d, dmin := b.refit(x, g)
	if d = toHalf(d); d > 0 && dmin >= 0 {
		other := *b
		other.d, other.dmin = d, toHalf(dmin)
		if other.pack(x, g) < left {
			*b = other
		}
	}
}

// choose is the best scale and minimum of one group near ls and lm.
func (b *offsetBlock) choose(x []float32, ls, lm int32, g offsetGrid) (scale, minimum int32) {
	scale, minimum = ls, lm
	best := float32(-1)
	var sum float32
	for _, v := range x {
		sum += v
	}
	for s := max(ls-1, 0); s <= min(ls+1, g.scales); s++ {
		step := float32(b.d * float32(s))
		left, sumQ := distance(x, step, float32(b.dmin*float32(lm)), g.top)
		if best < 0 || left < best {
			best, scale, minimum = left, s, lm
		}
		// The minimum that suits these elements best.
		m := level(float32((float32(step*float32(sumQ))-sum)/float32(len(x))*inverse(b.dmin)), 0, g.scales)
		if m != lm {
			if left, _ := distance(x, step, float32(b.dmin*float32(m)), g.top); left < best {
				best, scale, minimum = left, s, m
			}
		}
	}
	return scale, minimum
}

// distance is the error of x on the grid step*q - minimum, with the sum of the elements' levels.
func distance(x []float32, step, minimum float32, top int32) (left float32, sumQ int32) {
	inv := inverse(step)
	for _, v := range x {
		v += minimum
		q := level(float32(v*inv), 0, top)
		rest := v - float32(step*float32(q))
		left += float32(rest * rest)
		sumQ += q
	}
	return left, sumQ
}

// pack chooses the elements' levels for the scales there are and gives the block's error.
func (b *offsetBlock) pack(x []float32, g offsetGrid) (left float32) {
	for i := range x {
		step, minimum := float32(b.d*float32(b.scale[i/g.group])), float32(b.dmin*float32(b.min[i/g.group]))
		v := x[i] + minimum
		q := level(float32(v*inverse(step)), 0, g.top)
		b.q[i] = uint8(q)
		rest := v - float32(step*float32(q))
		left += float32(rest * rest)
	}
	return left
}

// refit is the d and dmin that suit all integers of the block best.
func (b *offsetBlock) refit(x []float32, g offsetGrid) (d, dmin float32) {
	var aa, ab, bb, xa, xb float64
	for i := range 256 / g.group {
		var sum, dot float32
		var q, qq int32
		for j, v := range x[i*g.group:][:g.group] {
			l := int32(b.q[i*g.group+j])
			sum += v
			dot += float32(v * float32(l))
			q += l
			qq += l * l
		}
		s, m := float64(b.scale[i]), float64(b.min[i])
		aa += float64(s * float64(s*float64(qq)))
		ab += float64(s * float64(m*float64(q)))
		bb += float64(m * float64(m*float64(g.group)))
		xa += float64(s * float64(dot))
		xb += float64(m * float64(sum))
	}
	det := float64(aa*bb) - float64(ab*ab)
	if det <= 0 {
		if aa == 0 {
			return 0, 0
		}
		return float32(xa / aa), 0 // no minima
	}
	return float32((float64(xa*bb) - float64(xb*ab)) / det), float32((float64(xa*ab) - float64(xb*aa)) / det)
}

func quantizeQ2_K(dst []byte, src []float32) {
	var b offsetBlock
	for ; len(src) > 0; dst, src = dst[84:], src[256:] {
		b.fit(src[:256], offsetGrid{top: 3, scales: 15, group: 16})
		for g := range 16 {
			dst[g] = byte(b.scale[g] | b.min[g]<<4)
		}
		pack2(dst[16:80], &b.q)
		putHalf(dst, 80, b.d)
		putHalf(dst, 82, b.dmin)
	}
}

func quantizeQ4_K(dst []byte, src []float32) {
	var b offsetBlock
	for ; len(src) > 0; dst, src = dst[144:], src[256:] {
		b.fit(src[:256], offsetGrid{top: 15, scales: 63, group: 32})
		putHalf(dst, 0, b.d)
		putHalf(dst, 2, b.dmin)
		b.putScales4K(dst[4:16])
		pack4(dst[16:144], &b.q)
	}
}

func quantizeQ5_K(dst []byte, src []float32) {
	var b offsetBlock
	for ; len(src) > 0; dst, src = dst[176:], src[256:] {
		b.fit(src[:256], offsetGrid{top: 31, scales: 63, group: 32})
		putHalf(dst, 0, b.d)
		putHalf(dst, 2, b.dmin)
		b.putScales4K(dst[4:16])
		clear(dst[16:48])
		for i, q := range &b.q {
			dst[16+i%32] |= q >> 4 << (i / 32)
		}
		pack4(dst[48:176], &b.q)
	}
}

// putScales4K is the inverse of scaleMin4K.
func (b *offsetBlock) putScales4K(dst []byte) {
	for g := range 4 {
		dst[g] = byte(b.scale[g] | b.scale[g+4]>>4<<6)
		dst[g+4] = byte(b.min[g] | b.min[g+4]>>4<<6)
		dst[g+8] = byte(b.scale[g+4]&15 | b.min[g+4]<<4)
	}
}

// pack4 stores the low 4 bits of 256 levels: each 32 bytes hold 32 in their low halves and the next 32 in the high ones.
func pack4(dst []byte, q *[256]uint8) {
	for i := range 128 {
		j := i/32*64 + i%32
		dst[i] = q[j]&15 | q[j+32]<<4
	}
}

// pack2 stores the low 2 bits of 256 levels: byte l of each 32 holds elements l, l+32, l+64 and l+96 of 128.
func pack2(dst []byte, q *[256]uint8) {
	for i := range 64 {
		j := i/32*128 + i%32
		dst[i] = q[j]&3 | q[j+32]&3<<2 | q[j+64]&3<<4 | q[j+96]<<6
	}
}
