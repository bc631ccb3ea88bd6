package quant

import "math"

// IQ4_NL and IQ4_XS: elements are indices into the 16 uneven levels of iq4Values. The search is like that of fitScale,
// but for both signs, since the levels of either side differ.

// nearest is a table for rounding to uneven levels: midpoints between levels are multiples of a half, so that the whole
// part of twice a number, plus 256, decides.
type nearest [512]uint8

// index is the index of the level nearest to x, |x| < 2^21; a number in the middle may go to either.
func (t *nearest) index(x float32) uint8 {
	return t[uint32(min(max(round(float32(2*x)-0.5)+256, 0), 511))]
}

// nearestIQ4 is the table of iq4Values.
func nearestIQ4() *nearest {
	var t nearest
	for i := range t {
		twice, at := i-256, 0
		for at < 15 && twice >= int(iq4Values[at])+int(iq4Values[at+1]) {
			at++
		}
		t[i] = uint8(at)
	}
	return &t
}

// fitIQ4 is a scale s for which s*iq4Values[q] comes close to x in the sum of squares. It may be negative.
func (t *nearest) fitIQ4(x []float32) float32 {
	top := farthest(x)
	if -0x1p-100 < top && top < 0x1p-100 {
		return 0
	}
	var best, s float32
	for _, wide := range [...]float32{0.86, 0.93, 1, 1.07, 1.14} {
		// The number of the largest magnitude comes near the last level of either side.
		for _, end := range [...]float32{-127, 113} {
			if gain, scale := t.projectIQ4(x, float32(end*wide)/top); gain > best {
				best, s = gain, scale
			}
		}
	}
	if gain, scale := t.projectIQ4(x, inverse(s)); gain > best {
		s = scale
	}
	return s
}

// projectIQ4 is project on the levels of iq4Values.
func (t *nearest) projectIQ4(x []float32, inv float32) (gain, s float32) {
	var xq float32
	var qq int32
	for _, v := range x {
		q := int32(iq4Values[t.index(float32(v*inv))])
		xq += float32(v * float32(q))
		qq += q * q
	}
	s = xq / float32(qq) // no level is 0
	return float32(s * xq), s
}

// putIQ4 stores 32 indices, i and i+16 in the halves of byte i.
func (t *nearest) putIQ4(dst []byte, x []float32, step float32) {
	inv := inverse(step)
	for i := range 16 {
		dst[i] = t.index(float32(x[i]*inv)) | t.index(float32(x[i+16]*inv))<<4
	}
}

// distanceIQ4 is the error of x on the grid step*iq4Values[q].
func (t *nearest) distanceIQ4(x []float32, step float32) (left float32) {
	inv := inverse(step)
	for _, v := range x {
		rest := v - float32(step*float32(iq4Values[t.index(float32(v*inv))]))
		left += float32(rest * rest)
	}
	return left
}

func quantizeIQ4_NL(dst []byte, src []float32) {
	t := nearestIQ4()
	for ; len(src) > 0; dst, src = dst[18:], src[32:] {
		t.putIQ4(dst[2:18], src[:32], putHalf(dst, 0, t.fitIQ4(src[:32])))
	}
}

func quantizeIQ4_XS(dst []byte, src []float32) {
	t := nearestIQ4()
	for ; len(src) > 0; dst, src = dst[136:], src[256:] {
		var scale [8]float32
		for g := range scale {
			scale[g] = t.fitIQ4(src[32*g:][:32])
		}
		d := putHalf(dst, 0, farthest(scale[:])/-32)
		clear(dst[2:8])
		var high uint16
		for g, s := range scale {
			x := src[32*g:][:32]
			near := level(float32(s*inverse(d)), -32, 31)
			best, chosen := float32(math.Inf(1)), near
			for l := max(near-1, -32); l <= min(near+1, 31); l++ {
				if left := t.distanceIQ4(x, float32(d*float32(l))); left < best {
					best, chosen = left, l
				}
			}
			t.putIQ4(dst[8+16*g:], x, float32(d*float32(chosen)))
			chosen += 32
			dst[4+g/2] |= byte(chosen & 15 << (g % 2 * 4))
			high |= uint16(chosen>>4) << (2 * g)
		}
		le.PutUint16(dst[2:], high)
	}
}
