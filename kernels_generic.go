package kernels

import "encoding/binary"

// Rows of 32-element blocks times Q8 columns. In each function w is packed rows of x.K elements, and for row r and
// column c, dst[c*stride+r] is the dot product, in the integer form of the package comment.

// MulQ8_0 multiplies Q8_0 rows: a block is a binary16 scale and 32 int8.
func MulQ8_0(dst []float32, stride int, w []byte, x *Q8) { mulQ8_0(dst, stride, w, x) }

func genericMulQ8_0(dst []float32, stride int, w []byte, x *Q8) {
	mulBlocks(dst, stride, w, x, 34, func(w []byte, q []int8, d float32, sum int32) float32 {
		isum := int32(0)
		for i, v := range q {
			isum += int32(int8(w[2+i])) * int32(v)
		}
		return float32(float32(isum) * float32(scale(w)*d))
	})
}

// scale is the binary16 at the head of a block.
func scale(w []byte) float32 { return F16(binary.LittleEndian.Uint16(w)) }

// mulBlocks adds up, for every row and column, what term returns for its blocks in order. term takes a block's bytes and
// the column's block: 32 values, their scale and their sum.
func mulBlocks(dst []float32, stride int, w []byte, x *Q8, blockBytes int, term func(w []byte, q []int8, d float32, sum int32) float32) {
	n := x.K / 32
	if n == 0 {
		return
	}
	rows := len(w) / (n * blockBytes)
	for c := range x.Columns() {
		q, d, sum := x.Q[c*x.K:(c+1)*x.K], x.D[c*n:(c+1)*n], x.Sum[c*n:(c+1)*n]
		for r := range rows {
			row := w[r*n*blockBytes:]
			acc := float32(0)
			for b := range n {
				acc += term(row[b*blockBytes:(b+1)*blockBytes], q[32*b:32*b+32], d[b], sum[b])
			}
			dst[c*stride+r] = acc
		}
	}
}
