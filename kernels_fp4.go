package kernels

import (
	"encoding/binary"
	"math"
)

// The four-bit floats, MXFP4 and NVFP4: elements are E2M1 numbers, which doubled are integers, and scales are powers of
// two or numbers of eight bits.

// fp4Values are the E2M1 numbers, doubled (ggml-common.h, kvalues_fp4).
var fp4Values = [16]int8{0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12}

// HalfE8M0 is half of an E8M0 number: 2^(e-128). The two smallest are subnormal; 255, a NaN in the standard, is 2^127 as
// in ggml.
func HalfE8M0(e byte) float32 {
	if e < 2 {
		return math.Float32frombits(0x00200000 << e)
	}
	return math.Float32frombits(uint32(e-1) << 23)
}

// HalfE4M3 is half of an E4M3 number of bias 7 (ggml-impl.h, ggml_ue4m3_to_fp32). The top bit, which would be the sign,
// does not count. 0x7f, the NaN, is 0; 0xff is 240, as the reference compares before it drops the top bit.
func HalfE4M3(x byte) float32 {
	if x == 0x7f {
		return 0
	}
	// Exponent and mantissa in the places of a float32's make a number that is too small by 2^119, subnormal or not.
	return math.Float32frombits(uint32(x&0x7f)<<20) * 0x1p119
}

func genericMulMXFP4(dst []float32, stride int, w []byte, x *Q8) {
	mulBlocks32(dst, stride, w, x, 17, unpackMXFP4)
}

func unpackMXFP4(b *block32, w []byte) {
	b.d = HalfE8M0(w[0])
	for i, q := range w[1:17] {
		b.q[i], b.q[i+16] = fp4Values[q&15], fp4Values[q>>4]
	}
}

// genericMulNVFP4 has two scales in each 32 elements of x, so a term has two parts; see MulNVFP4.
func genericMulNVFP4(dst []float32, stride int, w []byte, x *Q8) {
	n, columns := x.K/32, x.Columns()
	if n == 0 {
		return
	}
	rows := len(w) / (n * 18)
	for r := range rows {
		for c := range columns {
			dst[c*stride+r] = 0
		}
		for i := range n {
			// Blocks of 36 bytes are two of 32 elements: four scales, then four times 8 bytes.
			block, half := w[36*(i/2):], i%2
			d0, d1 := HalfE4M3(block[2*half]), HalfE4M3(block[2*half+1])
			q0, q1 := binary.LittleEndian.Uint64(block[4+16*half:]), binary.LittleEndian.Uint64(block[12+16*half:])
			for c := range columns {
				q := (*[32]int8)(x.Q[c*x.K+32*i:])
				d := x.D[c*n+i]
				term := float32(float32(dotFP4(q0, (*[16]int8)(q[:16]))) * float32(d0*d))
				term += float32(float32(dotFP4(q1, (*[16]int8)(q[16:]))) * float32(d1*d))
				dst[c*stride+r] += term
			}
		}
		w = w[18*n:]
	}
}

// dotFP4 is the integer sum of 16 elements times x: element i in the low half of byte i of w, element i+8 in the high
// half.
func dotFP4(w uint64, x *[16]int8) int32 {
	sum := int32(0)
	for i := range 8 {
		q := byte(w >> (8 * i))
		sum += int32(fp4Values[q&15])*int32(x[i]) + int32(fp4Values[q>>4])*int32(x[i+8])
	}
	return sum
}
