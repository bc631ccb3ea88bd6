//go:build !purego

package kernels

// rows8K is a kernel for eight rows of 256-element blocks and one column of a Q8K: for r in 0..7, dst[r] is the generic
// form's result for the row at w[r*rowBytes:], blocks > 0 blocks long, with the column at q, d and sums:
//
//	for r := range 8 {
//		acc := float32(0)
//		for i := range blocks {
//			acc += term of block i of row r (see mulBlocks256)
//		}
//		dst[r] = acc
//	}
//
// It reads nothing outside the blocks. rowBytes may be 0: then all rows are one.
type rows8K func(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)

//go:noescape
func rows8Q2_KAVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)

//go:noescape
func rows8Q3_KAVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)

//go:noescape
func rows8Q4_KAVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)

//go:noescape
func rows8Q5_KAVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)

//go:noescape
func rows8Q6_KAVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)

//go:noescape
func rows8IQ4_XSAVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)

// native8K is the multiplication by kernel for rows of blocks of blockBytes.
func native8K(blockBytes int, kernel rows8K) func(dst []float32, stride int, w []byte, x *Q8K) {
	return func(dst []float32, stride int, w []byte, x *Q8K) {
		n := x.K / 256
		if n == 0 {
			return
		}
		rowBytes := n * blockBytes
		eightRows(dst, stride, len(w)/rowBytes, x.Columns(), func(dst *float32, row, step, c int) {
			kernel(dst, &w[row*rowBytes], step*rowBytes, &x.Q[c*x.K], &x.D[c*n], &x.Sums[16*c*n], n)
		})
	}
}
