package kernels

import (
	"encoding/binary"
	"math"
)

// F16 is the float32 of an IEEE 754 binary16. Exact; a NaN keeps its sign and payload and becomes quiet.
func F16(h uint16) float32 {
	if normalF16(h) {
		return widenF16(h)
	}
	sign, mantissa := uint32(h&0x8000)<<16, uint32(h&0x3ff)
	if h&0x7c00 == 0 { // zero or subnormal: a multiple of 2^-24
		return math.Float32frombits(sign | math.Float32bits(float32(mantissa)*0x1p-24))
	}
	bits := sign | 0x7f800000 | mantissa<<13
	if mantissa != 0 {
		bits |= 0x400000
	}
	return math.Float32frombits(bits)
}

// normalF16 reports whether h's exponent is neither 0 nor 31.
func normalF16(h uint16) bool { return h<<1-0x0800 < 0xf000 }

// widenF16 is F16 of a normal number: the exponent's bias grows from 15 to 127.
func widenF16(h uint16) float32 {
	return math.Float32frombits(uint32(h&0x8000)<<16 | (uint32(h&0x7fff)<<13 + 112<<23))
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

// DecodeF16 converts little-endian binary16 to float32. len(src) must be 2*len(dst).
func DecodeF16(dst []float32, src []byte) { decodeF16(dst, src[:2*len(dst)]) }

func genericDecodeF16(dst []float32, src []byte) {
	for i := range dst {
		h := binary.LittleEndian.Uint16(src[2*i:])
		if normalF16(h) {
			dst[i] = widenF16(h)
		} else {
			dst[i] = F16(h)
		}
	}
}

// EncodeF16 rounds float32 to little-endian binary16 as ToF16 does. len(dst) must be 2*len(src).
func EncodeF16(dst []byte, src []float32) { encodeF16(dst[:2*len(src)], src) }

func genericEncodeF16(dst []byte, src []float32) {
	for i, v := range src {
		binary.LittleEndian.PutUint16(dst[2*i:], ToF16(v))
	}
}

// DecodeBF16 converts little-endian bfloat16 to float32. len(src) must be 2*len(dst).
func DecodeBF16(dst []float32, src []byte) { decodeBF16(dst, src[:2*len(dst)]) }

func genericDecodeBF16(dst []float32, src []byte) {
	for i := range dst {
		dst[i] = BF16(binary.LittleEndian.Uint16(src[2*i:]))
	}
}

// DecodeF32 reads little-endian float32. len(src) must be 4*len(dst).
func DecodeF32(dst []float32, src []byte) { decodeF32(dst, src[:4*len(dst)]) }

func genericDecodeF32(dst []float32, src []byte) {
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:]))
	}
}
