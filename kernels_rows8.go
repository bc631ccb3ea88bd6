//go:build (amd64 || arm64) && !purego

package kernels

// rows8 is a kernel for eight rows of blocks of 32 elements, or several times 32, and one column of a Q8: for r in 0..7, dst[r] is the generic
// form's result for the row at w[r*rowBytes:], blocks > 0 blocks long, with the column at q, d and sum:
//
//	for r := range 8 {
//		acc := float32(0)
//		for i := range blocks {
//			acc += terms of block i of row r (see mulGroups32, genericMulNVFP4)
//		}
//		dst[r] = acc
//	}
//
// It reads nothing outside the blocks. rowBytes may be 0: then all rows are one.
type rows8 func(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)

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

// native8 is the multiplication by kernel for rows of blocks of groups times 32 elements and blockBytes.
func native8(groups, blockBytes int, kernel rows8) func(dst []float32, stride int, w []byte, x *Q8) {
	return func(dst []float32, stride int, w []byte, x *Q8) {
		n := x.K / 32
		if n == 0 {
			return
		}
		rowBytes := n / groups * blockBytes
		eightRows(dst, stride, len(w)/rowBytes, x.Columns(), func(dst *float32, row, step, c int) {
			kernel(dst, &w[row*rowBytes], step*rowBytes, &x.Q[c*x.K], &x.D[c*n], &x.Sum[c*n], n/groups)
		})
	}
}

// eightRows covers rows and columns by calls of kernel(dst, row, step, c), each for the eight rows row, row+step, ... of
// column c. The last eight overlap those before where rows is no multiple of 8: the same results are written twice.
// Fewer than eight rows are done one by one, with a step of 0. A group of rows meets all columns while it is in cache.
func eightRows(dst []float32, stride, rows, columns int, kernel func(dst *float32, row, step, c int)) {
	if rows < 8 {
		var eight [8]float32
		for c := range columns {
			for row := range rows {
				kernel(&eight[0], row, 0, c)
				dst[c*stride+row] = eight[0]
			}
		}
		return
	}
	for row := 0; row < rows; row += 8 {
		row := min(row, rows-8)
		for c := range columns {
			kernel(&dst[c*stride+row : c*stride+row+8][0], row, 1, c)
		}
	}
}

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
