package quant

// Q3_K and Q6_K: blocks of 256 elements in 16 groups of 16, each group with a signed integer scale times the block's d.
// y = (d*scale)*q, q from -top to top-1.

// scaleBlock is one block before packing.
type scaleBlock struct {
	d     float32 // a value of binary16
	scale [16]int32
	q     [256]uint8 // levels plus top
}

// fit chooses the block's numbers for x, 256 of them: scales from -scales to scales-1.
func (b *scaleBlock) fit(x []float32, top, scales int32) {
	var scale [16]float32
	for g := range scale {
		scale[g] = fitScale(x[16*g:][:16], -top, top-1)
	}
	b.choose(x, scale[:], top, scales)
	left := b.pack(x, top)
	other := *b
	if other.d = toHalf(b.refit(x, top)); other.d != 0 && other.pack(x, top) < left {
		*b = other
	}
}

// choose sets d by the group of the largest scale, which gets -scales, and each group's scale to the best integer near
// its own.
func (b *scaleBlock) choose(x, scale []float32, top, scales int32) {
	b.d = toHalf(farthest(scale) / float32(-scales))
	for g, s := range scale {
		near := level(float32(s*inverse(b.d)), -scales, scales-1)
		best := float32(-1)
		for l := max(near-1, -scales); l <= min(near+1, scales-1); l++ {
			if left := distance0(x[16*g:][:16], float32(b.d*float32(l)), top); best < 0 || left < best {
				best, b.scale[g] = left, l
			}
		}
	}
}

// distance0 is the error of x on the grid step*q, q from -top to top-1.
func distance0(x []float32, step float32, top int32) (left float32) {
	inv := inverse(step)
	for _, v := range x {
		rest := v - float32(step*float32(level(float32(v*inv), -top, top-1)))
		left += float32(rest * rest)
	}
	return left
}

// pack chooses the elements' levels for the scales there are and gives the block's error.
func (b *scaleBlock) pack(x []float32, top int32) (left float32) {
	for g, s := range b.scale {
		step := float32(b.d * float32(s))
		inv := inverse(step)
		for i, v := range x[16*g:][:16] {
			q := level(float32(v*inv), -top, top-1)
			b.q[16*g+i] = uint8(q + top)
			rest := v - float32(step*float32(q))
			left += float32(rest * rest)
		}
	}
	return left
}

// refit is the d that suits all integers of the block best.
func (b *scaleBlock) refit(x []float32, top int32) float32 {
	var xa, aa float32
	for g, s := range b.scale {
		for i, v := range x[16*g:][:16] {
			a := float32(s * (int32(b.q[16*g+i]) - top))
			xa += float32(v * a)
			aa += float32(a * a)
		}
	}
	if aa == 0 {
		return 0
	}
	return xa / aa
}

func quantizeQ3_K(dst []byte, src []float32) {
	var b scaleBlock
	for ; len(src) > 0; dst, src = dst[110:], src[256:] {
		b.fit(src[:256], 4, 32)
		clear(dst[:32])
		for i, q := range &b.q {
			dst[i%32] |= q >> 2 << (i / 32)
		}
		pack2(dst[32:96], &b.q)
		clear(dst[96:108])
		for g, s := range b.scale {
			s += 32
			dst[96+g%8] |= byte(s & 15 << (g / 8 * 4))
			dst[104+g%4] |= byte(s >> 4 << (g / 4 * 2))
		}
		putHalf(dst, 108, b.d)
	}
}

func quantizeQ6_K(dst []byte, src []float32) {
	var b scaleBlock
	for ; len(src) > 0; dst, src = dst[210:], src[256:] {
		b.fit(src[:256], 32, 128)
		for i := range 128 {
			j := i/64*128 + i%64
			dst[i] = b.q[j]&15 | b.q[j+64]<<4
		}
		for i := range 64 {
			j := i/32*128 + i%32
			dst[128+i] = b.q[j]>>4 | b.q[j+32]>>4<<2 | b.q[j+64]>>4<<4 | b.q[j+96]>>4<<6
		}
		for g, s := range b.scale {
			dst[192+g] = byte(s)
		}
		putHalf(dst, 208, b.d)
	}
}
