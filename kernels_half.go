package kernels

import "math"

// F16 is the float32 of an IEEE 754 binary16. Exact; a NaN keeps its sign and payload and becomes quiet.
func F16(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	rest := uint32(h & 0x7fff)
	switch {
	case rest >= 0x7c00: // infinity or NaN
		bits := sign | 0x7f800000 | rest<<13&0x7fffff
		if rest > 0x7c00 {
			bits |= 0x400000
		}
		return math.Float32frombits(bits)
	case rest >= 0x0400: // normal: the exponent's bias grows from 15 to 127
		return math.Float32frombits(sign | rest<<13 + 112<<23)
	}
	// Subnormal or zero: a multiple of 2^-24, exact in float32.
	f := float32(rest) * (1.0 / (1 << 24))
	return math.Float32frombits(sign | math.Float32bits(f))
}

// ToF16 rounds a float32 to the nearest IEEE 754 binary16, ties to even, as VCVTPS2PH does: above 65504 and its half
// step to infinity; a NaN keeps its sign and the upper bits of its payload and becomes quiet.
func ToF16(f float32) uint16 {
	bits := math.Float32bits(f)
	sign := uint16(bits >> 16 & 0x8000)
	rest := bits & 0x7fffffff
	switch {
	case rest > 0x7f800000: // NaN
		return sign | 0x7e00 | uint16(rest>>13&0x3ff)
	case rest >= 0x477ff000: // 65520 and above, infinity
		return sign | 0x7c00
	case rest >= 0x38800000: // normal in binary16: round at bit 13 by adding half, less one if the result would be odd
		rest += 0xfff + rest>>13&1
		return sign | uint16((rest-112<<23)>>13)
	}
	// Subnormal in binary16. Adding 0.5 puts the unit of 2^-24 in float32's last place, so the addition rounds.
	sum := math.Float32frombits(rest) + 0.5
	return sign | uint16(math.Float32bits(sum)-0x3f000000)
}

// BF16 is the float32 of a bfloat16: its upper half. Exact.
func BF16(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }

// ToBF16 rounds a float32 to the nearest bfloat16, ties to even; a NaN becomes quiet.
func ToBF16(f float32) uint16 {
	bits := math.Float32bits(f)
	if bits&0x7fffffff > 0x7f800000 {
		return uint16(bits>>16) | 0x40
	}
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}
