package quant

// The types of 32 elements with one scale, or a scale and an offset. Their layouts stand beside the functions that
// decode them.

func quantizeQ4_0(dst []byte, src []float32) {
	for ; len(src) > 0; dst, src = dst[18:], src[32:] {
		x := src[:32]
		inv := inverse(putHalf(dst, 0, fitScale(x, -8, 7)))
		for i := range 16 {
			low, high := level(float32(x[i]*inv), -8, 7)+8, level(float32(x[i+16]*inv), -8, 7)+8
			dst[2+i] = byte(low | high<<4)
		}
	}
}

func quantizeQ4_1(dst []byte, src []float32) {
	for ; len(src) > 0; dst, src = dst[20:], src[32:] {
		x := src[:32]
		inv, m := putOffset(dst, x, 15)
		for i := range 16 {
			low, high := level(float32((x[i]-m)*inv), 0, 15), level(float32((x[i+16]-m)*inv), 0, 15)
			dst[4+i] = byte(low | high<<4)
		}
	}
}

// putOffset writes a block's scale and offset for x on levels 0..n as two binary16 and gives the scale's inverse and the
// offset as they were rounded. Where the scale is too small for a binary16 all levels are the offset, so it is the mean.
func putOffset(dst []byte, x []float32, n int32) (inv, m float32) {
	s, m := fitOffset(x, n, true)
	if s = putHalf(dst, 0, s); s == 0 {
		var sum float32
		for _, v := range x {
			sum += v
		}
		m = sum / float32(len(x))
	}
	return inverse(s), putHalf(dst, 2, m)
}

func quantizeQ5_0(dst []byte, src []float32) {
	for ; len(src) > 0; dst, src = dst[22:], src[32:] {
		x := src[:32]
		inv := inverse(putHalf(dst, 0, fitScale(x, -16, 15)))
		var fifth uint32
		for i := range 16 {
			low, high := level(float32(x[i]*inv), -16, 15)+16, level(float32(x[i+16]*inv), -16, 15)+16
			dst[6+i] = byte(low&15 | high<<4)
			fifth |= uint32(low>>4)<<i | uint32(high>>4)<<(i+16)
		}
		le.PutUint32(dst[2:], fifth)
	}
}

func quantizeQ5_1(dst []byte, src []float32) {
	for ; len(src) > 0; dst, src = dst[24:], src[32:] {
		x := src[:32]
		inv, m := putOffset(dst, x, 31)
		var fifth uint32
		for i := range 16 {
			low, high := level(float32((x[i]-m)*inv), 0, 31), level(float32((x[i+16]-m)*inv), 0, 31)
			dst[8+i] = byte(low&15 | high<<4)
			fifth |= uint32(low>>4)<<i | uint32(high>>4)<<(i+16)
		}
		le.PutUint32(dst[4:], fifth)
	}
}

// Q8_0 lays the largest number on 127 without a search, which would gain 3 % of an error that is small already. Its
// integers are rounded with the scale before that is rounded to binary16, halves away from zero: the reference's bytes.
func quantizeQ8_0(dst []byte, src []float32) {
	for ; len(src) > 0; dst, src = dst[34:], src[32:] {
		x := src[:32]
		s := largest(x) / 127
		putHalf(dst, 0, s)
		inv := inverse(s)
		for i, v := range x {
			dst[2+i] = byte(roundAway(float32(v * inv)))
		}
	}
}

// roundAway is x rounded to the nearest integer, halves away from zero, for |x| < 2^22.
func roundAway(x float32) int32 {
	n := round(x)
	switch rest := x - float32(n); { // exact
	case rest == 0.5 && x > 0:
		return n + 1
	case rest == -0.5 && x < 0:
		return n - 1
	}
	return n
}
