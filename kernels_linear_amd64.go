//go:build !purego

package kernels

// linearPairs is a kernel for pairs of rows of blocks of 32 elements, which lie rowBytes apart, and one column of a Q8. It
// reads two streams, of rows in the order of memory and of those that lie apart rows on: for r in 0..pairs-1, dst[r] and
// dst[r+apart] are the generic form's results for the rows at w[r*rowBytes:] and w[(r+apart)*rowBytes:], blocks long (see
// rows8). blocks must be suitable (see pairsSuit), pairs above 0; apart may be 0.
type linearPairs func(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks, pairs, apart int)

// linearK is a kernel for rows rows of 256-element blocks, which lie rowBytes apart, and one column of a Q8K, that reads them
// in the order of memory: for r in 0..rows-1, dst[r] is the generic form's result for the row at w[r*rowBytes:], blocks
// long (see rows8K). blocks must be linearLeastK to linearMostK, rows above 0.
type linearK func(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks, rows int)

// Blocks of a row: no fewer than these kernels take at a time, and no more than they have room for.
const (
	pairsLeast   = 16
	pairsMost    = 512
	linearLeastK = 4
	linearMostK  = 64
)

//go:noescape
func linearQ8_0VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks, pairs, apart int)

//go:noescape
func linearQ4_0VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks, pairs, apart int)

//go:noescape
func linearIQ4_NLVNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks, pairs, apart int)

//go:noescape
func linearQ4_1VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks, pairs, apart int)

//go:noescape
func linearQ5_0VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks, pairs, apart int)

//go:noescape
func linearQ4_KVNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks, rows int)

//go:noescape
func linearQ5_KVNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks, rows int)

//go:noescape
func linearQ6_KVNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks, rows int)

// pairsSuit tells whether rows of so many blocks are for a linearPairs.
func pairsSuit(blocks int) bool { return pairsLeast <= blocks && blocks <= pairsMost && blocks%4 == 0 }

// nativePairs is the multiplication by kernel, or by others where rows are not for it.
func nativePairs(blockBytes int, kernel linearPairs, others func(dst []float32, stride int, w []byte, x *Q8)) func(dst []float32, stride int, w []byte, x *Q8) {
	return func(dst []float32, stride int, w []byte, x *Q8) {
		n := x.K / 32
		if !pairsSuit(n) {
			others(dst, stride, w, x)
			return
		}
		rowBytes := n * blockBytes
		rows := len(w) / rowBytes
		half := rows / 2
		for c := range x.Columns() {
			dst := dst[c*stride:][:rows]
			mul := func(row, pairs, apart int) {
				kernel(&dst[row], &w[row*rowBytes], rowBytes, &x.Q[c*x.K], &x.D[c*n], &x.Sum[c*n], n, pairs, apart)
			}
			if half > 0 {
				mul(0, half, half)
			}
			if rows%2 > 0 {
				mul(rows-1, 1, 0)
			}
		}
	}
}

// nativeLinearK is the multiplication by kernel, or by others where rows are not for it.
func nativeLinearK(blockBytes int, kernel linearK, others func(dst []float32, stride int, w []byte, x *Q8K)) func(dst []float32, stride int, w []byte, x *Q8K) {
	return func(dst []float32, stride int, w []byte, x *Q8K) {
		n := x.K / 256
		rowBytes := n * blockBytes
		if n < linearLeastK || n > linearMostK || len(w) < rowBytes {
			others(dst, stride, w, x)
			return
		}
		rows := len(w) / rowBytes
		for c := range x.Columns() {
			kernel(&dst[c*stride:][:rows][0], &w[0], rowBytes, &x.Q[c*x.K], &x.D[c*n], &x.Sums[16*c*n], n, rows)
		}
	}
}
