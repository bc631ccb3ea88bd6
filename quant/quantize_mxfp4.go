package quant

import "math"

// quantizeMXFP4 tries three powers of two: the one of the OCP specification, under which the largest number lies
// between 4 and 8 with 6 the largest level, and the two beside it.
func quantizeMXFP4(dst []byte, src []float32) {
	t := nearestFP4()
	for ; len(src) > 0; dst, src = dst[17:], src[32:] {
		x := src[:32]
		clear(dst[:17])
		top := largest(x)
		if top == 0 {
			continue
		}
		e := int(math.Float32bits(top)>>23) - 2 // top is below 2^17, its exponent below 145
		best, chosen := float32(math.Inf(1)), byte(0)
		for try := max(e-1, 0); try <= max(e+1, 0); try++ {
			if left := t.distanceFP4(x, byte(try)); left < best {
				best, chosen = left, byte(try)
			}
		}
		dst[0] = chosen
		inv := inverseE8M0(chosen)
		for i := range 16 {
			dst[1+i] = t.index(float32(x[i]*inv)) | t.index(float32(x[i+16]*inv))<<4
		}
	}
}

// inverseE8M0 is 2^(128-e), 1/halfE8M0(e), the largest finite power where that overflows.
func inverseE8M0(e byte) float32 {
	return math.Float32frombits(uint32(min(255-int(e), 254)) << 23)
}

// distanceFP4 is the error of x under the scale e.
func (t *nearest) distanceFP4(x []float32, e byte) (left float32) {
	step, inv := halfE8M0(e), inverseE8M0(e)
	for _, v := range x {
		rest := v - float32(step*fp4Values[t.index(float32(v*inv))])
		left += float32(rest * rest)
	}
	return left
}

// nearestFP4 is the table of fp4Values.
func nearestFP4() *nearest {
	var t nearest
	for i := range t {
		twice, at := float32(max(i-256, 255-i)), 0 // of the magnitude
		for at < 7 && twice >= fp4Values[at]+fp4Values[at+1] {
			at++
		}
		if i < 256 {
			at |= 8
		}
		t[i] = uint8(at)
	}
	return &t
}
